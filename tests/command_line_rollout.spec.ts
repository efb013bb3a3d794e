import { test } from '@japa/runner'
import { CreateKey } from '#organizations/actions/create_key'
import { asked, rollingOut } from '#rollouts/tests/support'
import { refusal } from '#stores/tests/memory_store'
import { rollingPair } from '#stores/tests/pairs/support'
import { readyWorld, storeWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { makeApp } from './support/app_fixture.js'
import { CommandLine } from './support/command_line.js'
import { makeWorld } from './support/world.js'

/*
 * What the command line asks of stores: to review a release, and to stop it or let it go on.
 */

const HOUR = 3_600_000

let line: CommandLine

/** Returns functions that run the command line on release 1.4.0 of a world. */
async function commandsOf({ world, appId }: Pick<StoreWorld, 'world' | 'appId'>) {
  const env = { TARMAC_API_KEY: world.adminKey }
  const { key } = await world.write((scope) => new CreateKey(scope).handle({ name: 'reader' }))
  const release = `${appId}:1.4.0`
  return {
    release,
    run: (...args: string[]) => line.run(args, env),
    json: async (...args: string[]) =>
      JSON.parse((await line.run([...args, '--json'], env)).stdout),
    /** Runs it with a key that can only read. */
    read: (...args: string[]) => line.run(args, { TARMAC_API_KEY: key }),
  }
}

test.group('The command line and stores', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })
  group.each.teardown(tidy)

  test('pauses and resumes a rollout, and shows how it stands in the store', async ({ assert }) => {
    const given = await rollingOut()
    const { release, run, json } = await commandsOf(given)
    const status = async () => (await run('rollout', 'status', release)).stdout
    assert.match(await status(), /^STORE +ROLLOUT +USERS\nGoogle Play +rolling out +10 %\n$/)

    given.store.failures.push(refusal('unavailable', 'Down'))
    const paused = await run('rollout', 'pause', release, '--reason', 'It crashes')
    assert.equal(paused.code, 0)
    assert.match(
      paused.stdout,
      new RegExp(
        `^Asked the stores of ${release} to pause its rollout. "tarmac rollout status ${release}" `
      )
    )
    // Google Play pauses by a halt.
    assert.match(await status(), /Google Play +rolling out +10 % +asked to halt\n$/)
    await given.work()
    assert.match(await status(), /Google Play +rolling out +10 % +asked to halt: .*Down/)
    await given.work()
    assert.match(await status(), /Google Play +halted +10 % +stopped by admin: It crashes\n$/)
    const [store] = (await json('rollout', 'status', release)).stores
    assert.containsSubset(store, { phased: { status: 'halted' }, stopped: { how: 'person' } })

    assert.equal((await json('rollout', 'resume', release)).id, release)
    assert.match(await status(), /Google Play +halted +10 % +asked to resume\n$/)
    await given.work()
    assert.match(await status(), /Google Play +rolling out +10 %\n$/)
    assert.deepEqual(asked(given), ['setRollout halt', 'setRollout resume'])
  })

  test('presses the red button at once, with a reason', async ({ assert }) => {
    const given = await rollingOut()
    const { release, run, json } = await commandsOf(given)
    const pressed = await run('red-button', release, '--reason', 'It crashes')
    assert.deepEqual([pressed.code, pressed.stderr], [0, ''])
    assert.match(
      pressed.stdout,
      new RegExp(`^${release} is being stopped: its automations are paused, and `)
    )
    assert.isTrue((await json('red-button', release)).automationsPaused)
    await given.work()
    assert.deepEqual(asked(given), ['setRollout halt'])
    const { stdout } = await run('rollout', 'status', release)
    assert.match(stdout, /Google Play +halted +10 % +stopped by admin: It crashes\n$/)
  })

  test('names the release that goes out with the stopped one, and stops both with --pair', async ({
    assert,
  }) => {
    const { world, apps, stores, idOf, work } = await rollingPair()
    const { release, run } = await commandsOf({ world, appId: apps.apple })
    const stops = () =>
      [stores.apple, stores.google].map(({ changes }) =>
        changes.filter((each) => each.startsWith('setRollout'))
      )
    const { stdout } = await run('red-button', release)
    assert.include(stdout, `${idOf('google')}, which goes out with it, is not stopped.`)
    assert.include(stdout, 'or the one for both (--pair).')
    await work(3)
    assert.deepEqual(stops(), [['setRollout pause'], []])
    assert.equal((await run('red-button', release, '--pair')).code, 0)
    await work(3)
    assert.deepEqual(stops(), [['setRollout pause'], ['setRollout halt']])
  })

  test('refuses to steer where nothing is rolled out, without rights, and an unknown release', async ({
    assert,
  }) => {
    const given = await storeWorld('google', ['kickoff', 'submission', 'takeoff', 'rollout'])
    const { release, run, read } = await commandsOf(given)
    const status = await run('rollout', 'status', release)
    assert.equal(status.code, 0)
    assert.match(status.stdout, /Google Play +not started +0 %\n$/)
    const nothing = await run('rollout', 'pause', release)
    assert.deepEqual([nothing.code, nothing.stdout], [6, ''])
    assert.match(nothing.stderr, /^\S.*\n$/)
    const ways = [
      ['red-button'],
      ['rollout', 'pause'],
      ['rollout', 'resume'],
      ['release', 'submit'],
    ] as const
    for (const way of ways) {
      const forbidden = await read(...way, release)
      assert.equal(forbidden.code, 4, way.join(' '))
      assert.include(forbidden.stderr, 'SubmitForReview')
      const unknown = await run(...way, `${given.appId}:9.9.9`, '--json')
      assert.deepEqual([unknown.code, unknown.stdout], [5, ''], way.join(' '))
      assert.containsSubset(JSON.parse(unknown.stderr), { exit: 5, code: 'not_found', status: 404 })
    }
    assert.equal((await run('rollout', 'status', `${given.appId}:9.9.9`)).code, 5)
    await given.admin.put(`${given.path}/complete`)
    const over = await run('red-button', release, '--json')
    assert.equal(over.code, 6)
    assert.containsSubset(JSON.parse(over.stderr), { exit: 6, code: 'release_completed' })
    assert.isEmpty(asked(given))
  })

  test('says that a release has no store', async ({ assert }) => {
    const world = await makeWorld()
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    const { release, run } = await commandsOf({ world, appId })
    const { stdout } = await run('rollout', 'status', release)
    assert.equal(stdout, `${release} has no stores.\n`)
  })

  test('submits a release that is ready, with a warning in a freeze, and despite open steps with --incomplete', async ({
    assert,
  }) => {
    const ready = await readyWorld()
    const { release, run, json } = await commandsOf(ready)
    const [startAt, endAt] = [-HOUR, HOUR].map((ms) => new Date(Date.now() + ms).toISOString())
    await ready.admin.put(`/app/${ready.appId}/lifecycleFreezes`, {
      freezes: [{ name: 'Holidays', startAt, endAt, phases: ['submit'] }],
    })
    const submitted = await run('release', 'submit', release)
    assert.equal(submitted.code, 0)
    const [text, warning] = submitted.stdout.split('\n')
    assert.equal(text, `${release} is active, ready to submit.`)
    assert.match(warning, /^! .*Holidays/)
    await ready.work()
    assert.equal((await json('why', release)).phase, 'submitted')
    const again = await run('release', 'submit', release)
    assert.deepEqual([again.code, again.stdout], [6, ''])

    const given = await storeWorld()
    given.store.upload('4711')
    await given.work()
    const open = await commandsOf(given)
    const refused = await open.run('release', 'submit', open.release, '--json')
    assert.equal(refused.code, 6)
    assert.equal(JSON.parse(refused.stderr).code, 'steps_incomplete')
    const despite = await open.json('release', 'submit', open.release, '--incomplete')
    assert.equal(despite.id, open.release)
  })
})
