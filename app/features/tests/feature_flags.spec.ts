import { test } from '@japa/runner'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import type { Flag } from '#plugin-kit/capabilities/monitoring'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { paperPlugin } from '#tests/support/plugins/paper'
import { makeWorld } from '#tests/support/world'
import { isWithin, readRange } from '../flags/version_range.js'

/** An experimentation service in memory, with pages of two. */
class Flags {
  readonly flags: Flag[] = []
  switches = 0
  fails: ProviderErrorCode | null = null
  /** What somebody else does between the look and the switch. */
  meanwhile: (() => void) | null = null

  add(key: string, given: Partial<Flag> = {}) {
    const id = `id-${key}`
    const flag = { id, key, name: key, enabled: false, variations: [], rules: [], etag: '1' }
    this.flags.push({ ...flag, ...given })
  }

  #find(environment: string, key: string): Flag | null {
    if (this.fails) throw new ProviderError(this.fails, 'It fails', { outcome: 'notApplied' })
    return (environment === 'live' && this.flags.find((each) => each.key === key)) || null
  }

  capability = {
    listFlags: async (environment: string, _filter: object, cursor = '0') => {
      this.#find(environment, '')
      const next = Number(cursor) + 2
      const items = this.flags.slice(Number(cursor), next).map((each) => ({ ...each }))
      return next < this.flags.length ? { items, next: String(next) } : { items }
    },
    getFlag: async (environment: string, key: string) => {
      const found = this.#find(environment, key)
      return found && { ...found }
    },
    setEnabled: async (
      environment: string,
      key: string,
      enabled: boolean,
      { etag }: { etag?: string }
    ) => {
      this.meanwhile?.()
      this.switches += 1
      const flag = this.#find(environment, key)!
      if (etag !== undefined && flag.etag !== etag) {
        throw new ProviderError('preconditionFailed', 'Changed', { outcome: 'notApplied' })
      }
      Object.assign(flag, { enabled, etag: String(Number(flag.etag) + 1) })
      return { ...flag }
    },
  }
}

async function makeFlags(cleanup: (work: () => Promise<void>) => void) {
  const flags = new Flags()
  class InMemory {
    constructor() {
      Object.assign(this, flags.capability)
    }
  }
  const paper = paperPlugin('paper-flags', {
    experimentation: { type: 'launchdarkly', features: [] },
  })
  await loadTestPlugins({
    'paper-flags': async () => ({
      default: definePlugin({
        ...paper,
        capabilities: { experimentation: async () => ({ default: InMemory as never }) },
      }),
    }),
  })
  cleanup(async () => void (await loadTestPlugins()))
  const train = await makeTrain(['4.2.0'])
  const { world, app, path } = train
  const { id: provider } = await connect(world, 'paper-flags')
  const data = { projectId: 'shop', environmentId: 'live', versionAttributeName: 'app_version' }
  await world.write((scope) =>
    replaceIntegrations(scope, app, [
      { key: 'flags', type: 'launchdarkly', kind: 'experimentation', provider, data },
    ])
  )
  const base = path('4.2.0')
  return {
    ...train,
    flags,
    list: `${base}/featureFlags`,
    flag: (name: string) => `${base}/featureFlag/${name}`,
  }
}

test.group('GET /app/{appId}/release/{releaseId}/featureFlags', () => {
  test('200 the flags of the environment, with what they mean to the version', async ({
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

  test('200 without those that were made after kickoff', async ({ assert, cleanup }) => {
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

  test('200 empty without the integration, 502 where it fails, 404 elsewhere', async ({
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
  test('200 switched once, by key or id, and told in the timeline', async ({ assert, cleanup }) => {
    const { flags, admin, flag, timeline } = await makeFlags(cleanup)
    for (const key of ['a', 'b', 'c']) flags.add(key)
    const { status, body } = await admin.put(flag('c'), { enabled: true, etag: '1' })
    assert.deepEqual([status, body.enabled, body.etag], [200, true, '2'])
    // Repeated with the same outcome it is no switch.
    assert.equal((await admin.put(flag('id-c'), { enabled: true })).status, 200)
    assert.equal(flags.switches, 1)
    const told = (await timeline('4.2.0')).filter(({ type }) => type === 'featureFlag.switched')
    assert.lengthOf(told, 1)
    assert.containsSubset(told[0], {
      title: 'The flag c was switched on',
      actor: { type: 'apiKey' },
      data: { flag: { key: 'c' }, environmentId: 'live', from: false, to: true },
    })
  })

  test('409 flag_changed where it was seen otherwise, or somebody was faster', async ({
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

  test('what is written otherwise says nothing', ({ assert }) => {
    for (const range of ['', '^4.2.0', '4.x', 'latest', '>=']) assert.isNull(readRange(range))
  })
})
