import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, openSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { makeApp } from './support/app_fixture.js'
import { CommandLine, waitForOutput } from './support/command_line.js'
import { finished } from './support/processes.js'
import { makeWorld } from './support/world.js'

/*
 * Where the output of the command line goes: a terminal, a pipe whose reader leaves, a full disk.
 */

/** A device to which nothing can be written, because it is full. */
const FULL = '/dev/full'
const INTERRUPT = '\u0003'
const CLEARED = '\u001b[H\u001b[2J'

let line: CommandLine

/** Makes an app with a release and an approval, and the environment of its admin. */
async function setUp() {
  const world = await makeWorld()
  const app = await makeApp(world)
  await world.admin.post(`/app/${app}/approval`, { title: 'Legal agrees' })
  await world.admin.post(`/app/${app}/release`, { version: '1.0.0' })
  const env = { TARMAC_API_KEY: world.adminKey, TARMAC_ORG: world.organizationId }
  const path = `/app/${app}/release/${app}:1.0.0`
  return { world, app, release: `${app}:1.0.0`, path, env }
}

test.group('The output of the command line', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })

  test('is redrawn in a terminal as a watched release moves, until it is over', async ({
    assert,
  }) => {
    const { world, release, path, env } = await setUp()
    const watching = line.startInTerminal(['watch', release, '--every', '1s'], env)
    const watched = finished(watching)
    await waitForOutput(watching, /\w+, upcoming/)
    const moved = waitForOutput(watching, /active, \w+/)
    await world.admin.put(`${path}/kickoff`)
    await moved
    // Nothing changes meanwhile, and nothing is redrawn.
    await sleep(1500)
    await world.admin.put(`${path}/complete`)
    const { code, stdout } = await watched
    assert.equal(code, 0)
    const [before, ...screens] = stdout.split(CLEARED)
    assert.equal(before, '')
    const heads = screens.map((each) => each.split('\r\n')[0])
    assert.lengthOf(heads, 3)
    for (const [index, status] of ['upcoming', 'active', 'completed'].entries())
      assert.match(heads[index], new RegExp(`${release}.* .*${status}`))
    for (const each of screens) assert.include(each, 'approvals')
  })

  test('ends a watch in a terminal with 130 at an interrupt', async ({ assert }) => {
    const { release, env } = await setUp()
    const watching = line.startInTerminal(['watch', release], env)
    const watched = finished(watching)
    await waitForOutput(watching, /upcoming/)
    watching.stdin!.write(INTERRUPT)
    assert.equal((await watched).code, 130)
  })

  test('may have a reader that leaves: the work goes on, and decides on the exit code', async ({
    assert,
  }) => {
    const { world, app, path, env } = await setUp()
    const unread = async (args: string[], settings: object = {}) => {
      const child = line.start(args, { ...env, ...settings })
      child.stdout!.destroy()
      const done = once(child, 'close')
      let stderr = ''
      child.stderr!.on('data', (chunk) => (stderr += chunk))
      const [code] = await done
      return [code, stderr]
    }
    assert.deepEqual(await unread(['apps']), [0, ''])
    assert.deepEqual(await unread(['--help']), [0, ''])

    await world.admin.put(`${path}/kickoff`)
    const job = { TARMAC_APP: app, TARMAC_VERSION: '1.0.0' }
    const ticking = await unread(['ci'], { ...job, TARMAC_ITEM: 'Legal agrees' })
    assert.deepEqual(ticking, [0, ''])
    const { body } = await world.admin.get(`${path}/checklistItems`)
    assert.deepEqual(
      body.map(({ status }: { status: { type: string } }) => status.type),
      ['approved']
    )
    const [code, stderr] = await unread(['ci'], { ...job, TARMAC_ITEM: 'Nothing' })
    assert.equal(code, 5)
    assert.match(stderr, /no item "Nothing"/)
  })

  test('ends a watch whose reader has left with 141, since the release is not over', async ({
    assert,
  }) => {
    const { world, release, path, env } = await setUp()
    const watching = line.start(['watch', release, '--every', '1s'], env)
    await waitForOutput(watching, /upcoming/)
    let stderr = ''
    watching.stderr!.on('data', (chunk) => (stderr += chunk))
    const done = once(watching, 'close')
    watching.stdout!.destroy()
    await world.admin.put(`${path}/kickoff`)
    assert.deepEqual([(await done)[0], stderr], [141, ''])
  })

  test('is a failure on a full disk, in a sentence or as JSON', async ({ assert }) => {
    const { env } = await setUp()
    const full = openSync(FULL, 'w')
    const toFull = (args: string[]) =>
      new Promise<[number | null, string]>((resolve) => {
        const child = spawn(process.execPath, [line.program, ...args], {
          env: line.env(env),
          stdio: ['ignore', full, 'pipe'],
        })
        let stderr = ''
        child.stderr!.on('data', (chunk) => (stderr += chunk))
        child.on('close', (code) => resolve([code, stderr]))
      })
    const [code, said] = await toFull(['apps'])
    assert.equal(code, 1)
    assert.match(said, /^The result could not be written: .*no space left.*\.\n$/)
    const [coded, document] = await toFull(['apps', '--json'])
    assert.equal(coded, 1)
    const { exit, detail } = JSON.parse(document)
    assert.equal(exit, 1)
    assert.include(detail, 'no space left')
    assert.equal((await toFull(['--version']))[0], 1)
    closeSync(full)
  }).skip(!existsSync(FULL), 'this machine has no device that is always full')
})
