import { test } from '@japa/runner'
import { guarded } from '#rollouts/tests/guarded'
import { tidy } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { attributes, hiddenIn, pageWorld, signedIn, textOf } from '../../tests/support.js'

const FIELDS = {
  ...{ by: 'policy', destinationId: '', timezone: 'Europe/Berlin' },
  percentage: ['5', '20', '100', '', ''],
  hours: ['24', '48', '', '', ''],
  ...{ officeFrom: '09:00', officeTo: '17:00', healthyHours: '', finishWithinDays: '' },
  weekdays: ['1', '2', '3', '4', '5'],
  ...{ quietDays: '2031-12-24', call: '', hotfix: 'ladder', stops: 'release' },
}

async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world, { platform: 'android' })
  const path = `/dashboard/app/${appId}/rolloutPolicy`
  const stored = async () => (await world.admin.get(`/app/${appId}/rolloutPolicy`)).body.policy
  return { world, person, appId, path, page: (await person.get(path)).text, stored }
}

test.group('The rollout policy of an app', (group) => {
  group.each.teardown(tidy)

  test('303 sets a typed policy, and removes it', async ({ assert }) => {
    const { person, path, page, stored } = await given()
    assert.include(
      textOf(page),
      'People steer rollouts: nothing grows and nothing stops automatically.'
    )
    const set = await person.post(path, FIELDS)
    assert.deepEqual([set.status, set.location], [303, path], textOf(set.text))
    assert.deepEqual(await stored(), {
      ladder: [
        { percentage: 5, hours: 24 },
        { percentage: 20, hours: 48 },
        { percentage: 100, hours: 0 },
      ],
      ...{ healthyHours: null, finishWithinDays: null, timezone: 'Europe/Berlin', call: [] },
      ...{ officeHours: { from: '09:00', to: '17:00' }, weekdays: [1, 2, 3, 4, 5] },
      ...{ quietDays: ['2031-12-24'], guard: null, hotfix: 'ladder', stops: 'release' },
    })
    const { text } = await person.get(path)
    assert.include(textOf(text), 'The policy was set.')
    assert.match(text, /<title id="ladder-chart">Share of users if it stays healthy: 5\u00a0% from/)
    assert.include(textOf(text), 'No guard judges it: no number of crashes stops it automatically.')
    await person.post(path, { ...FIELDS, by: 'people' })
    assert.isNull(await stored())
  })

  test('200 previews another ladder, and sets nothing', async ({ assert }) => {
    const { person, path, stored } = await given()
    const preview = await person.post(`${path}/preview`, FIELDS)
    assert.equal(preview.status, 200)
    assert.include(textOf(preview.text), 'How it would go Not set yet')
    const table = textOf(/<table[^]*?<\/table>/.exec(preview.text)![0])
    assert.match(table, /5 % .* 24 h the policy 20 % .* 48 h the policy 100 %/)
    assert.deepEqual(
      attributes(preview.text, 'value').filter((each) => each === '48'),
      ['48']
    )
    assert.isNull(await stored())
  })

  test('422 links to the field, and keeps what was typed', async ({ assert }) => {
    const { person, path, stored } = await given()
    const wrong = { ...FIELDS, percentage: ['20', '5'], hours: ['a', '1'], timezone: 'Moon' }
    for (const at of [path, `${path}/preview`]) {
      const refused = await person.post(at, { ...wrong, officeTo: '08:00' })
      assert.equal(refused.status, 422)
      assert.includeMembers(attributes(refused.text, 'href'), ['#ladder', '#officeTo', '#timezone'])
      assert.includeMembers(attributes(refused.text, 'value'), ['Moon', 'a', '08:00'])
      assert.include(textOf(refused.text), 'Row 1, hours: it must be a number')
      assert.notMatch(textOf(refused.text), /The \S+ field/)
    }
    const guard = { judges: 'true', harmBudget: 'much', metric: ['crashes'], source: ['events'] }
    const refused = await person.post(path, { ...FIELDS, ...guard })
    assert.equal(refused.status, 422)
    assert.includeMembers(attributes(refused.text, 'href'), ['#metrics', '#harmBudget'])
    for (const [row, field] of [
      [{ hours: ['24', '', '0'] }, 'ladder'],
      [{ percentage: ['5', '', '100'], hours: ['24', '48', '0'] }, 'ladder'],
      [{ timezone: '' }, 'timezone'],
      [{ judges: 'true', metric: [''], source: ['events'], total: ['logins'] }, 'metrics'],
    ] as const) {
      const incomplete = await person.post(path, { ...FIELDS, ...row } as never)
      assert.equal(incomplete.status, 422, JSON.stringify(row))
      assert.include(attributes(incomplete.text, 'href'), `#${field}`)
    }
    assert.isNull(await stored())
  })

  test('404 for an unknown store; parameters that are given twice are ignored', async ({
    assert,
  }) => {
    const { person, path } = await given()
    assert.equal((await person.get(`${path}?destinationId=nope`)).status, 404)
    for (const query of [
      'destinationId=a&destinationId=b',
      'destinationId[]=x',
      '__proto__[a]=b',
    ]) {
      assert.equal((await person.get(`${path}?${query}`)).status, 200, query)
    }
  })

  test('412 reports somebody else’s change, and keeps what was typed', async ({ assert }) => {
    const { world, appId, person, path, page, stored } = await given()
    const tagIn = (text: string) => hiddenIn(text, '_tag')
    await world.admin.put(`/app/${appId}/rolloutPolicy`, {
      policy: { ladder: [{ percentage: 100, hours: 0 }] },
    })
    const before = await stored()
    for (const by of ['policy', 'people']) {
      const late = await person.post(path, { ...FIELDS, by, _tag: tagIn(page) })
      assert.equal(late.status, 412)
      assert.include(textOf(late.text), 'Somebody changed this in the meantime. Your text is kept')
      assert.include(attributes(late.text, 'value'), '48')
      assert.deepEqual(await stored(), before)
      if (by === 'policy') continue
      const again = await person.post(path, { ...FIELDS, _tag: tagIn(late.text) })
      assert.equal(again.status, 303)
    }
  })

  test('200 says what a guard will count, and what is not known yet', async ({ assert }) => {
    const { world, appId } = await guarded()
    const person = await signedIn(world)
    const path = `/dashboard/app/${appId}/rolloutPolicy`
    const { status, text } = await person.get(path)
    assert.equal(status, 200)
    assert.match(textOf(text), /480 k sessions a day, of which 0\.2 % went wrong/)
    assert.match(textOf(text), /The budget of 0\.5 % lets a new version harm 2,400 of them a day/)
    assert.match(
      text,
      /<title id="budget-0">0\.2\u00a0% of sessions went wrong before; .* it is stopped at 10\u00a0% from \d+ of /
    )
    const metric = {
      metric: ['mine'],
      source: ['productAnalytics'],
      total: ['login'],
      bad: ['oops'],
    }
    const preview = await person.post(`${path}/preview`, {
      ...{ ...FIELDS, ...metric, judges: 'true', harmBudget: '1' },
    })
    assert.equal(preview.status, 200, textOf(preview.text))
    assert.match(textOf(preview.text), /It is not known yet how many sessions this app has/)
  })
})
