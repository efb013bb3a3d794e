import { test } from '@japa/runner'
import { watchFlags } from '#features/flags/watch_flags'
import { Flags } from '#features/tests/flags_support'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { tidy } from '#stores/tests/support'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { rollingOut } from './support.js'

/** Returns a release that some users have, in an app with flags. */
async function makeWatched() {
  const given = await rollingOut()
  const { world, admin, appId, provider, store, work, target } = given
  const flags = new Flags()
  await loadTestPlugins({
    'paper': async () => ({ default: store.plugin }),
    'paper-flags': async () => ({ default: flags.plugin }),
  })
  const { id } = await connect(world, 'paper-flags')
  const { storeType: type } = await target()
  const place = (environmentId: string, key = 'flags') =>
    world.write((scope) =>
      replaceIntegrations(scope, appId, [
        { key: 'store', type, kind: 'appStore', provider, data: {} },
        {
          key,
          type: 'launchdarkly',
          kind: 'experimentation',
          provider: id,
          data: { environmentId },
        },
      ])
    )
  await place('live')
  // A change of the app's configuration does this in production.
  await world.write((scope) => forEachOpenRelease(scope, appId, (each) => watchFlags(scope, each)))
  const release = `/app/${appId}/release/${appId}:1.4.0`
  return {
    ...given,
    flags,
    release,
    place,
    /** Polls the flags. */
    async look() {
      await world.write((scope) => scope.jobs.pollNow())
      for (let turn = 0; turn < 3; turn++) await work()
    },
    async changes() {
      const { body: steps } = await admin.get(`${release}/steps`)
      const { stepRunId } = steps.find((each: any) => each.type === 'rollout')
      const { body } = await admin.get(`${release}/stepRun/${stepRunId}`)
      return body.data.flagChanges as any[]
    },
  }
}

test.group('Flags that change while a version is rolled out', (group) => {
  group.each.teardown(tidy)

  test('are shown with its health and in the timeline, whoever changed them', async ({
    assert,
  }) => {
    const { flags, look, changes, admin, release } = await makeWatched()
    flags.add('paywall', { enabled: true, rules: [{ audience: '', weights: { on: 10, off: 90 } }] })
    flags.add('login')
    flags.add('old', { archived: true })
    await look()
    assert.deepEqual(await changes(), [])
    Object.assign(flags.flags[0], { rules: [{ audience: '', weights: { on: 50, off: 50 } }] })
    await look()
    await look()
    assert.equal((await admin.put(`${release}/featureFlag/login`, { enabled: true })).status, 200)
    await look()
    flags.flags[0].enabled = false
    flags.add('new')
    flags.flags.splice(1, 1)
    await look()
    const reported = await changes()
    assert.deepEqual(
      reported.map(({ key, what, by }) => [key, what, by?.type ?? null]),
      [
        ['paywall', 'switchedOff', null],
        ['new', 'added', null],
        ['login', 'removed', null],
        ['login', 'switchedOn', 'apiKey'],
        ['paywall', 'changed', null],
      ]
    )
    const { body } = await admin.get(`${release}/timelineEvents`)
    const titles = body.data
      .filter(({ type }: any) => type.startsWith('featureFlag.'))
      .map(({ title }: any) => title)
    assert.sameMembers(titles, [
      'The flag paywall gives something else, or to others',
      'The flag login was switched on',
      'The flag login no longer exists',
      'The flag new now exists',
      'The flag paywall was switched off',
    ])
  })

  test('are not derived from the flags of another environment or integration', async ({
    assert,
  }) => {
    const { flags, look, changes, place, admin, release } = await makeWatched()
    flags.add('paywall', { enabled: true })
    flags.add('login')
    await look()
    // Equal keys in another environment are no changes.
    flags.environment = 'canary'
    await place('canary')
    Object.assign(flags.flags[0], { enabled: false })
    flags.flags.pop()
    flags.add('search')
    await look()
    assert.deepEqual(await changes(), [])
    flags.flags[0].enabled = true
    await look()
    assert.deepEqual(
      (await changes()).map(({ key, what }) => [key, what]),
      [['paywall', 'switchedOn']]
    )
    // Another integration of the same environment counts as another place, too.
    await place('canary', 'others')
    flags.flags.splice(0, 2)
    flags.add('theirs')
    assert.equal((await admin.put(`${release}/featureFlag/theirs`, { enabled: true })).status, 200)
    await look()
    assert.deepEqual(
      (await changes()).map(({ key, what }) => [key, what]),
      [
        ['theirs', 'switchedOn'],
        ['paywall', 'switchedOn'],
      ]
    )
  })

  test('are no longer polled once the release is completed', async ({ assert }) => {
    const { flags, look, changes, admin, release } = await makeWatched()
    flags.add('paywall')
    await look()
    await admin.put(`${release}/complete`, { force: true })
    flags.flags[0].enabled = true
    await look()
    assert.deepEqual(await changes(), [])
  })
})
