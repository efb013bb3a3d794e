import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unitOfWork } from '#foundation/core/services'
import { ProviderError } from '#plugin-kit/provider_error'
import { workAway } from '#releases/tests/helpers/code_world'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld } from '#tests/support/world'
import { makeFlags } from './flags_support.js'
import { isWithin, readRange } from '../flags/version_range.js'

test.group('GET /app/{appId}/release/{releaseId}/featureFlags', () => {
  test('200 lists the flags of the environment, with what they mean to the version', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, list } = await makeFlags(cleanup)
    flags.add('new', {
      enabled: true,
      createdAt: '2020-01-01T00:00:00.000Z',
      url: 'https://flags.example/new',
      variations: [
        { key: 'on', value: { color: 'red', size: 2 } },
        { key: 'off', value: false },
      ],
      rules: [
        { audience: 'staff', versionRange: '>=4.0.0 <5.0', weights: { on: 0.25, off: 0.75 } },
        { audience: '', weights: { on: 10, off: 90 } },
      ],
    })
    flags.add('old', { rules: [{ audience: '', versionRange: '4.1.0' }] })
    flags.add('away', { archived: true })
    const { status, body } = await admin.get(list)
    assert.equal(status, 200)
    assert.deepEqual(
      body.map(({ key, targetsCurrentVersion }: any) => [key, targetsCurrentVersion]),
      [
        ['new', true],
        ['old', false],
      ]
    )
    assert.containsSubset(body[0], {
      id: 'id-new',
      enabled: true,
      minimumVersion: '4.0.0',
      maximumVersion: '5.0',
      environmentId: 'live',
      projectId: 'shop',
      etag: '1',
    })
    assert.deepEqual(body[0].variations[0], {
      id: 'on',
      key: 'on',
      name: 'on',
      value: '{"color":"red","size":2}',
      rolloutPercentage: 10,
      variables: [
        { key: 'color', type: 'string', value: 'red' },
        { key: 'size', type: 'number', value: '2' },
      ],
    })
    assert.deepEqual(body[0].rules[0].weightedVariations, [
      { variationId: 'on', weight: 25 },
      { variationId: 'off', weight: 75 },
    ])
    assert.deepEqual(body[0].rules[0].conditions[0].predicates, [
      { attribute: 'app_version', operator: '>=', values: ['4.0.0'] },
      { attribute: 'app_version', operator: '<', values: ['5.0'] },
    ])
    assert.deepEqual(body[1].targetVersions, ['4.1.0'])
  })

  test('200 leaves out flags that were made after the kickoff', async ({ assert, cleanup }) => {
    const { flags, admin, list, path } = await makeFlags(cleanup)
    flags.add('before', { createdAt: '2020-01-01T00:00:00.000Z' })
    flags.add('after', { createdAt: '2999-01-01T00:00:00.000Z' })
    flags.add('unknown')
    assert.lengthOf((await admin.get(list)).body, 3)
    await admin.put(`${path('4.2.0')}/kickoff`)
    assert.deepEqual(
      (await admin.get(list)).body.map(({ key }: any) => key),
      ['before', 'unknown']
    )
  })

  test('200 empty without the integration, 502 if it fails, 404 for others', async ({
    assert,
    cleanup,
  }) => {
    const { admin, path } = await makeTrain(['1.0.0'])
    const none = await admin.get(`${path('1.0.0')}/featureFlags`)
    assert.deepEqual([none.status, none.body], [200, []])
    const { flags, admin: other, list } = await makeFlags(cleanup)
    flags.fails = 'unavailable'
    const failed = await other.get(list)
    assert.deepEqual([failed.status, failed.body.code], [502, 'provider_error'])
    assert.equal((await (await makeWorld()).admin.get(list)).status, 404)
  })
})

test.group('PUT /app/{appId}/release/{releaseId}/featureFlag/{flagId}', () => {
  test('200 switched once, by key or id, and recorded in the timeline', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, flag, timeline } = await makeFlags(cleanup)
    for (const key of ['a', 'b', 'c']) flags.add(key)
    const { status, body } = await admin.put(flag('c'), { enabled: true, etag: '1' })
    assert.deepEqual([status, body.enabled, body.etag], [200, true, '2'])
    // Repeated with the same value, it is no switch.
    assert.equal((await admin.put(flag('id-c'), { enabled: true })).status, 200)
    assert.equal(flags.switches, 1)
    const reported = (await timeline('4.2.0')).filter(({ type }) => type === 'featureFlag.switched')
    assert.lengthOf(reported, 1)
    assert.containsSubset(reported[0], {
      title: 'The flag c was switched on',
      actor: { type: 'apiKey' },
      data: { flag: { key: 'c' }, environmentId: 'live', from: false, to: true },
    })
  })

  test('409 flag_changed if the flag has changed since it was read, or somebody was faster', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, flag, timeline } = await makeFlags(cleanup)
    flags.add('a')
    const stale = await admin.put(flag('a'), { enabled: true, etag: '0' })
    assert.deepEqual([stale.status, stale.body.code], [409, 'flag_changed'])
    assert.equal(flags.switches, 0)
    flags.meanwhile = () => void (flags.flags[0].etag = '7')
    const lost = await admin.put(flag('a'), { enabled: true })
    assert.deepEqual([lost.status, lost.body.code], [409, 'flag_changed'])
    assert.isFalse(flags.flags[0].enabled)
    const types = (await timeline('4.2.0')).map(({ type }) => type)
    assert.notInclude(types, 'featureFlag.switched')
  })

  test('403, 404, 409, 422 and 502, with nothing switched', async ({ assert, cleanup }) => {
    const { flags, admin, flag, world } = await makeFlags(cleanup)
    flags.add('a')
    const reader = await world.keyed()
    assert.equal((await reader.put(flag('a'), { enabled: true })).status, 403)
    assert.equal((await admin.put(flag('absent'), { enabled: true })).status, 404)
    const { status, body } = await admin.put(flag('a'), { enabled: 'on' })
    assert.deepEqual([status, body.errors[0].pointer], [422, '/enabled'])
    const other = await makeWorld()
    assert.equal((await other.admin.put(flag('a'), { enabled: true })).status, 404)
    flags.fails = 'timeout'
    assert.equal((await admin.put(flag('a'), { enabled: true })).status, 502)
    assert.equal(flags.switches, 0)
    const { admin: without, path } = await makeTrain(['1.0.0'])
    const none = await without.put(`${path('1.0.0')}/featureFlag/a`, { enabled: true })
    assert.deepEqual([none.status, none.body.code], [409, 'integration_missing'])
  })
})

