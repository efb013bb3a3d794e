import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { CommandLine } from './support/command_line.js'
import { finished, listen, serviceUrl } from './support/processes.js'
import { makeWorld } from './support/world.js'

/*
 * Uploads of the command line, which resume where they broke off.
 */

const SIZE = 12_000_000

let line: CommandLine

/** The number of bytes that a proxy still has when the connection of its client breaks. */
const HELD = 4_000_000

/**
 * Starts a proxy of the service whose connections may break or stall after a number of bytes, or
 * break while the proxy passes on what it still has.
 */
async function startProxy() {
  const to = new URL(serviceUrl())
  const state = {
    breaksAfter: Infinity,
    then: 'breaks' as 'breaks' | 'stops' | 'passes on',
    stopped: () => {},
  }
  const server = createServer((socket) => {
    const service = connect(Number(to.port), to.hostname)
    let [passed, heldFrom] = [0, 0]
    let held: Buffer[] | null = null
    for (const each of [socket, service]) each.on('error', () => {})
    socket.on('close', () => held ?? service.destroy())
    service.on('close', () => socket.destroy())
    service.pipe(socket)
    socket.on('data', (chunk: Buffer) => {
      passed += chunk.length
      if (held) {
        held.push(chunk)
        if (passed < heldFrom + HELD) return
        socket.destroy()
        return void passOn(held, service)
      }
      if (passed <= state.breaksAfter) return void service.write(chunk)
      state.breaksAfter = Infinity
      if (state.then === 'passes on') {
        ;[held, heldFrom] = [[chunk], passed]
        return
      }
      if (state.then === 'breaks') {
        state.stopped()
        return void socket.destroy()
      }
      socket.pause()
      state.stopped()
    })
  })
  return { state, url: await listen(server), end: () => void server.close() }
}

/** Passes on what a proxy still has, in about four seconds. */
async function passOn(held: readonly Buffer[], service: Socket) {
  for (const chunk of held) {
    await sleep(4000 / held.length)
    service.write(chunk)
  }
  service.destroy()
}

/** Makes an app with a bucket, a file, and a proxy of the service. */
async function setUp(cleanup: (end: () => void) => void) {
  const world = await makeWorld()
  const file = join(line.folder, 'app.yml')
  writeFileSync(file, 'name: Acme\nplatform: ios\n')
  const env = { TARMAC_API_KEY: world.adminKey, TARMAC_ORG: world.organizationId }
  const made = await line.run(['config', 'apply', file, '--json'], env)
  const app = JSON.parse(made.stdout).id as string
  const bytes = randomBytes(SIZE)
  const path = join(line.folder, 'Acme.bin')
  writeFileSync(path, bytes)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const proxy = await startProxy()
  cleanup(proxy.end)
  const settings = { ...env, TARMAC_URL: proxy.url }
  const rcBucket = async () => {
    const { body } = await world.admin.get(`/app/${app}/bucket`)
    return body.find(({ type }: { type: string }) => type === 'rc')
  }
  return { world, app, path, bytes, sha256, settings, rcBucket, ...proxy }
}

