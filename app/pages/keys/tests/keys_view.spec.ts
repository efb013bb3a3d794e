import { test } from '@japa/runner'
import { exampleGroup, exampleKey, exampleNewKey } from '#organizations/examples'
import { Problem } from '#foundation/core/problems/problem'
import { addresses, addressOf } from '../../addresses.js'
import type { Refused } from '../../frame/page.js'
import { exampleReader } from '../../tests/example_reader.js'
import { madeKeyView, newKeyView, revokeKeyView, rotateKeyView } from '../forms.view.js'
import { keysView } from '../list.view.js'

const params = { orgId: 'org_acme', apiKeyId: exampleKey.id }
const call = { reader: exampleReader, refused: null, params, query: {} }

test.group('The view of keys', () => {
  test('shows the use, end and maker of each key, and folds those that have ended', ({
    assert,
  }) => {
    const keys = [
      exampleKey,
      { ...exampleKey, id: 'old', unusedSince: '2026-07-22T08:00:00.000Z', lastUsedAt: null },
      { ...exampleKey, id: 'end', expiresAt: null, admin: true, appRestricted: false },
      {
        ...exampleKey,
        id: 'gone',
        status: 'revoked' as const,
        revokedAt: '2026-11-18T08:00:00.000Z',
      },
      {
        ...exampleKey,
        id: 'over',
        status: 'expired' as const,
        expiresAt: '2026-11-19T12:00:00.000Z',
      },
    ]
    const view = keysView({ keys, apps: [] }, call)
    assert.equal(view.brief, '3 keys work, 1 of them not used for 90 days')
    const [first, unused, admin] = view.rows
    assert.deepEqual(
      [first.may, first.apps, first.used, first.ends, first.made],
      [
        'Security',
        'all apps',
        'used 3 min ago',
        'ends 5 Oct 2027, 16:20',
        'created Mon 5 Oct, 16:20 by Ada Lovelace',
      ]
    )
    assert.deepEqual([unused.unused, unused.used], ['Not used for 120 days', 'never used'])
    assert.deepEqual([admin.may, admin.ends], ['Admin: everything', 'never ends'])
    assert.equal(view.ended?.title, '2 keys have ended')
    assert.deepEqual(
      view.ended?.rows.map(({ ends, rotateHref }) => [ends, rotateHref]),
      [
        ['revoked Wed 18 Nov, 09:00', null],
        ['ended today 13:00', null],
      ]
    )
  })

  test('names the apps of a key, and an app that is gone by its id', ({ assert }) => {
    const key = { ...exampleKey, appRestricted: true, appIds: ['acme-ios', 'gone'] }
    const apps = [{ id: 'acme-ios', name: 'Acme', platform: 'ios' }]
    assert.equal(keysView({ keys: [key], apps }, call).rows[0].apps, 'Acme iOS, gone')
    const none = { ...key, appIds: [] }
    assert.equal(keysView({ keys: [none], apps }, call).rows[0].apps, 'no app')
  })

  test('keeps what was typed in the form that was sent, and not in others', ({ assert }) => {
    const refused: Refused = {
      action: addressOf(addresses.keys, params),
      problem: new Problem('invalid_input', {
        errors: [{ pointer: '/groupIds/0', code: 'unknown_group', message: 'There is no group.' }],
      }),
      fields: { name: 'CI', groupIds: [exampleGroup.id], expiresAt: 'never' },
    }
    const answers = { groups: [exampleGroup], apps: [] }
    const view = newKeyView(answers, { ...call, refused })
    assert.equal(view.name.value, 'CI')
    assert.deepEqual([view.groups.error, view.groups.options[0].isOn], ['There is no group.', true])
    assert.deepEqual(
      view.ends.options.map(({ isOn }) => isOn),
      [false, false, false, true]
    )
    const other = newKeyView(answers, { ...call, refused: { ...refused, action: '/elsewhere' } })
    assert.deepEqual([other.name.value, other.groups.error], ['', null])
    assert.deepEqual(
      other.ends.options.map(({ value }) => value),
      ['2026-12-19T00:00:00.000Z', '2027-02-17T00:00:00.000Z', '', 'never']
    )
  })

  test('names the last use in questions, and marks a new key as secret', ({ assert }) => {
    const { question } = revokeKeyView(exampleKey, call)
    assert.equal(question.heading, 'Revoke Release CI?')
    assert.include(question.lines[0], 'was last used 3 min ago')
    assert.include(rotateKeyView(exampleKey, call).lines[1], 'last used 3 min ago')
    const made = madeKeyView({ made: exampleNewKey, baseUrl: 'https://tarmac.example' }, call)
    assert.isTrue(made.isSecret)
    assert.include(made.call, 'https://tarmac.example/org/org_acme')
    assert.isNull(made.former)
  })
})
