import { test } from '@japa/runner'
import { broken, refusal } from '#stores/tests/memory_store'
import { passMinutes, readyWorld, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { makeWorld } from '#tests/support/world'
import { guarded, LADDER } from './guarded.js'
import { ago, began, rollingOut } from './support.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** Returns the answer about the only store of a release. */
async function inStore({ admin, path }: StoreWorld) {
  const { status, body } = await admin.get(`${path}/rollout`)
  if (status !== 200 || body.stores.length !== 1) throw new Error(JSON.stringify(body))
  return body.stores[0]
}

const titles = async ({ admin, path }: StoreWorld) =>
  (await admin.get(`${path}/rollout`)).body.history.map(({ title }: { title: string }) => title)

test.group('GET …/rollout', (group) => {
  group.each.teardown(tidy)

  test('200 with empty members before the version is in a store', async ({ assert }) => {
    const given = await storeWorld('google')
    const { admin, path, appId } = given
    const { body } = await admin.get(`${path}/rollout`)
    assert.deepEqual([body.releaseId, body.version], [`${appId}:1.4.0`, '1.4.0'])
    assert.deepEqual(body.history, [])
    const [store] = body.stores
    assert.containsSubset(store, { storeType: 'google', destinationId: null })
    assert.equal(store.phased.status, 'notStarted')
    const none = { stage: null, rollout: null, share: null, isStopped: false }
    assert.deepEqual(store.decided, { generation: store.decided.generation, ...none })
    assert.deepEqual([store.asked, store.observed, store.stopped, store.next], [[], null, null, []])
  })

  test('200 without stores for an app without a store', async ({ assert }) => {
    const world = await makeWorld()
    const raw = 'name: Web\nplatform: flutter-ota\n'
    const headers = { 'content-type': 'application/yaml' }
    const { id } = (await world.admin.post('/app/config', undefined, { raw, headers })).body
    await world.admin.post(`/app/${id}/release`, { version: '1.0.0' })
    const { status, body } = await world.admin.get(`/app/${id}/release/${id}:1.0.0/rollout`)
    assert.deepEqual([status, body.stores], [200, []])
  })

  test('200 with the decision, call and observation of a takeoff', async ({ assert }) => {
    const given = await readyWorld('apple')
    const { admin, path, store, work } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('pendingRelease')
    await work()
    await admin.put(`${path}/takeoff`)
    const requested = await inStore(given)
    assert.containsSubset(requested.decided, {
      stage: { what: 'released', status: 'underWay', reason: null },
      isStopped: false,
    })
    assert.equal(requested.decided.stage.generation, requested.decided.generation)
    assert.containsSubset(requested.next, [{ what: 'storeCall', percentage: null }])
    await work()
    const done = await inStore(given)
    assert.equal(done.decided.stage.status, 'done')
    const [last] = done.asked
    assert.containsSubset(last, {
      method: 'release',
      what: 'Release 1.4.0 to users',
      generation: done.decided.stage.generation,
      attempt: 1,
      outcome: 'applied',
      reason: null,
      retryAt: null,
      mayArriveUntil: null,
    })
    assert.isAtMost(Date.parse(last.beganAt), Date.parse(last.endedAt))
    assert.containsSubset(done.observed, { state: 'live', isCurrent: true, lagSeconds: 0 })
    assert.isString(done.polled.at)
    assert.isNull(done.polled.failure)
  })

  test('200 with a stop from its decision to its proof, and who pressed the button and why', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, path, store, work } = given
    store.failures.push(refusal('unavailable', 'The store is away'))
    const { body: pressed } = await admin.put(`${path}/redButton`, { reason: 'It crashes' })
    assert.equal(pressed.status, 'active')
    const decided = await inStore(given)
    assert.containsSubset(decided.decided, {
      isStopped: true,
      share: 10,
      rollout: { action: 'halt', status: 'underWay', isUrgent: true },
    })
    assert.equal(decided.phased.status, 'active')
    assert.containsSubset(decided.stopped, { reason: 'It crashes', how: 'redButton' })
    assert.equal(decided.stopped.by.type, 'apiKey')
    assert.isString(decided.stopped.triageIssueId)
    assert.containsSubset(decided.next, [{ what: 'rolloutStop' }])
    await work()
    const refused = await inStore(given)
    assert.containsSubset(refused.asked[0], {
      method: 'setRollout',
      what: 'Halt the rollout of 1.4.0',
      outcome: 'refused',
      isUrgent: true,
    })
    assert.include(refused.asked[0].reason, 'The store is away')
    assert.isString(refused.asked[0].retryAt)
    await work()
    const stopped = await inStore(given)
    assert.containsSubset(stopped.asked[0], { outcome: 'applied', attempt: 2 })
    assert.equal(stopped.asked[0].generation, stopped.decided.rollout.generation)
    assert.equal(stopped.decided.rollout.status, 'done')
    assert.containsSubset(stopped.observed, { state: 'halted', raw: 'halted', isCurrent: true })
    assert.equal(stopped.observed.rollout.percentage, 10)
    assert.deepEqual(stopped.next, [
      {
        at: null,
        what: 'rolloutResumed',
        percentage: null,
        message: 'It stays halted at 10 % until a person resumes it.',
      },
    ])
    const reported = await titles(given)
    assert.includeMembers(reported, [
      'The rollout of 1.4.0 is halted at 10 %, as admin decided',
      'The rollout of 1.4.0 is being halted',
      'The red button of 1.4.0 was pressed: It crashes',
    ])
    // Newest first.
    assert.isBelow(
      reported.indexOf('The rollout of 1.4.0 is halted at 10 %, as admin decided'),
      reported.indexOf('The rollout of 1.4.0 is being halted')
    )
  })

  test('200 with a call whose answer was lost, which may still take effect', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, path, store, work } = given
    store.lagSeconds = 600
    await work()
    store.failures.push(broken())
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    for (let turn = 0; turn < 3; turn++) {
      await work()
      if ((await inStore(given)).asked[0]?.outcome === 'unknown') break
    }
    const { asked: requested, observed, decided } = await inStore(given)
    assert.containsSubset(requested[0], { method: 'setRollout', outcome: 'unknown' })
    assert.equal(requested[0].what, 'Set the rollout of 1.4.0 to 50 %')
    assert.isAbove(Date.parse(requested[0].mayArriveUntil), Date.parse(requested[0].deadline))
    assert.isFalse(observed.isCurrent)
    assert.equal(decided.share, 50)
    assert.equal(observed.rollout.percentage, 10)
  })

  test('200 with the next rung of a policy, its date, and what it waits for', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, appId, work } = given
    const byPeople = await inStore(given)
    assert.deepEqual(byPeople.next, [
      {
        at: null,
        what: 'rolloutStage',
        percentage: null,
        message: 'It stays at 10 % until somebody changes it.',
      },
    ])
    assert.isFalse(byPeople.phased.automated)
    await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
    await began(appId, 4)
    await work()
    const [next, ...others] = (await inStore(given)).next
    assert.isEmpty(others)
    assert.containsSubset(next, { what: 'rolloutStage', percentage: 50 })
    assert.closeTo((Date.parse(next.at) - Date.now()) / HOUR, 20, 1)
    await admin.put(`/app/${appId}/automations/pause`, { paused: true })
    await began(appId, 30)
    passMinutes(120)
    for (let turn = 0; turn < 2; turn++) await work()
    const [held] = (await inStore(given)).next
    assert.equal(held.what, 'rolloutHeld')
    assert.include(held.message, 'automations are paused')
  })

  test('200 with the findings of a guard, and how it holds or stops the rollout', async ({
    assert,
  }) => {
    const given = await guarded('google')
    const { turns, crash, monitor, appId } = given
    monitor.versions.set('1.4.0', { sessions: 100, crashed: 0 })
    await began(appId, 30)
    await turns(3)
    const held = await inStore(given)
    assert.include(held.next[0].message, 'not enough data')
    assert.containsSubset(held.health, [{ metric: 'crashFreeSessions', verdict: 'notEnoughData' }])
    crash()
    await turns(6)
    const stopped = await inStore(given)
    assert.equal(stopped.stopped.how, 'guard')
    assert.match(stopped.stopped.reason, /^crashFreeSessions: unhealthy, 99\.30 %/)
    assert.isString(stopped.stopped.triageIssueId)
    assert.equal(stopped.decided.rollout.by.name, 'rollout policy')
    assert.match((await titles(given)).join('\n'), /is being stopped at 10 %: crashFreeSessions/)
  })

  test('200 with the coming days of a phased release, until it is paused', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { admin, path, store, work } = given
    const startedAt = ago(30)
    store.rollout({ state: 'active', day: 2, startedAt })
    await work()
    const { next, observed, phased } = await inStore(given)
    assert.deepEqual(
      next.map(({ what, percentage }: any) => [what, percentage]),
      [5, 10, 20, 50, 100].map((share) => ['rolloutStage', share])
    )
    assert.equal(Date.parse(next[0].at), Date.parse(startedAt) + 2 * DAY)
    assert.equal(Date.parse(next[4].at), Date.parse(startedAt) + 6 * DAY)
    assert.deepEqual([observed.rollout.day, phased.day], [2, 2])
    // `whyNotMoving` lists only the next day, with the same text.
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const dated = why.next.filter(({ what }: { what: string }) => what === 'rolloutStage')
    assert.deepEqual(
      dated.map(({ at, message }: any) => [at, message]),
      [[next[0].at, next[0].message]]
    )
    await admin.put(`${path}/rollout`, { action: 'pause' })
    for (let turn = 0; turn < 2; turn++) await work()
    const paused = await inStore(given)
    assert.match(paused.next[0].message, /^It stays paused at 2 % until a person resumes it/)
    assert.lengthOf(paused.next, 1)
    assert.equal(paused.stopped.how, 'person')
  })

  test('200 with a change in the console as a decision from outside', async ({ assert }) => {
    const given = await rollingOut('google')
    const { store, work } = given
    store.rollout({ state: 'active', fraction: 0.3 })
    await work()
    const { decided, observed, asked: requested } = await inStore(given)
    assert.containsSubset(decided.rollout, { action: 'set', percentage: 30, status: 'done' })
    assert.equal(decided.rollout.by.name, 'outside of Tarmac')
    assert.equal(observed.rollout.percentage, 30)
    assert.deepEqual(requested, [])
  })

  test('200 with the failures of reads', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, path, store, work } = given
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    // All reads break off.
    store.breaks.delete = (seam) => seam === 'before listVersions'
    await work()
    const { polled, next } = await inStore(given)
    assert.isString(polled.failure?.reason)
    assert.isAtLeast(polled.failure.times, 1)
    assert.isNotEmpty(next)
  })

  test('200 with the next move of an ended release', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, path, work } = given
    await admin.put(`${path}/skip`, { force: true })
    await work()
    const { body } = await admin.get(`${path}/rollout`)
    assert.equal(body.status, 'skipped')
    assert.equal(body.stores[0].next[0].message, 'It stays at 10 % until somebody changes it.')
  })

  test('200 with the stores of a step run; 409 for another step, 404 for an unknown run', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, path, step } = given
    const whole = await admin.get(`${path}/rollout`)
    const { stepRunId } = await step('rollout')
    const { status, body } = await admin.get(`${path}/stepRun/${stepRunId}/rollout`)
    assert.deepEqual([status, body], [200, whole.body])
    const other = await step('submission')
    const wrong = await admin.get(`${path}/stepRun/${other.stepRunId}/rollout`)
    assert.deepEqual([wrong.status, wrong.body.code], [409, 'step_type_mismatch'])
    assert.equal((await admin.get(`${path}/stepRun/run_none/rollout`)).status, 404)
  })

  test('404 for an unknown release, and for one of another organization', async ({ assert }) => {
    const given = await rollingOut('google')
    const { admin, appId, path, step } = given
    const { stepRunId } = await step('rollout')
    const stranger = (await makeWorld()).admin
    for (const requested of [`${path}/rollout`, `${path}/stepRun/${stepRunId}/rollout`]) {
      const [theirs, none] = [
        await stranger.get(requested),
        await admin.get(requested.replace('1.4.0', '9.9.9')),
      ]
      assert.deepEqual([theirs.status, none.status], [404, 404])
      assert.deepEqual(Object.keys(theirs.body).sort(), Object.keys(none.body).sort())
      assert.equal(theirs.body.detail, none.body.detail)
    }
    assert.equal((await admin.get(`/app/${appId}-none/release/${appId}:1.4.0/rollout`)).status, 404)
  })
})
