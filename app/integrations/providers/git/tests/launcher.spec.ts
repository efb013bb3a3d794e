import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { mock } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { GitProgram } from '../program/git_program.js'
import { callInProcess } from './support/call_in_process.js'
import { failure, reported } from './support/contexts.js'
import { isRunning, launchersOf, shownOf } from './support/launchers.js'
import { makeFolder, servedRepository, writeScript } from './support/repositories.js'
import { fakeSsh, SERVE } from './support/servers.js'

type Cleanup = Parameters<typeof makeFolder>[0]

/** Makes a program in the place of git, and where it may leave files (`$HERE`). */
function setUp(cleanup: Cleanup, script: string | { link: string }) {
  const folder = makeFolder(cleanup)
  const bin = join(folder, 'bin')
  mkdirSync(bin)
  if (typeof script === 'string') writeScript(join(bin, 'git'), script)
  else symlinkSync(script.link, join(bin, 'git'))
  const env = { PATH: `${bin}:${process.env.PATH}`, HERE: folder }
  const controller = new AbortController()
  const around = { env, config: [], signal: controller.signal, redact: (text: string) => text }
  const path = (name: string) => join(folder, name)
  const read = (name: string) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : '')
  return { git: new GitProgram(around), around, env, controller, path, read }
}

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await sleep(10)
}

/** Hangs with a grandchild, and leaves the numbers of both. */
const HANGS = `sleep 600 & echo $$ $! > "$HERE/part"; mv "$HERE/part" "$HERE/pids"; wait`
const pidsIn = (text: string) => text.trim().split(' ').map(Number)

const SECRET = 'canary-of-the-launcher-4711'