test.group('A switch whose result is unknown', () => {
  async function makeUnknown(cleanup: Parameters<typeof makeFlags>[0]) {
    const made = await makeFlags(cleanup)
    made.flags.add('a')
    return {
      ...made,
      reported: async () =>
        (await made.timeline('4.2.0')).filter(({ type }) => type.startsWith('featureFlag.')),
      left: () => db.from('jobs').where('kind', 'features.flagSwitch').whereNull('finished_at'),
      /** Makes the read of the result due. */
      async readAgain() {
        const now = new Date().toISOString()
        await db
          .from('jobs')
          .where('kind', 'features.flagSwitch')
          .whereNull('finished_at')
          .update({ due_at: now, visible_at: now })
        await workAway()
      },
    }
  }

  test('is recorded after a read if the process ended before recording it', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, flag, reported, left, readAgain } = await makeUnknown(cleanup)
    const inTransaction = unitOfWork.inTransaction.bind(unitOfWork)
    cleanup(() => void (unitOfWork.inTransaction = inTransaction))
    flags.after = () => {
      unitOfWork.inTransaction = async () => {
        unitOfWork.inTransaction = inTransaction
        throw new Error('The process is gone')
      }
    }
    assert.equal((await admin.put(flag('a'), { enabled: true })).status, 500)
    assert.isTrue(flags.flags[0].enabled)
    assert.isEmpty(await reported())
    await readAgain()
    const [entry, ...others] = await reported()
    assert.isEmpty(others)
    assert.containsSubset(entry, {
      type: 'featureFlag.switched',
      actor: { type: 'apiKey' },
      data: { flag: { key: 'a' }, from: false, to: true },
    })
    assert.isEmpty(await left())
    assert.equal(flags.switches, 1)
  })

  test('is recorded if the provider answered too late, but not if nothing was switched', async ({
    assert,
    cleanup,
  }) => {
    const { flags, admin, flag, reported, left, readAgain } = await makeUnknown(cleanup)
    flags.after = () => {
      throw new ProviderError('timeout', 'Too late', { outcome: 'unknown' })
    }
    assert.equal((await admin.put(flag('a'), { enabled: true })).status, 502)
    await readAgain()
    assert.lengthOf(await reported(), 1)
    // This request is lost on its way.
    flags.after = () => {
      flags.flags[0].enabled = true
      throw new ProviderError('timeout', 'Too late', { outcome: 'unknown' })
    }
    assert.equal((await admin.put(flag('a'), { enabled: false })).status, 502)
    await readAgain()
    assert.lengthOf(await reported(), 1)
    assert.isEmpty(await left())
  })

  test('plans no read if the result is known', async ({ assert, cleanup }) => {
    const { flags, admin, flag, left } = await makeUnknown(cleanup)
    assert.equal((await admin.put(flag('a'), { enabled: true })).status, 200)
    assert.isEmpty(await left())
    flags.meanwhile = () => void (flags.flags[0].etag = '7')
    assert.equal((await admin.put(flag('a'), { enabled: false })).status, 409)
    assert.isEmpty(await left())
  })
})

test.group('Ranges of versions', () => {
  const version = (major: number, minor = 0, patch = 0) => ({ major, minor, patch })
  for (const [range, inside, outside] of [
    ['>=4.2.0', version(4, 2), version(4, 1, 9)],
    ['4.2', version(4, 2), version(4, 2, 1)],
    ['>= 4.0, < 5', version(4, 9, 9), version(5)],
    ['>4.2.0 && <=4.3.0', version(4, 3), version(4, 2)],
    ['==v4.2.0', version(4, 2), version(4)],
  ] as const) {
    test(`${range}`, ({ assert }) => {
      const bounds = readRange(range)!
      assert.isTrue(isWithin(bounds, inside))
      assert.isFalse(isWithin(bounds, outside))
    })
  }

  test('any other text has no bounds', ({ assert }) => {
    for (const range of ['', '^4.2.0', '4.x', 'latest', '>=']) assert.isNull(readRange(range))
  })
})
