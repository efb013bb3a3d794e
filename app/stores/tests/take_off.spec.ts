import { test } from '@japa/runner'
import { snapshot } from '#tests/support/snapshot'
import { readyWorld, storeWorld, tidy } from './support.js'

/**
 * Returns all stored rows except the times of provider answers, which are written asynchronously.
 */
async function kept(organizationId: string) {
  return { ...(await snapshot([organizationId])), integrations: null }
}

/** Returns release 1.4.0, approved by its store. */
async function approved(type: 'apple' | 'google' = 'apple') {
  const given = await readyWorld(type)
  const { admin, path, store, work, reported } = given
  await admin.put(`${path}/submit`, {})
  await work()
  store.become('pendingRelease')
  await work()
  await reported()
  return given
}

test.group('PUT …/takeoff', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    test(`200 releases what ${type} approved once, however often it is requested`, async ({
      assert,
    }) => {
      const given = await approved(type)
      const { admin, path, store, work, reported, release, world } = given
      const response = await admin.put(`${path}/takeoff`)
      assert.deepEqual([response.status, response.body.releasedAt], [200, null])
      assert.containsSubset((await release()).storePlans[0].wanted, {
        what: 'released',
        status: 'underWay',
      })
      const before = await kept(world.organizationId)
      assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
      assert.deepEqual(await kept(world.organizationId), before)
      await work()
      if (type === 'google') {
        const [plan] = (await release()).storePlans
        const url = 'https://play.google.com/console'
        assert.deepEqual(plan.inConsole, { do: 'publish', url })
        assert.deepEqual([plan.wanted.status, plan.standing], ['underWay', 'underWay'])
        const { next } = (await admin.get(`${path}/whyNotMoving`)).body
        assert.match(JSON.stringify(next), /press Publish changes/)
        store.publish()
        await work()
      }
      const calls = store.changes.filter((each) => each === 'release')
      assert.lengthOf(calls, type === 'apple' ? 1 : 0)
      assert.isNull((await release()).storePlans[0].inConsole)
      // Releases on Google Play cause no such event.
      const released = (await reported()).filter((each) => each === 'release.released')
      assert.lengthOf(released, type === 'apple' ? 1 : 0)
      assert.isNotNull((await release()).releasedAt)
    })
  }

  test('a version that the store distributes waits for no person', async ({ assert }) => {
    const { admin, path, store, work, statuses } = await approved()
    const why = async () => (await admin.get(`${path}/whyNotMoving`)).body
    await admin.put(`${path}/takeoff`)
    const pending = (await why()).next.map(({ message }: { message: string }) => message)
    assert.match(pending.join('\n'), /1\.4\.0 is being released to users, as admin decided/)
    store.breaks.add('before release')
    await work()
    store.become('processing')
    await work()
    assert.equal((await statuses()).takeoff, 'inProgress')
    const { steps } = await why()
    const takeoff = steps.find(({ type }: { type: string }) => type === 'takeoff')
    const people = takeoff.unmet.flatMap(({ who }: { who: { type: string }[] }) =>
      who.filter(({ type }) => type !== 'store')
    )
    assert.isEmpty(people)
  })

  test('for a step run: 200, 409 for a step of another type, 404 for none', async ({ assert }) => {
    const { admin, path, step, store, work } = await approved()
    const { stepRunId } = await step('takeoff')
    const { status, body } = await admin.put(`${path}/stepRun/${stepRunId}/takeoff`)
    assert.deepEqual([status, body.type], [200, 'takeoff'])
    await work()
    assert.include(store.changes, 'release')
    const other = await step('submission')
    const wrong = await admin.put(`${path}/stepRun/${other.stepRunId}/takeoff`)
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'step_type_mismatch'])
    assert.equal((await admin.put(`${path}/stepRun/run_no/takeoff`)).status, 404)
  })

  test('409 before the approval, during the submission and after the release ended; 403 and 404', async ({
    assert,
  }) => {
    const bare = await storeWorld()
    const refused = async (given: typeof bare) => {
      const before = await kept(given.world.organizationId)
      const { status, body } = await given.admin.put(`${given.path}/takeoff`)
      assert.deepEqual(await kept(given.world.organizationId), before)
      return [status, body.code]
    }
    assert.deepEqual(await refused(bare), [409, 'not_approved'])
    const ready = await readyWorld()
    await ready.admin.put(`${ready.path}/submit`, {})
    assert.deepEqual(await refused(ready), [409, 'store_busy'])
    await ready.admin.put(`${ready.path}/skip`, {})
    assert.deepEqual(await refused(ready), [409, 'release_skipped'])
    const { world, path, appId, admin } = bare
    const marketing = await world.keyed({ groups: ['Marketing'] })
    assert.equal((await marketing.put(`${path}/takeoff`)).status, 403)
    assert.equal((await admin.put(`/app/${appId}/release/${appId}:9.9.9/takeoff`)).status, 404)
  })
})