test.group('An upload of the command line', (group) => {
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })
  group.each.setup(() => line.forget())

  test('resumes after its connection broke, with notes, tags, build and further files', async ({
    assert,
    cleanup,
  }) => {
    const { world, app, path, bytes, sha256, settings, state } = await setUp(cleanup)
    state.breaksAfter = 3_000_000
    const ci = {
      ...{ GITHUB_ACTIONS: 'true', GITHUB_RUN_ID: '4711', GITHUB_SHA: '9f2c1d7e' },
      ...{ GITHUB_REF: 'refs/heads/main', GITHUB_WORKFLOW: 'Release' },
      GITHUB_WORKFLOW_REF: 'acme/app/.github/workflows/release.yml@refs/heads/main',
      ...{ GITHUB_SERVER_URL: 'https://github.com', GITHUB_REPOSITORY: 'acme/app' },
    }
    const symbols = join(line.folder, 'app.yml')
    const options = ['--app', app, '--notes', 'Pay by card.', '--tag', 'nightly', '--tag', 'pay']
    const args = ['upload', path, ...options, '--attach', symbols, '--json']
    const { code, stdout, stderr } = await line.run(args, { ...settings, ...ci })
    assert.equal(code, 0, stderr)
    const build = JSON.parse(stdout)
    assert.containsSubset(build, {
      sha256,
      fileSize: SIZE,
      artifactFileName: 'Acme.bin',
      testerNotes: 'Pay by card.',
      additionalArtifacts: [{ fileName: 'app.yml' }],
      ciBuild: {
        ...{ buildIdentifier: '4711', branch: 'main', integrationId: 'github-ci' },
        workflowData: { workflowId: 'release.yml', workflowName: 'Release' },
      },
    })
    assert.sameMembers(build.tags, ['nightly', 'pay'])
    // The connection did break.
    assert.equal(state.breaksAfter, Infinity)
    const stored = await fetch(build.downloadUrl, { headers: { 'x-api-key': world.adminKey } })
    assert.isTrue(Buffer.from(await stored.arrayBuffer()).equals(bytes))
  }).timeout(60_000)

  test('resumes while the service still receives what the broken connection has sent', async ({
    assert,
    cleanup,
  }) => {
    const { app, path, sha256, settings, state, rcBucket } = await setUp(cleanup)
    state.breaksAfter = 3_000_000
    state.then = 'passes on'
    const args = ['upload', path, '--app', app, '--json']
    const { code, stdout, stderr } = await line.run(args, settings)
    assert.equal(code, 0, stderr)
    assert.equal(JSON.parse(stdout).sha256, sha256)
    assert.equal(state.breaksAfter, Infinity)
    assert.equal((await rcBucket()).buildCount, 1)
  }).timeout(60_000)

  test('resumes in a later run after the first was killed', async ({ assert, cleanup }) => {
    const { app, path, sha256, settings, state, rcBucket } = await setUp(cleanup)
    state.breaksAfter = 5_000_000
    state.then = 'stops'
    const stopped = new Promise<void>((resolve) => (state.stopped = resolve))
    const child = line.start(['upload', path, '--app', app], settings)
    const killed = finished(child)
    await stopped
    child.kill('SIGKILL')
    await killed
    assert.equal((await rcBucket()).buildCount, 0)

    // Received parts are not sent again: sending more than the rest would reach this limit.
    state.breaksAfter = SIZE - 1_000_000
    state.then = 'stops'
    const { code, stdout } = await line.run(['upload', path, '--app', app, '--json'], settings)
    assert.equal(code, 0)
    assert.equal(JSON.parse(stdout).sha256, sha256)
    assert.equal((await rcBucket()).buildCount, 1)
    assert.equal(state.breaksAfter, SIZE - 1_000_000)
  }).timeout(60_000)

  test('sends nothing while a further file is missing, and one build after tags were wrong at first', async ({
    assert,
    cleanup,
  }) => {
    const { app, path, settings, rcBucket } = await setUp(cleanup)
    const run = (...args: string[]) =>
      line.run(['upload', path, '--app', app, '--json', ...args], settings)
    for (const [file, attached] of [
      ['nothing.ipa', 'app.yml'],
      [line.folder, 'app.yml'],
      [path, 'nothing.zip'],
    ]) {
      const args = ['upload', file, '--app', app, '--attach', attached]
      const { code, stderr } = await line.run(args, settings)
      assert.deepEqual([code, stderr.split('\n').length], [2, 2])
      assert.match(stderr, / does not exist or cannot be read\.$/m)
    }
    assert.equal((await rcBucket()).buildCount, 0)
    mkdirSync(join(line.folder, 'state/tarmac'), { recursive: true })
    writeFileSync(join(line.folder, 'state/tarmac/uploads.json'), '{"a":')
    const attached = ['--attach', join(line.folder, 'app.yml')]
    assert.equal((await run(...attached, '--tag', 'x'.repeat(300))).code, 2)
    const { code, stdout } = await run(...attached, '--tag', 'nightly')
    assert.equal(code, 0)
    const { tags, additionalArtifacts } = JSON.parse(stdout)
    assert.deepEqual([tags, additionalArtifacts.length], [['nightly'], 1])
    assert.equal((await rcBucket()).buildCount, 1)
  }).timeout(60_000)

  test('says that the file changed while it was sent', async ({ assert, cleanup }) => {
    const { app, path, settings, state } = await setUp(cleanup)
    state.breaksAfter = 3_000_000
    state.stopped = () => writeFileSync(path, 'another')
    const { code, stderr } = await line.run(['upload', path, '--app', app], settings)
    assert.deepEqual(
      [code, stderr],
      [1, `${path} changed during the upload. Run the command again.\n`]
    )
  }).timeout(60_000)

  test('draws a bar in a terminal, which makes room for the result', async ({
    assert,
    cleanup,
  }) => {
    const { app, path, sha256, settings } = await setUp(cleanup)
    const shown = await line.inTerminal(['upload', path, '--app', app], settings)
    const bars = shown.split('\r').filter((each) => each.startsWith('Uploading '))
    const shares = bars.map((each) => Number(/ (\d+) % of 12\.0 MB $/.exec(each)![1]))
    assert.deepEqual(
      shares,
      shares.toSorted((one, other) => one - other)
    )
    assert.isBelow(shares[0], 100)
    assert.deepEqual([bars[0].length, shares.at(-1)], [bars.at(-1)!.length - 2, 100])
    assert.include(bars.at(-1)!, ` ${'█'.repeat(24)} `)
    const [, result] = shown.split(`${bars.at(-1)}\r\u001b[K`)
    assert.include(result, `SHA-256 ${sha256}`)
  }).timeout(60_000)

  test('exits with 5 for an unknown bucket, and names the existing ones', async ({
    assert,
    cleanup,
  }) => {
    const { app, path, settings } = await setUp(cleanup)
    const args = ['upload', path, '--app', app, '--bucket', 'Nightly']
    const { code, stderr } = await line.run(args, settings)
    assert.equal(code, 5)
    assert.match(stderr, /\(rc\)/)
  })
})
