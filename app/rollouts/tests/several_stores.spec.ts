import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import Destination from '#apps/models/destination'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { newId } from '#foundation/core/ids'
import { appendIntegrations, replaceIntegrations } from '#integrations/store_integrations'
import { sendYaml } from '#configuration/tests/functional/yaml'
import { StoreInMemory } from '#stores/tests/memory_store'
import { tidy, type StoreWorld } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { ago, asked, began, rollingOut } from './support.js'

const LADDER = [
  { percentage: 10, hours: 24 },
  { percentage: 50, hours: 24 },
  { percentage: 100, hours: 0 },
]
/** The ratings stop a version. Reviews alone never let it grow; nobody sends the other metric. */
const RATING = {
  metrics: [
    { name: 'rating', source: 'appReviews' },
    { name: 'crashFreeSessions', total: 'sessions', bad: 'crashes' },
  ],
  whenUnsure: 'grow',
}

/** Rolls out version 1.4.0 to 10 % in a store. */
function rolledOut(store: StoreInMemory): void {
  store.upload('4711')
  store.become('rolledOutPartially', { buildNumbers: ['4711'] })
  store.rollout({ state: 'active', fraction: 0.1 })
}

/**
 * Adds a second destination with its own store. The release is at 10 % there, too, unless `build`
 * says otherwise.
 */
async function withSecond(given: StoreWorld, build: (second: StoreInMemory) => void = rolledOut) {
  const { admin, appId, world, provider, store, work } = given
  const { type: storeType } = store
  const first = { id: newId('dest'), appId, name: 'First', storeType }
  await world.write(async (scope) =>
    scope.create(Destination, {
      ...first,
      position: 0,
      appStoreReleaseSettings: DEFAULT_APP_STORE_RELEASE_SETTINGS,
      createdAt: scope.now,
    })
  )
  const { body } = await sendYaml(admin, 'POST', `/app/${appId}/destination/config`, 'name: Second')
  const destinationId: string = body.destinations[1].id
  const second = new StoreInMemory(storeType)
  store.others.set('second', second)
  await world.write((scope) =>
    appendIntegrations(scope, { appId, destinationId }, [
      { key: 'two', type: storeType, kind: 'appStore', provider, data: { bundleId: 'second' } },
    ])
  )
  build(second)
  await admin.put(`/app/${appId}/release/${appId}:1.4.0`, { releaseName: 'Both' })
  for (let turn = 0; turn < 3; turn++) await work()
  return { second, destinationId }
}

const changesOf = (store: StoreInMemory) => store.changes.filter((each) => /^setRollout/.test(each))

/** Adds good reviews of 1.3.0, and bad ones of 1.4.0, to the first store, or to all. */
async function badReviews({ appId, admin, target, world }: StoreWorld, inAll = false) {
  await admin.post(`/app/${appId}/release`, { version: '1.3.0' })
  await db
    .from('releases')
    .where({ app_id: appId, version: '1.3.0' })
    .update({
      released_at: ago(200),
    })
  const { integrationId: first, storeType } = await target()
  const stores: { id: string }[] = await db
    .from('integrations')
    .where({ app_id: appId, kind: 'appStore' })
    .select('id')
  const reviewedStores = inAll ? stores.map(({ id }) => id) : [first]
  for (const integrationId of reviewedStores) {
    await reviewed({ appId, organizationId: world.organizationId, integrationId, storeType })
  }
}

interface Reviewed {
  appId: string
  organizationId: string
  integrationId: string
  storeType: string
}

async function reviewed({ appId, organizationId, integrationId, storeType }: Reviewed) {
  for (const [version, rating, hours, count] of [
    ['1.3.0', 5, 50, 60],
    ['1.4.0', 1, 2, 40],
  ] as const) {
    for (let index = 0; index < count; index++) {
      const id = `${integrationId}-${version}-${index}`
      await db.table('app_store_reviews').insert({
        id,
        store_ref: id,
        organization_id: organizationId,
        app_id: appId,
        integration_id: integrationId,
        store_type: storeType,
        rating,
        title: null,
        body: 'It',
        author: 'A',
        locale: 'en',
        version,
        data: '{}',
        terms: '[]',
        written_at: ago(hours),
        seen_at: ago(hours),
      })
    }
  }
}

