import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import Destination from '#apps/models/destination'
import { DEFAULT_APP_STORE_RELEASE_SETTINGS } from '#apps/settings'
import { sendYaml } from '#configuration/tests/functional/yaml'
import { newId } from '#foundation/core/ids'
import { appendIntegrations } from '#integrations/store_integrations'
import { refusal, StoreInMemory } from '../memory_store.js'
import { tidy } from '../support.js'
import { approvedPair, pairWorld, type PairWorld } from './support.js'

/** Returns a pair that is approved and taken off; Android waits to be published. */
async function publishing(): Promise<PairWorld> {
  const given = await approvedPair()
  await given.takeOff('apple')
  await given.work(2)
  return given
}

function assertDone({ status, body }: { status: number; body: unknown }): void {
  if (status >= 300) throw new Error(JSON.stringify(body))
}

test.group('A takeoff of a pair that is ended', (group) => {
  group.each.teardown(tidy)

  const EDITS: [what: string, edit: (given: PairWorld) => Promise<unknown>, says: RegExp][] = [
    [
      'iOS is stopped',
      ({ admin, pathOf }) => admin.put(`${pathOf('apple')}/rollout`, { action: 'pause' }),
      /the iOS release was stopped/,
    ],
    [
      'iOS is withdrawn',
      ({ admin, pathOf }) => admin.put(`${pathOf('apple')}/developerRejectSubmission`),
      /the iOS release was withdrawn from review/,
    ],
    [
      'iOS is withdrawn in its console',
      async ({ stores }) => stores.apple.become('developerRejected'),
      /the iOS release was withdrawn from review/,
    ],
    [
      'iOS is skipped',
      ({ admin, pathOf }) => admin.put(`${pathOf('apple')}/skip`, { force: true }),
      /the iOS release is over/,
    ],
    [
      'iOS is completed by hand',
      ({ admin, pathOf }) => admin.put(`${pathOf('apple')}/complete`, { force: true }),
      /the iOS release is over/,
    ],
    [
      'Android is stopped',
      ({ admin, pathOf }) => admin.put(`${pathOf('google')}/rollout`, { action: 'halt' }),
      /the Android release was stopped/,
    ],
    [
      'the red button of iOS is pressed',
      ({ admin, pathOf }) => admin.put(`${pathOf('apple')}/redButton`),
      /the red button of the iOS release was pressed/,
    ],
  ]
  for (const [what, edit, says] of EDITS) {
    test(`${what} while Android waits to be published: its takeoff ends, and both record it`, async ({
      assert,
    }) => {
      const given = await publishing()
      const { asked, work, titles, release, stores } = given
      assert.deepEqual(await asked(), { apple: false, google: true })
      await edit(given)
      await work(3)
      assert.deepEqual(await asked(), { apple: false, google: false })
      for (const type of ['apple', 'google'] as const) {
        const reported = await titles(type, 'pair.ended')
        assert.lengthOf(reported, 1)
        assert.match(reported[0], says)
        assert.isNull((await release(type)).pair.takenOff)
      }
      // Somebody publishes Android anyway.
      stores.google.publish()
      await work(3)
      assert.isFalse((await asked()).apple)
    })
  }

  test('a takeoff overrules earlier stops, not later ones', async ({ assert }) => {
    const { admin, pathOf, takeOff, work, asked, release } = await approvedPair()
    const stop = () => admin.put(`${pathOf('apple')}/rollout`, { action: 'pause' })
    await stop()
    await takeOff('apple')
    await work(3)
    assert.deepEqual(await asked(), { apple: false, google: true })
    assert.equal((await stop()).status, 200)
    await work(3)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.isNull((await release('apple')).pair.takenOff)
  })

  test('Android is published, and stopped before the App Store is called: iOS stays', async ({
    assert,
  }) => {
    const given = await publishing()
    const { admin, pathOf, stores, asked, work, titles } = given
    // More failures than attempts until then.
    stores.apple.failures.push(...Array(9).fill(refusal('unavailable', 'Down')))
    stores.google.become('rolledOutPartially')
    stores.google.rollout({ state: 'active', fraction: 0.1 })
    await work()
    assert.isBelow(stores.apple.failures.length, 9)
    await admin.put(`${pathOf('google')}/rollout`, { action: 'halt' })
    stores.apple.failures.length = 0
    await work(4)
    assert.isFalse((await asked()).apple)
    assert.lengthOf(await titles('apple', 'pair.ended'), 1)
    assert.lengthOf(await titles('apple', 'pair.apart'), 0)
  })

  test('Android is reviewed again after its takeoff: it is asked for again', async ({ assert }) => {
    const given = await publishing()
    const { admin, pathOf, stores, asked, work, waits, release } = given
    stores.google.become('rejected')
    await work(2)
    assert.equal((await admin.put(`${pathOf('google')}/submit`, {})).status, 200)
    await work(2)
    assert.isNotNull((await release('google')).pair.takenOff)
    assert.match((await waits('apple')).join(), /is not approved by its store yet/)
    stores.google.become('pendingRelease')
    await work(3)
    assert.deepEqual(await asked(), { apple: false, google: true })
    assert.match((await waits('apple')).join(), /press Publish changes/)
    stores.google.publish()
    await work(3)
    assert.isTrue((await asked()).apple)
  })

  const WAYS: [how: string, end: (given: PairWorld) => Promise<unknown>][] = [
    [
      'parted',
      async ({ admin, pathOf }) => assertDone(await admin.delete(`${pathOf('google')}/pair`)),
    ],
    [
      'stopped by the red button of Android',
      async ({ admin, pathOf }) => {
        assertDone(await admin.put(`${pathOf('google')}/redButton`))
        // The store is reconciled before the pair.
        await db.from('jobs').where({ kind: 'pair.settle' }).delete()
      },
    ],
  ]
  for (const [how, end] of WAYS) {
    test(`${how} before the App Store is called again: it is never called`, async ({ assert }) => {
      const given = await publishing()
      const { stores, asked, work, release, takeOff } = given
      stores.apple.failures.push(refusal('unavailable', 'Down'))
      stores.google.become('rolledOutPartially')
      stores.google.rollout({ state: 'active', fraction: 0.1 })
      await work()
      assert.isEmpty(stores.apple.failures)
      assert.equal((await release('apple')).storePlans[0].standing, 'underWay')
      await end(given)
      const early = await takeOff('apple')
      assert.deepEqual([early.status, early.body.code], [409, 'store_busy'])
      await work(3)
      assert.isFalse((await asked()).apple)
      assert.equal((await takeOff('apple')).status, 200)
      await work(2)
      assert.isTrue((await asked()).apple)
    })
  }

  test('parted: Android can still be published, iOS needs its own takeoff', async ({ assert }) => {
    const { admin, pathOf, stores, asked, work, takeOff } = await publishing()
    await admin.delete(`${pathOf('apple')}/pair`)
    await work(2)
    assert.deepEqual(await asked(), { apple: false, google: true })
    stores.google.publish()
    await work(3)
    assert.isFalse((await asked()).apple)
    await takeOff('apple')
    await work(2)
    assert.isTrue((await asked()).apple)
  })

  test('a skipped release no longer holds the other one, which goes out alone', async ({
    assert,
  }) => {
    const { admin, pathOf, asked, work, takeOff, waits } = await approvedPair()
    await admin.put(`${pathOf('google')}/skip`, { force: true })
    assert.deepEqual(await waits('apple'), [])
    await takeOff('apple')
    await work(2)
    assert.isTrue((await asked()).apple)
  })

  test('deleting a release parts the pair; changing its version does not', async ({ assert }) => {
    const { admin, pathOf, apps, idOf, join, release, work, titles, world } = await pairWorld()
    await join()
    await admin.post(`/app/${apps.google}/release`, { version: '1.5.0' })
    const draft = await admin.post(`/app/${apps.apple}/release`, { version: '1.5.0' })
    assert.equal(draft.status, 201)
    await admin.put(`${pathOf('apple', '1.5.0')}/pair`, {
      releaseId: idOf('google', '1.5.0'),
      managedPublishing: true,
    })
    await admin.put(pathOf('google', '1.5.0'), { version: '1.6.0' })
    const shown = async () =>
      (await admin.get(`/v2/app/${apps.apple}/releases/${idOf('apple', '1.5.0')}`)).body.pair
    assert.equal((await shown()).releaseId, idOf('google', '1.6.0'))
    assert.equal((await admin.delete(pathOf('google', '1.6.0'))).status, 204)
    await work()
    assert.isNull(await shown())
    const { body } = await admin.get(`${pathOf('apple', '1.5.0')}/timelineEvents?type=pair.parted`)
    assert.lengthOf(body.data, 1)
    // Removing an app parts the pairs of its releases.
    const gone = await admin.delete(`/app/${apps.google}/app/config?force=true`)
    assert.equal(gone.status, 204)
    await work()
    assert.isNull((await release('apple')).pair)
    assert.lengthOf(await titles('apple', 'pair.parted'), 1)
    assert.isNotEmpty(world.organizationId)
  })

  test('409 for a release that is not approved, and for one whose other release is stopped', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { admin, pathOf, join, submit, approve, takeOff, release } = given
    await join()
    assert.equal((await takeOff('apple')).body.code, 'not_approved')
    for (const type of ['apple', 'google'] as const) {
      await submit(type)
      await approve(type)
    }
    await admin.put(`${pathOf('google')}/rollout`, { action: 'halt' })
    const { status, body } = await takeOff('apple')
    assert.deepEqual([status, body.code], [409, 'rollout_stopped'])
    assert.isNull((await release('apple')).pair.takenOff)
    // Whoever releases the stopped one overrules the stop.
    assert.equal((await takeOff('google')).status, 200)
    await given.work(2)
    assert.deepEqual(await given.asked(), { apple: false, google: true })
  })

  test('409 for one of several destinations: both releases go out as a whole', async ({
    assert,
  }) => {
    const given = await pairWorld()
    const { admin, world, apps, stores, providers, pathOf, join, submit, approve, work } = given
    const appId = apps.google
    await world.write(async (scope) =>
      scope.create(Destination, {
        ...{ id: newId('dest'), appId, name: 'First', storeType: 'google', position: 0 },
        appStoreReleaseSettings: DEFAULT_APP_STORE_RELEASE_SETTINGS,
        createdAt: scope.now,
      })
    )
    const step = `{name: Second takeoff, archetype: takeoff, releaseTypes: {standard: {required: true}}}`
    const { body } = await sendYaml(
      admin,
      'POST',
      `/app/${appId}/destination/config`,
      `name: Second\nstepGroups: [{steps: [${step}]}]`
    )
    const destinationId: string = body.destinations[1].id
    const second = new StoreInMemory('google')
    stores.google.others.set('second', second)
    await world.write((scope) =>
      appendIntegrations(scope, { appId, destinationId }, [
        {
          ...{ key: 'two', type: 'google', kind: 'appStore', data: { bundleId: 'second' } },
          provider: providers.google,
        },
      ])
    )
    second.upload('4711')
    await join()
    await submit('google')
    second.become('pendingRelease')
    await approve('google')
    const { body: steps } = await admin.get(`${pathOf('google')}/steps`)
    const [one] = steps.filter(({ type }: { type: string }) => type === 'takeoff')
    const part = await admin.put(`${pathOf('google')}/stepRun/${one.stepRunId}/takeoff`)
    assert.deepEqual([part.status, part.body.code], [409, 'release_paired'])
    assert.equal((await given.takeOff('google')).status, 200)
    await submit('apple')
    await approve('apple')
    await work(2)
    const { storePlans } = await given.release('google')
    assert.deepEqual(
      storePlans.map(({ inConsole }: any) => inConsole?.do),
      ['publish', 'publish']
    )
    stores.google.publish()
    await work(3)
    assert.isFalse((await given.asked()).apple)
    second.publish()
    await work(3)
    assert.isTrue((await given.asked()).apple)
  })

  test('a store that refuses is called again only after another takeoff', async ({ assert }) => {
    const { stores, takeOff, work, asked, waits, release, titles } = await approvedPair()
    stores.google.upload('4700', '1.3.0')
    stores.google.become('pendingRelease', { version: '1.3.0', release: { method: 'manual' } })
    await takeOff('apple')
    await work(4)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.isNotNull((await release('google')).storePlans[0].question)
    assert.match((await waits('apple')).join(), /could not be released: .*publishes all approved/)
    const askedFor = await titles('google', 'store.asked')
    await work(3)
    assert.deepEqual(await titles('google', 'store.asked'), askedFor)
    stores.google.become('developerRejected', { version: '1.3.0' })
    await work(2)
    assert.deepEqual(await asked(), { apple: false, google: false })
    assert.equal((await takeOff('apple')).status, 200)
    await work(3)
    assert.deepEqual(await asked(), { apple: false, google: true })
    stores.google.publish()
    await work(3)
    assert.isTrue((await asked()).apple)
  })
})
