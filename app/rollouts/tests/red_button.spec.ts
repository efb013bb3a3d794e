import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { runCommand } from '#tests/support/console'
import { ReleaseRedButton } from '../commands/release_red_button.js'
import { asked, rollingOut } from './support.js'

const URGENT = { kind: 'store.stop', state: 'planned' }

/**
 * Returns a world with release 1.4.0, approved by the App Store for a phased release, and requested
 * to take off.
 */
async function takingOff(): Promise<StoreWorld> {
  const given = await readyWorld('apple')
  const { admin, path, store, work } = given
  await admin.put(`${path}/submit`, {})
  await work()
  store.become('pendingRelease')
  store.rollout({ state: 'inactive' })
  await work()
  await admin.put(`${path}/takeoff`)
  return given
}

test.group('PUT …/release/{releaseId}/redButton', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    test(`200 stops the rollout once at ${type}, however often it is pressed`, async ({
      assert,
    }) => {
      const given = await rollingOut(type)
      const { admin, path, appId, work, step, release } = given
      for (let press = 0; press < 3; press++) {
        const { status, body } = await admin.put(`${path}/redButton`, { reason: 'It crashes' })
        assert.deepEqual([status, body.automationsPaused], [200, true])
      }
      await work()
      await admin.put(`${path}/redButton`)
      await work()
      assert.deepEqual(asked(given), [`setRollout ${type === 'apple' ? 'pause' : 'halt'}`])
      assert.equal((await step('rollout')).status, 'blocked')
      assert.equal((await release()).storePlans[0].standing, 'agreed')
      const { body: issues } = await admin.get(`/app/${appId}/triageIssue`)
      assert.lengthOf(issues.data, 1)
      assert.containsSubset(issues.data[0], {
        severity: 'critical',
        description: 'It crashes',
        releaseId: `${appId}:1.4.0`,
        affectedVersions: ['1.4.0'],
      })
      const { body: timeline } = await admin.get(`${path}/timelineEvents?type=redButton.pressed`)
      assert.lengthOf(timeline.data, 1)
    })
  }

  test('does not wait behind other requests to the store', async ({ assert }) => {
    const given = await rollingOut()
    const { admin, path, store, work, run } = given
    // The first request hangs in its lane, and would block the others.
    store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`${path}/rollout`, { action: 'set', percentage: 50 })
    await work()
    await admin.put(`${path}/redButton`)
    const rows = await db.from('jobs').where(URGENT).whereNull('entity_key')
    assert.lengthOf(rows, 1)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.containsSubset((await run('rollout')).data.phased, { status: 'halted', percentage: 10 })
  })

  test('is tried until the store confirms it, whatever fails, and reports that', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, store, work, run, release } = given
    for (let each = 0; each < 12; each++) {
      store.failures.push(refusal('unavailable', `No. ${each}`))
    }
    await admin.put(`${path}/redButton`)
    for (let turn = 0; turn < 11; turn++) await work()
    const { body: why } = await admin.get(`${path}/whyNotMoving`)
    const next = why.next.find(({ what }: { what: string }) => what === 'rolloutStop')
    assert.match(next.message, /is being halted.*No\. 1\d/)
    assert.equal((await release()).storePlans[0].standing, 'underWay')
    assert.isEmpty(asked(given))
    await work()
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.equal((await run('rollout')).data.phased.status, 'halted')
    const { body: after } = await admin.get(`${path}/whyNotMoving`)
    assert.notInclude(JSON.stringify(after.next), 'rolloutStop')
  })

  test('ends when a person resumes the rollout; the next press has its own issue', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { admin, path, appId, store, work, run } = given
    store.failures.push(refusal('unavailable', 'Down'))
    await admin.put(`${path}/redButton`)
    await work()
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.equal((await run('rollout')).data.phased.status, 'active')
    assert.isEmpty(asked(given))
    await admin.put(`${path}/redButton`)
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    assert.lengthOf((await admin.get(`/app/${appId}/triageIssue`)).body.data, 2)
  })

  test('pauses the automations before anything is rolled out; 409 for a release that has ended', async ({
    assert,
  }) => {
    const { admin, path, work, appId } = await storeWorld()
    await work()
    const { status, body } = await admin.put(`${path}/redButton`)
    assert.deepEqual([status, body.automationsPaused], [200, true])
    await admin.put(`${path}/complete`)
    const over = await admin.put(`${path}/redButton`)
    assert.deepEqual([over.status, over.body.code], [409, 'release_completed'])
    assert.equal((await admin.put(`/app/${appId}/release/${appId}:9.9.9/redButton`)).status, 404)
  })

  test('cancels a takeoff that is being retried', async ({ assert }) => {
    const given = await takingOff()
    const { admin, path, store, work, release } = given
    store.failures.push(refusal('unavailable', 'Down'))
    await work()
    assert.equal((await admin.put(`${path}/redButton`)).status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.notInclude(store.changes, 'release')
    assert.containsSubset((await release()).storePlans[0].wanted, {
      what: 'released',
      status: 'failed',
      reason: 'Stopped by the red button',
    })
  })

  test('stops a rollout begun by a takeoff that was on its way, until a person resumes it', async ({
    assert,
  }) => {
    const given = await takingOff()
    const { admin, path, store, work, run } = given
    store.breaks.add('before release')
    await work()
    await admin.put(`${path}/redButton`)
    // The call reaches the store after all.
    store.become('live')
    store.rollout({ state: 'active', day: 1 })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause'])
    assert.equal((await run('rollout')).data.phased.status, 'paused')
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause', 'setRollout resume'])
  })

  test('is ended by a takeoff after it', async ({ assert }) => {
    const given = await takingOff()
    const { admin, path, store, work } = given
    await admin.put(`${path}/redButton`)
    await work()
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.include(store.changes, 'release')
    assert.isEmpty(asked(given))
  })

  test('requires no If-Match, and is not limited by other requests', async ({ assert }) => {
    const given = await rollingOut()
    const { world, path, work } = given
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ require_if_match: true })
    const strict = await world.keyed({ admin: true })
    const other = await strict.put(`${path}/rollout`, { action: 'halt' })
    assert.deepEqual([other.status, other.body.code], [428, 'precondition_required'])
    assert.equal((await strict.put(`${path}/redButton`)).status, 200)
    const [entry] = await db.from('jobs').where(URGENT)
    assert.equal(entry.nature, 'urgent')
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
  })

  test('works in the console as well', async ({ assert }) => {
    const given = await rollingOut()
    const { work, appId } = given
    const run = await runCommand(ReleaseRedButton, [`${appId}:1.4.0`, '--reason', 'Stop'])
    assert.equal(run.code, 0)
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    const unknown = await runCommand(ReleaseRedButton, [`${appId}:9.9.9`])
    assert.notEqual(unknown.code, 0)
  })
})