test.group('Rollouts in several stores', (group) => {
  group.each.teardown(tidy)

  test('each follow the policy of their destination, and a stop of one does not stop the other', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, store, work, path } = given
    const { second, destinationId } = await withSecond(given)
    await badReviews(given)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER, guard: RATING } })
    await admin.put(`/app/${appId}/rolloutPolicy`, { destinationId, policy: { ladder: LADDER } })
    await began(appId, 30)
    for (let turn = 0; turn < 4; turn++) await work()
    assert.deepEqual(changesOf(store), ['setRollout halt'])
    assert.deepEqual(changesOf(second), ['setRollout 0.5'])
    const { body } = await admin.get(`${path}/steps`)
    const statuses = body
      .filter(({ type }: { type: string }) => type === 'rollout')
      .map((step: { destinationId: string; status: string }) => [
        step.destinationId === destinationId,
        step.status,
      ])
    assert.sameDeepMembers(statuses, [
      [false, 'blocked'],
      [true, 'inProgress'],
    ])
    // A policy for a destination of another app is 422, and shows no policy.
    const foreign = { destinationId: 'dest_none', policy: { ladder: LADDER } }
    const refused = await admin.put(`/app/${appId}/rolloutPolicy`, foreign)
    assert.deepEqual([refused.status, refused.body.errors[0].pointer], [422, '/destinationId'])
  })

  test('are all stopped once where the policy says so', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, appId, store, work } = given
    const { second } = await withSecond(given)
    await badReviews(given)
    const policy = { ladder: LADDER, guard: RATING, stops: 'release' }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    await began(appId, 30)
    for (let turn = 0; turn < 5; turn++) await work()
    assert.deepEqual(changesOf(store), ['setRollout halt'])
    assert.deepEqual(changesOf(second), ['setRollout halt'])
    assert.lengthOf((await admin.get(`/app/${appId}/triageIssue`)).body.data, 1)
  })

  test('have one open triage issue for a version that is unhealthy in several stores', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, appId, store, work } = given
    const { second, destinationId } = await withSecond(given)
    await badReviews(given, true)
    const policy = { ladder: LADDER, guard: RATING }
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
    await admin.put(`/app/${appId}/rolloutPolicy`, { destinationId, policy })
    await began(appId, 30)
    for (let turn = 0; turn < 5; turn++) await work()
    assert.deepEqual(
      [changesOf(store), changesOf(second)],
      [['setRollout halt'], ['setRollout halt']]
    )
    const { body } = await admin.get(`/app/${appId}/triageIssue`)
    assert.lengthOf(body.data, 1)
    const { body: timeline } = await admin.get(`${given.path}/timelineEvents?type=rollout.stopped`)
    assert.deepEqual(
      timeline.data.map(({ data }: any) => data.triageIssueId),
      [body.data[0].id, body.data[0].id]
    )
  })

  test('are stopped one by one by their steps, and the others go on', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, store, work, path } = given
    const { second, destinationId } = await withSecond(given)
    const { body } = await admin.get(`${path}/steps`)
    const step = body.find(
      (each: { type: string; destinationId: string }) =>
        each.type === 'rollout' && each.destinationId === destinationId
    )
    await admin.put(`${path}/stepRun/${step.stepRunId}/rollout`, { action: 'halt' })
    await work()
    assert.deepEqual([changesOf(store), changesOf(second)], [[], ['setRollout halt']])
    const response = await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    assert.deepEqual([response.status, response.body.code], [409, 'rollout_stopped'])
    // The red button stops all at once.
    await admin.put(`${path}/redButton`)
    await work()
    assert.deepEqual(
      [changesOf(store), changesOf(second)],
      [['setRollout halt'], ['setRollout halt']]
    )
    // The press is mentioned as long as it keeps a rollout stopped.
    const warned = async (): Promise<string[]> =>
      (await admin.get(`${path}/whyNotMoving`)).body.warnings.map(
        ({ code }: { code: string }) => code
      )
    await admin.put(`${path}/stepRun/${step.stepRunId}/rollout`, { action: 'resume' })
    await work()
    assert.deepEqual(changesOf(second), ['setRollout halt', 'setRollout resume'])
    assert.include(await warned(), 'red_button')
    await admin.put(`${path}/rollout`, { action: 'resume' })
    assert.notInclude(await warned(), 'red_button')
  })

  test('leave a takeoff in one store alone when the other one is stopped', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, work, path } = given
    const { second } = await withSecond(given, (store) => {
      store.upload('4711')
      store.become('pendingRelease', { buildNumbers: ['4711'], release: { method: 'manual' } })
      store.rollout({ state: 'inactive', fraction: 0.1 })
    })
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await work()
    const { body: steps } = await admin.get(`${path}/steps`)
    const [first] = steps.filter(({ type }: { type: string }) => type === 'rollout')
    const paused = await admin.put(`${path}/stepRun/${first.stepRunId}/rollout`, {
      action: 'pause',
    })
    assert.equal(paused.status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    const [, { wanted }] = (await given.release()).storePlans
    assert.containSubset(wanted, { what: 'released', status: 'underWay' })
    second.publish()
    for (let turn = 0; turn < 3; turn++) await work()
    assert.isEmpty(second.changes)
    assert.equal((await given.release()).storePlans[1].wanted.status, 'done')
  })

  test('are named by the red button where it cannot stop them', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { admin, work, path, store } = given
    await withSecond(given, (other) => {
      other.upload('4711')
      other.become('live', { buildNumbers: ['4711'] })
      other.rollout({ state: 'complete' })
    })
    const { status, body } = await admin.put(`${path}/redButton`, { reason: 'It crashes' })
    assert.equal(status, 200)
    const running = body.warnings.filter(({ code }: { code: string }) => /^rollout_/.test(code))
    assert.lengthOf(running, 1)
    assert.equal(running[0].code, 'rollout_not_running')
    assert.match(running[0].message, /^Second: 1\.4\.0 is out to all users.*hotfix/)
    await work()
    assert.deepEqual(changesOf(store), ['setRollout pause'])
  })

  for (const over of ['', ', even if their release has ended', ', even if they have no policy']) {
    test(`are stopped in all apps of the group where the policy says so${over}`, async ({
      assert,
    }) => {
      const given = await rollingOut()
      const { admin, appId, store, work, world, provider } = given
      const other = await makeApp(world, {
        platform: 'android',
        steps: (['kickoff', 'submission', 'takeoff', 'rollout'] as const).map((type) => ({
          type,
          releaseTypes: { standard: { required: true } },
        })),
      })
      const theirs = new StoreInMemory('google')
      store.others.set('theirs', theirs)
      await world.write((scope) =>
        replaceIntegrations(scope, other, [
          {
            key: 'store',
            type: 'google',
            kind: 'appStore',
            provider,
            data: { bundleId: 'theirs' },
          },
        ])
      )
      for (const app of [appId, other]) {
        await sendYaml(admin, 'PATCH', `/app/${app}/app/config`, 'appGroup: Acme')
      }
      await admin.post(`/app/${other}/release`, { version: '1.4.0' })
      await admin.put(`/app/${other}/release/${other}:1.4.0/kickoff`)
      rolledOut(theirs)
      if (over) {
        const hasPolicy = !over.includes('no policy')
        const own = { policy: hasPolicy ? { ladder: LADDER } : null }
        await admin.put(`/app/${other}/rolloutPolicy`, own)
        await work()
        const skipped = await admin.put(`/app/${other}/release/${other}:1.4.0/skip`, {
          force: true,
        })
        assert.equal(skipped.status, 200)
      }
      await badReviews(given)
      const policy = { ladder: LADDER, guard: RATING, stops: 'appGroup' }
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
      await work()
      await began(appId, 30)
      for (let turn = 0; turn < 5; turn++) await work()
      assert.deepEqual(asked(given), ['setRollout halt'])
      assert.deepEqual(changesOf(theirs), ['setRollout halt'])
      const { body } = await admin.get(
        `/app/${other}/release/${other}:1.4.0/timelineEvents?type=rollout.stopped`
      )
      // Readers there may not have access to the unhealthy app.
      assert.include(
        body.data[0].title,
        'is being stopped: it is unhealthy in another app of the group'
      )
      assert.notInclude(JSON.stringify(body), appId)
    })
  }
})
