import { test } from '@japa/runner'
import { flagEntity } from '#features/flags/flag_entity'
import { runCommand } from '#tests/support/console'
import { SimState } from '../commands/sim_state.js'
import { chance } from '#simulated-providers/chance'
import { USUAL_CI } from '#simulated-providers/ci'
import { inWorld, mutation } from './support/world_plugins.js'

const seedWhere = (is: (seed: string) => boolean) =>
  Array.from({ length: 500 }, (_, index) => `seed ${index}`).find(is)!
const builds = (seed: string) => chance(seed, 'ci fails', 1) >= USUAL_CI.settings.failing
const simulated = (type: string, data: Record<string, string> = {}) => ({
  plugin: 'sim',
  type,
  data,
})

test.group('The other providers of a world', () => {
  test('a version that CI has built is tested and tracked in the world’s time, and chat works', async ({
    assert,
  }) => {
    const world = await inWorld(seedWhere(builds), {
      ci: simulated('sim-ci', { workflowId: 'release' }),
      chat: simulated('sim-chat'),
      issueTracking: simulated('sim-issues'),
      testManagement: simulated('sim-tests'),
    })
    const [ci, chat] = [await world.capability('ci'), await world.capability('chat')]
    const [tracker, tests] = [
      await world.capability('issueTracking'),
      await world.capability('testManagement'),
    ]
    const runs = async () => (await tests.findRuns(['regression'], '4.2.0')).items
    const tickets = async () =>
      (await tracker.search({ projects: ['SHOP'], version: '4.2.0' })).items
    assert.deepEqual([await runs(), await tickets()], [[], []])
    await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
    await world.advance('1h')
    assert.lengthOf(await runs(), 2)
    assert.lengthOf(await tickets(), 5)
    await world.advance('5d')
    assert.isTrue((await runs()).every(({ closed, counts }) => closed && counts.untested === 0))
    assert.isTrue((await tickets()).every(({ done }) => done))
    const key = mutation()
    const first = await chat.post('C1', { text: '4.2.0 is tested' }, key)
    assert.deepEqual(await chat.post('C1', { text: '4.2.0 is tested' }, key), first)
    const reported = await runCommand(SimState, [world.org])
    assert.containsSubset(reported.document.chat.posts, [
      { channel: 'releases', text: '4.2.0 is tested' },
    ])
    assert.lengthOf(reported.document.chat.posts, 1)
  })

  test('a released version is used, and its health is reported', async ({ assert }) => {
    const bundle = { bundleId: 'com.acme.shop' }
    const world = await inWorld(
      seedWhere((seed) => builds(seed) && chance(seed, 'app store verdict', '4.2.0', 0) > 0.2),
      {
        ci: simulated('sim-ci', { workflowId: 'release' }),
        appStore: { plugin: 'sim-apple', type: 'sim-apple', data: bundle },
        crashMonitoring: simulated('sim-crashes'),
        productAnalytics: simulated('sim-analytics'),
      }
    )
    const [ci, store] = [await world.capability('ci'), await world.capability('appStore')]
    const [crashes, analytics] = [
      await world.capability('crashMonitoring'),
      await world.capability('productAnalytics'),
    ]
    await ci.trigger('release', { branch: 'release/4.2.0' }, {}, mutation())
    await world.advance('1h')
    const input = { version: '4.2.0', buildNumber: '1', phased: false, release: 'auto' } as const
    const { id } = await store.prepare(input, mutation())
    await store.submit(id, { ...mutation(), onReviewInProgress: 'fail' })
    await world.advance('10d')
    const reported = await runCommand(SimState, [world.org])
    const now = Date.parse(reported.document.now)
    const window = {
      version: '4.2.0',
      from: new Date(now - 24 * 3_600_000).toISOString(),
      to: reported.document.now,
    }
    const health = await crashes.health(window)
    assert.isAbove(health.sessions!, 30_000)
    assert.isTrue(health.crashFreeSessions! > 0.98 && health.crashFreeSessions! < 1)
    assert.lengthOf((await crashes.listIssues(window, 'frequent')).items, 3)
    const adoption = await analytics.adoption!('4.2.0', window.from, window.to)
    assert.isAbove(adoption!.share, 0.9)
    const { points } = await analytics.series({
      ...window,
      ...{ eventName: 'app_open', granularity: 'hour', metric: 'totals' },
    })
    assert.isAtLeast(points.length, 23)
  })

  test('flags are experiments, staged for some people, or for versions', async ({ assert }) => {
    const place = { projectId: null, environmentId: 'production', versionAttributeName: null }
    const world = await inWorld('flags', { experimentation: simulated('sim-flags') })
    const capability = await world.capability('experimentation')
    const { items } = await capability.listFlags('production', {})
    const shown = items.map((flag) => flagEntity(flag, place, { major: 4, minor: 2, patch: 0 }))
    const [experiment, some, versions] = ['new-checkout', 'dark-mode', 'fast-start'].map((name) =>
      shown.find(({ key }) => key === name)!
    )
    const shares = ({ variations }: typeof experiment) =>
      variations.map(({ rolloutPercentage }) => rolloutPercentage)
    assert.deepEqual(
      [shares(experiment), shares(some)],
      [
        [50, 50],
        [10, 90],
      ]
    )
    assert.deepEqual(
      some.rules.map(({ audiences }) => audiences.map(({ name }) => name)),
      [['staff'], []]
    )
    assert.deepEqual(
      [versions.minimumVersion, versions.targetsCurrentVersion, some.targetsCurrentVersion],
      ['1.0.0', true, false]
    )
  })
})
