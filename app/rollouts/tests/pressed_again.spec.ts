import { test } from '@japa/runner'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { rollingOut } from './support.js'

/*
 * A press of the red button has effect until something lets the release go on. A stop names the
 * press only while it has effect.
 */

/** Returns a world with release 1.4.0, approved by Google Play, to begin with 20 %. */
async function approved(): Promise<StoreWorld> {
  const given = await readyWorld('google')
  const { admin, path, store, work } = given
  await admin.put(`${path}/submit`, {})
  await work()
  await work()
  store.become('pendingRelease')
  store.rollout({ state: 'inactive', fraction: 0.2 })
  await work()
  return given
}

const press = ({ admin, path }: StoreWorld, reason: string) =>
  admin.put(`${path}/redButton`, { reason })

async function reportedOf({ admin, path }: StoreWorld) {
  const { body } = await admin.get(`${path}/whyNotMoving`)
  const warnings: { code: string; message: string }[] = body.warnings
  const { body: shown } = await admin.get(`${path}/rollout`)
  const { body: timeline } = await admin.get(`${path}/timelineEvents?type=redButton.pressed`)
  return {
    pressed: warnings.filter(({ code }) => code === 'red_button').map(({ message }) => message),
    stopped: shown.stores[0].stopped,
    entries: timeline.data.map(({ title }: { title: string }) => title),
  }
}

test.group('A press of the red button', (group) => {
  group.each.teardown(tidy)

  test('says who pressed it and why, and that a takeoff lets an unreleased version go on', async ({
    assert,
  }) => {
    const given = await approved()
    await press(given, 'Not this one')
    const { pressed } = await reportedOf(given)
    assert.lengthOf(pressed, 1)
    assert.match(
      pressed[0],
      /^admin pressed the red button at 20\S+Z: Not this one\. .*release it to continue/
    )
    assert.notMatch(pressed[0], /resuming/)
  })

  test('ends with the takeoff; the next press has its own reason, issue and entry', async ({
    assert,
  }) => {
    const given = await approved()
    const { admin, appId, path, work } = given
    await press(given, 'Not this one')
    await work()
    assert.equal((await admin.put(`${path}/takeoff`)).status, 200)
    await work()
    given.store.publish()
    for (let turn = 0; turn < 3; turn++) await work()
    assert.equal((await given.run('rollout')).data.phased.status, 'active')
    assert.isEmpty((await reportedOf(given)).pressed)
    await press(given, 'A new crash')
    for (let turn = 0; turn < 3; turn++) await work()
    const { pressed, stopped, entries } = await reportedOf(given)
    assert.lengthOf(pressed, 1)
    assert.match(pressed[0], /: A new crash\. Resume its rollout/)
    assert.containSubset(stopped, { how: 'redButton', reason: 'A new crash' })
    assert.deepEqual(entries.toReversed(), [
      'The red button of 1.4.0 was pressed: Not this one',
      'The red button of 1.4.0 was pressed: A new crash',
    ])
    assert.lengthOf((await admin.get(`/app/${appId}/triageIssue`)).body.data, 2)
  })

  test('ends when the rollout goes on in the console; a later stop does not name it', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, path, store, work } = given
    await press(given, 'It crashes')
    for (let turn = 0; turn < 3; turn++) await work()
    assert.equal((await reportedOf(given)).stopped.how, 'redButton')
    store.become('rolledOutPartially')
    store.rollout({ state: 'active', fraction: 0.1 })
    for (let turn = 0; turn < 3; turn++) await work()
    assert.isEmpty((await reportedOf(given)).pressed)
    await admin.put(`${path}/rollout`, { action: 'pause' })
    for (let turn = 0; turn < 3; turn++) await work()
    const paused = await reportedOf(given)
    assert.isEmpty(paused.pressed)
    assert.containSubset(paused.stopped, { how: 'person', reason: null })
    await press(given, 'Once more')
    assert.lengthOf((await reportedOf(given)).entries, 2)
  })

  test('is not named for the later pause by somebody else', async ({ assert }) => {
    const given = await rollingOut('google')
    const { world, path, work } = given
    await press(given, 'It crashes')
    for (let turn = 0; turn < 3; turn++) await work()
    const other = await world.keyed({ admin: true, name: 'Grace' })
    await other.put(`${path}/rollout`, { action: 'pause' })
    for (let turn = 0; turn < 3; turn++) await work()
    const { stopped, pressed } = await reportedOf(given)
    assert.containSubset(stopped, { how: 'person', by: { name: 'Grace' } })
    assert.lengthOf(pressed, 1)
  })

  for (const type of ['apple', 'google'] as const) {
    test(`is not mentioned any more once another version has replaced the release, ${type}`, async ({
      assert,
    }) => {
      const given = await rollingOut(type)
      const { admin, appId, path, store, work } = given
      await press(given, 'It crashes')
      for (let turn = 0; turn < 3; turn++) await work()
      assert.lengthOf((await reportedOf(given)).pressed, 1)
      await admin.post(`/app/${appId}/release`, { version: '1.4.1', releaseType: 'hotfix' })
      await admin.put(`/app/${appId}/release/${appId}:1.4.1/kickoff`)
      store.become('live', { version: '1.4.1', buildNumbers: ['4712'] })
      if (type === 'apple') store.become('replaced')
      for (let turn = 0; turn < 3; turn++) await work()
      const { phased } = (await given.run('rollout')).data
      assert.equal(phased.status, 'replaced')
      assert.isEmpty((await reportedOf(given)).pressed)
      const again = await admin.put(`${path}/rollout`, { action: 'resume' })
      assert.equal(again.status, 409)
    })
  }
})
