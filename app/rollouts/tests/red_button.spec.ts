import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { runCommand } from '#tests/support/console'
import { ReleaseRedButton } from '../commands/release_red_button.js'
import { asked, rollingOut } from './support.js'

const URGENT = { kind: 'store.stop', state: 'planned' }

/** Release 1.4.0 that its store approved, for a phased release, and is asked to release. */
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
    test(`200 all is stopped at ${type}, once, however often it is pressed`, async ({ assert }) => {
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

  test('it waits behind nothing that the store is asked for', async ({ assert }) => {
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

  test('it is tried until the store confirms it, says so, and no failure ends it', async ({
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

  test('a person stops it by letting the rollout go on; the next press is another', async ({
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

  test('before anything is rolled out it pauses the automations; of what is over it is 409', async ({
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

  test('a takeoff that is tried again comes to nothing', async ({ assert }) => {
    const given = await takingOff()
    const { admin, path, store, work, release } = given
    store.failures.push(refusal('unavailable', 'Down'))
    await work()
    assert.equal((await admin.put(`${path}/redButton`)).status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.notInclude(store.changes, 'release')
    assert.containsSubset((await release()).storePlans[0].wanted, {
      what: 'released',
      is: 'failed',
      reason: 'Stopped by the red button',
    })
  })

  test('what a takeoff began that was on its way is stopped, and goes on by a person', async ({
    assert,
  }) => {
    const given = await takingOff()
    const { admin, path, store, work, run } = given
    store.breaks.add('before release')
    await work()
    await admin.put(`${path}/redButton`)
    // It reaches the store after all.
    store.become('live')
    store.rollout({ state: 'active', day: 1 })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause'])
    assert.equal((await run('rollout')).data.phased.status, 'paused')
    await admin.put(`${path}/rollout`, { action: 'resume' })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.deepEqual(asked(given), ['setRollout pause', 'setRollout resume'])
  })

  test('who takes off after it lets the release go on', async ({ assert }) => {
    const given = await takingOff()
    const { admin, path, store, work } = given
    await admin.put(`${path}/redButton`)
    await work()
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    for (let turn = 0; turn < 3; turn++) await work()
    assert.include(store.changes, 'release')
    assert.isEmpty(asked(given))
  })

  test('it asks for no If-Match, and for no room among requests', async ({ assert }) => {
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

  test('the console does the same', async ({ assert }) => {
    const given = await rollingOut()
    const { work, appId } = given
    const ran = await runCommand(ReleaseRedButton, [`${appId}:1.4.0`, '--reason', 'Stop'])
    assert.equal(ran.code, 0)
    await work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    const none = await runCommand(ReleaseRedButton, [`${appId}:9.9.9`])
    assert.notEqual(none.code, 0)
  })
})
