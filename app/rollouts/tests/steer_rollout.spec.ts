import app from '@adonisjs/core/services/app'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { refusal } from '#stores/tests/memory_store'
import { storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { asked, rollingOut } from './support.js'

const LADDER = [{ percentage: 100, hours: 0 }]

/**
 * Returns a phased release that the service paused for a quiet day, and a function that replaces
 * its policy by one without quiet days.
 */
async function quiet(): Promise<StoreWorld & { wake: () => Promise<void> }> {
  const given = await rollingOut('apple')
  const { admin, appId, work } = given
  const inThreeDays = new Date(Date.now() + 3 * 24 * 3_600_000).getUTCDay() || 7
  const policy = { ladder: LADDER, weekdays: [inThreeDays] }
  await admin.put(`/app/${appId}/rolloutPolicy`, { policy })
  for (let turn = 0; turn < 3; turn++) await work()
  return {
    ...given,
    wake: async () => {
      await admin.put(`/app/${appId}/rolloutPolicy`, { policy: { ladder: LADDER } })
      for (let turn = 0; turn < 3; turn++) await work()
    },
  }
}

const pauseAutomations = ({ admin, appId }: StoreWorld, paused: boolean) =>
  admin.put(`/app/${appId}/automations/pause`, { releaseId: `${appId}:1.4.0`, paused })

test.group('PUT …/release/{releaseId}/rollout', (group) => {
  group.each.teardown(tidy)

  test('200 sets, halts, resumes and completes a rollout in Google Play, with one request each', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, work, step, run, release } = given
    const steer = async (body: object) => {
      for (let each = 0; each < 2; each++) {
        const { status } = await admin.put(`${path}/rollout`, body)
        assert.equal(status, 200)
      }
      await work()
      return (await run('rollout')).data.phased
    }
    assert.containsSubset(await steer({ action: 'set', percentage: 25 }), {
      status: 'active',
      percentage: 25,
    })
    assert.containsSubset(await steer({ action: 'pause' }), { status: 'halted', percentage: 25 })
    assert.equal((await step('rollout')).status, 'blocked')
    assert.containsSubset(await steer({ action: 'halt' }), { status: 'halted' })
    assert.containsSubset(await steer({ action: 'resume' }), { status: 'active', percentage: 25 })
    await steer({ action: 'set', percentage: 100 })
    assert.deepEqual(asked(given), [
      'setRollout 0.25',
      'setRollout halt',
      'setRollout resume',
      'setRollout complete',
    ])
    assert.equal((await release()).status, 'completed')
  })

  test('200 pauses and resumes at Apple, and the events follow the store', async ({ assert }) => {
    const given = await rollingOut('apple')
    const { admin, path, work, reported, release } = given
    assert.equal((await admin.put(`${path}/rollout`, { action: 'halt' })).status, 200)
    assert.containsSubset((await release()).storePlans[0].rollout, {
      action: 'pause',
      status: 'underWay',
    })
    assert.deepEqual(await reported(), [])
    await work()
    assert.deepEqual(await reported(), ['appStoreVersion.phasedReleaseUpdated', 'rollout blocked'])
    assert.equal((await release()).storePlans[0].standing, 'agreed')
    await admin.put(`${path}/rollout`, { action: 'resume' })
    await work()
    assert.deepEqual(asked(given), ['setRollout pause', 'setRollout resume'])
  })

  for (const [how, stop] of [
    ['the red button', (path: string) => [`${path}/redButton`, {}] as const],
    ['a person', (path: string) => [`${path}/rollout`, { action: 'pause' }] as const],
  ] as const) {
    test(`keeps a rollout paused after a quiet day once ${how} has stopped it, too`, async ({
      assert,
    }) => {
      const given = await quiet()
      const { admin, path, wake } = given
      assert.deepEqual(asked(given), ['setRollout pause'])
      const [to, body] = stop(path)
      assert.equal((await admin.put(to, body)).status, 200)
      await pauseAutomations(given, false)
      await wake()
      assert.deepEqual(asked(given), ['setRollout pause'])
    })
  }

  test('resumes a rollout after a quiet day once automations are resumed', async ({ assert }) => {
    const given = await quiet()
    assert.equal((await pauseAutomations(given, true)).status, 200)
    await given.wake()
    assert.deepEqual(asked(given), ['setRollout pause'])
    await pauseAutomations(given, false)
    for (let turn = 0; turn < 3; turn++) await given.work()
    assert.deepEqual(asked(given), ['setRollout pause', 'setRollout resume'])
  })

  test('409 with a code, and nothing is requested from the store', async ({ assert }) => {
    const halted = async () => {
      const given = await rollingOut()
      given.store.become('halted')
      given.store.rollout({ state: 'halted' })
      await given.work()
      return given
    }
    const early = async () => {
      const given = await storeWorld()
      await given.work()
      return given
    }
    for (const [make, body, code] of [
      [() => rollingOut(), { action: 'set', percentage: 5 }, 'rollout_only_grows'],
      [() => rollingOut('apple'), { action: 'set', percentage: 50 }, 'rollout_by_store'],
      [early, { action: 'halt' }, 'rollout_not_running'],
      [halted, { action: 'set', percentage: 50 }, 'rollout_stopped'],
    ] as const) {
      const given = await make()
      const shown = await given.release()
      const { status, body: problem } = await given.admin.put(`${given.path}/rollout`, body)
      assert.deepEqual([status, problem.code], [409, code])
      assert.deepEqual(await given.release(), shown)
      assert.isEmpty(given.store.changes)
    }
    const world = await makeWorld()
    const appId = await makeApp(world)
    const { admin } = world
    await admin.post(`/app/${appId}/release`, { version: '1.0.0' })
    const bare = await admin.put(`/app/${appId}/release/${appId}:1.0.0/rollout`, {
      action: 'halt',
    })
    assert.deepEqual([bare.status, bare.body.code], [409, 'integration_missing'])
  })

  test('422 with the place of an invalid percentage or action', async ({ assert }) => {
    const { admin, path } = await rollingOut()
    for (const [body, pointer] of [
      [{ action: 'set', percentage: 0 }, '/percentage'],
      [{ action: 'set', percentage: 101 }, '/percentage'],
      [{ action: 'set', percentage: -1 }, '/percentage'],
      [{ action: 'set', percentage: '20' }, '/percentage'],
      [{ action: 'set' }, '/percentage'],
      [{ action: 'halt', percentage: 20 }, '/percentage'],
      [{ action: 'stop' }, '/action'],
      [{}, '/action'],
    ] as const) {
      const { status, body: problem } = await admin.put(`${path}/rollout`, body)
      assert.deepEqual([status, problem.errors?.[0].pointer], [422, pointer], JSON.stringify(body))
    }
  })

  test('403 without the right to act', async ({ assert }) => {
    const { world, path } = await rollingOut()
    const marketing = await world.keyed({ groups: ['Marketing'] })
    for (const what of ['rollout', 'redButton']) {
      const { status } = await marketing.put(`${path}/${what}`, { action: 'halt' })
      assert.equal(status, 403)
    }
  })

  test('halts again when a percentage arrives after a halt, and names nobody for it', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, store, work, run, release } = given
    store.breaks.add('before setRollout')
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    await work()
    // The outcome of the call is unknown; it reaches the store after the rollout was halted.
    await admin.put(`${path}/rollout`, { action: 'halt' })
    await (await app.container.make('jobs.worker')).turn()
    assert.deepEqual(asked(given), ['setRollout halt'])
    store.now = () => new Date(Date.now()).toISOString()
    store.rollout({ state: 'active', fraction: 0.5 })
    store.become('rolledOutPartially')
    for (let turn = 0; turn < 4; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout halt'])
    assert.equal((await run('rollout')).data.phased.status, 'halted')
    const { rollout } = (await release()).storePlans[0]
    assert.deepEqual([rollout.action, rollout.status], ['halt', 'done'])
  })

  test('works for a step run: 200; 404 for an unknown one, 409 for a step of another type', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, step, work } = given
    const { stepRunId } = await step('rollout')
    const { status, body } = await admin.put(`${path}/stepRun/${stepRunId}/rollout`, {
      action: 'halt',
    })
    assert.deepEqual([status, body.type], [200, 'rollout'])
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    const takeoff = await step('takeoff')
    const other = await admin.put(`${path}/stepRun/${takeoff.stepRunId}/rollout`, {
      action: 'halt',
    })
    assert.deepEqual([other.status, other.body.code], [409, 'step_type_mismatch'])
    const unknown = await admin.put(`${path}/stepRun/run_none/rollout`, { action: 'halt' })
    assert.equal(unknown.status, 404)
  })

  test('records a final refusal of the store, and does not repeat the request', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, store, work, release } = given
    store.failures.push(refusal('forbidden' as never, 'The account may not do that'))
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 20 })
    await work()
    await work()
    const { rollout } = (await release()).storePlans[0]
    assert.deepEqual([rollout.status, asked(given)], ['failed', []])
    assert.include(rollout.reason, 'may not do that')
  })
})