test.group('git | the process that begins it', () => {
  test('bytes go in and come out as they are, with the code and what was said', async ({
    assert,
    cleanup,
  }) => {
    const { git } = setUp(cleanup, 'cat; echo "said $1" >&2; exit 3')
    const input = randomBytes(3_000_001)
    const { code, stdout, stderr } = await git.run(['x'], { input, expected: [3] })
    assert.equal(code, 3)
    assert.isTrue(stdout.equals(input))
    assert.equal(stderr, 'said x\n')
    const failed = await git.run(['x']).catch((error: unknown) => error)
    assert.propertyVal(failed, 'exitCode', 3)
    const killed = setUp(cleanup, 'kill -9 $$')
    assert.equal((await killed.git.run(['x'], { expected: [-1] })).code, -1)
  })

  test('a program that does not read its input does not hold anything up', async ({
    assert,
    cleanup,
  }) => {
    const { git } = setUp(cleanup, 'exec <&-; echo done')
    const { stdout } = await git.run(['x'], { input: Buffer.alloc(40_000_000) })
    assert.equal(stdout.toString(), 'done\n')
  })

  test('as much as fits comes out whole, and what is more stops the program', async ({
    assert,
    cleanup,
  }) => {
    const { git, read } = setUp(
      cleanup,
      'echo $$ > "$HERE/pids"; case $1 in most) exec head -c 33554432 /dev/zero;; *) exec cat /dev/zero;; esac'
    )
    assert.lengthOf((await git.run(['most'])).stdout, 33_554_432)
    const run = git.run(['more'], { outcome: 'unknown' })
    assert.equal(await reported(run), 'protocol  unknown')
    assert.isFalse(isRunning(Number(read('pids'))))
  })

  test('a program waits for whoever reads slowly, and keeps nobody else from going on', async ({
    assert,
    cleanup,
  }) => {
    const size = 8_000_000
    const script = `case $1 in
      slow) head -c ${size} /dev/zero | tr '\\0' x | sed 's/.\\{999\\}./&\\n/g' | tr '\\n' '\\0'; touch "$HERE/written";;
      other) head -c 1000000 /dev/zero; sleep 0.2;;
    esac`
    const { git, path } = setUp(cleanup, script)
    let fields = 0
    for await (const field of git.fields(['slow'])) {
      fields += 1
      assert.lengthOf(field, 1000)
      if (fields !== 1) continue
      const others = await Promise.all(Array.from({ length: 5 }, () => git.run(['other'])))
      assert.isTrue(others.every(({ stdout }) => stdout.length === 1_000_000))
      assert.isFalse(existsSync(path('written')))
    }
    assert.equal(fields, size / 1000)
    assert.isTrue(existsSync(path('written')))
  }).timeout(30_000)

  test('whoever stops reading stops the program with all that it started', async ({
    assert,
    cleanup,
  }) => {
    const endless = `sleep 600 & echo $$ $! > "$HERE/pids"; exec cat /dev/zero`
    const { git, read } = setUp(cleanup, endless)
    for await (const field of git.fields(['x'])) {
      assert.lengthOf(field, 0)
      break
    }
    const pids = pidsIn(read('pids'))
    assert.lengthOf(pids, 2)
    await until(() => !pids.some(isRunning))
  })

  test('fifty run at once', async ({ assert, cleanup }) => {
    // Each ends once all have begun.
    const script = `touch "$HERE/$1"; until [ -e "$HERE/49" ] && [ "$(ls "$HERE" | wc -l)" -ge 51 ]; do sleep 0.2; done; echo $1`
    const { git } = setUp(cleanup, script)
    const numbers = Array.from({ length: 50 }, (_, index) => String(index))
    const ran = await Promise.all(numbers.map((number) => git.run([number])))
    assert.deepEqual(
      ran.map(({ stdout }) => stdout.toString().trim()),
      numbers
    )
    assert.lengthOf(launchersOf(process.pid), 1)
  }).timeout(60_000)

  test('arguments are a list without a shell, and the environment is what was given', async ({
    assert,
    cleanup,
  }) => {
    process.env.TARMAC_CANARY = SECRET
    cleanup(() => void delete process.env.TARMAC_CANARY)
    const { git, env } = setUp(cleanup, { link: process.execPath })
    const words = ['$HERE', '`id`', '\'"\n', '; exit 1', 'ü😀', '']
    const show = 'JSON.stringify([process.argv.slice(1), process.env])'
    const { stdout } = await git.run(['-p', show, '--', ...words])
    assert.deepEqual(JSON.parse(stdout.toString()), [words, env])
  })

  test('nothing of ours can be read of it: neither an argument nor a variable', async ({
    assert,
    cleanup,
  }) => {
    const { git } = setUp(cleanup, 'exit 0')
    await endIdle(git)
    process.env.TARMAC_CANARY = SECRET
    cleanup(() => void delete process.env.TARMAC_CANARY)
    await git.run(['x'], { env: { TOKEN: SECRET }, input: SECRET })
    const shown = launchersOf(process.pid).map(shownOf).join()
    assert.include(shown, 'launcher_process.js')
    assert.notInclude(shown, SECRET)
    assert.notInclude(shown, 'TOKEN')
  })

  test('aborted before, nothing begins; while it runs, all ends; after it, nothing comes of it', async ({
    assert,
    cleanup,
  }) => {
    const { git, controller, read, around } = setUp(cleanup, HANGS)
    const running = git.run(['push'], { outcome: 'unknown' })
    await until(() => read('pids') !== '')
    controller.abort()
    assert.equal(await reported(running), 'timeout  unknown')
    const pids = pidsIn(read('pids'))
    await until(() => !pids.some(isRunning))

    const canary = setUp(cleanup, 'touch "$HERE/begun"')
    const before = new GitProgram({ ...around, env: canary.env })
    assert.equal(await reported(before.run(['x'])), 'timeout  notApplied')
    assert.isFalse(existsSync(canary.path('begun')))

    assert.equal((await canary.git.run(['x'])).code, 0)
    canary.controller.abort()
    assert.isTrue(existsSync(canary.path('begun')))
  })

  test('what is aborted while its output waits ends as well', async ({ assert, cleanup }) => {
    const { git, controller, read } = setUp(cleanup, 'echo $$ > "$HERE/pids"; exec cat /dev/zero')
    const reading = git.fields(['x'])
    await reading.next()
    controller.abort()
    const rest = async () => {
      while (!(await reading.next()).done);
    }
    assert.equal(await reported(rest()), 'timeout  notApplied')
    assert.isFalse(isRunning(Number(read('pids'))))
  })

  test('what left the group does not keep one that was aborted from ending', async ({
    assert,
    cleanup,
  }) => {
    const leaving = 'setsid sleep 600 & echo $! > "$HERE/part"; mv "$HERE/part" "$HERE/pids"; wait'
    const { git, controller, read } = setUp(cleanup, leaving)
    const running = git.run(['x'])
    await until(() => read('pids') !== '')
    cleanup(() => void process.kill(Number(read('pids')), 'SIGKILL'))
    controller.abort()
    assert.equal(await reported(running), 'timeout  notApplied')
  })

  test('without git in the path, it is said so; where there is one again, it runs', async ({
    assert,
    cleanup,
  }) => {
    const { git, path } = setUp(cleanup, 'echo here')
    const without = git.with({ env: { PATH: path('nowhere') } })
    assert.equal(await reported(without.run(['x'])), 'unavailable no_git notApplied')
    assert.equal((await git.run(['x'])).stdout.toString(), 'here\n')
  })

  test('one that is killed fails the calls under way, leaves nothing, and is begun anew', async ({
    assert,
    cleanup,
  }) => {
    const { git, read } = setUp(cleanup, `case $1 in push) ${HANGS};; *) echo here;; esac`)
    const running = git.run(['push'], { outcome: 'unknown' })
    await until(() => read('pids') !== '')
    const [launcher] = launchersOf(process.pid)
    process.kill(launcher, 'SIGKILL')
    const { code, detail, message } = await failure(running)
    assert.deepEqual([code, detail.outcome], ['unavailable', 'unknown'])
    assert.equal(message, 'The launcher of git has ended (SIGKILL)')
    const pids = pidsIn(read('pids'))
    await until(() => !pids.some(isRunning))
    assert.equal((await git.run(['x'])).stdout.toString(), 'here\n')
    assert.notDeepEqual(launchersOf(process.pid), [launcher])
  })

  test('who stops all processes of the service has those under way end in order', async ({
    assert,
    cleanup,
  }) => {
    const script = `case $1 in wait) touch "$HERE/begun"; until [ -e "$HERE/go" ]; do sleep 0.05; done;; esac; echo done`
    const { git, path } = setUp(cleanup, script)
    const running = git.run(['wait'])
    await until(() => existsSync(path('begun')))
    const [launcher] = launchersOf(process.pid)
    process.kill(launcher, 'SIGTERM')
    assert.equal((await git.run(['x'])).stdout.toString(), 'done\n')
    writeFileSync(path('go'), '')
    assert.equal((await running).stdout.toString(), 'done\n')
    assert.deepEqual(launchersOf(process.pid), [launcher])
  })

  test('it ends once nobody has asked it for a minute', async ({ assert, cleanup }) => {
    const { git } = setUp(cleanup, 'echo here')
    mock.timers.enable({ apis: ['setTimeout'] })
    cleanup(() => mock.timers.reset())
    await git.run(['x'])
    const before = launchersOf(process.pid)
    assert.lengthOf(before, 1)
    mock.timers.tick(59_999)
    await git.run(['x'])
    assert.deepEqual(launchersOf(process.pid), before)
    mock.timers.tick(60_000)
    mock.timers.reset()
    await until(() => launchersOf(process.pid).length === 0)
    assert.isOk(setUp(cleanup, 'exit 0').git)
    assert.lengthOf(launchersOf(process.pid), 0)
    assert.equal((await git.run(['x'])).stdout.toString(), 'here\n')
  })

  test('a process that is done ends, and it with it', async ({ assert, cleanup }) => {
    const { path, started } = await inProcess(cleanup, SERVE)
    const [launcher] = launchersOf(started.pid)
    assert.isTrue(isRunning(launcher))
    writeFileSync(path('go'), '')
    assert.equal(await started.ended(), 0)
    await until(() => !isRunning(launcher))
  }).timeout(30_000)

  test('a process that is killed leaves neither it nor what it began', async ({
    assert,
    cleanup,
  }) => {
    const { path, started } = await inProcess(cleanup, HANGS)
    writeFileSync(path('go'), '')
    await until(() => existsSync(path('pids')))
    const pids = [...pidsIn(readFileSync(path('pids'), 'utf8')), ...launchersOf(started.pid)]
    assert.lengthOf(pids.filter(isRunning), 3)
    await started.kill()
    await until(() => !pids.some(isRunning))
  }).timeout(30_000)
})

/** Lets a minute pass in which nobody asks. */
async function endIdle(git: GitProgram): Promise<void> {
  mock.timers.enable({ apis: ['setTimeout'] })
  await git.run(['x'])
  mock.timers.tick(60_000)
  mock.timers.reset()
  await until(() => launchersOf(process.pid).length === 0)
}

/** Returns a process of its own that asks a server, which does something once it may (`go`). */
async function inProcess(cleanup: Cleanup, script: string) {
  const { folder } = servedRepository(cleanup)
  const path = (name: string) => join(folder, name)
  const here = `HERE='${folder}'; touch "$HERE/asked"; until [ -e "$HERE/go" ]; do sleep 0.05; done`
  fakeSsh(cleanup, folder, `${here}\n${script}`)
  const given = { baseUrl: `ssh://host.example${folder}/srv`, home: folder }
  const started = callInProcess(given, 'getBranch', ['main'])
  await until(() => existsSync(path('asked')))
  return { path, started }
}
