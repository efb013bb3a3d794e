import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { SystemClock } from '#foundation/core/clock'
import { works } from '../handlers.js'
import { isLong } from '#tests/support/effort'
import { startService } from '#tests/support/processes'
import { SEAMS, type Seam } from './support/dying_worker.js'
import { facts } from './support/facts.js'
import { LoopbackProvider } from './support/provider.js'
import { Stage, order } from './support/stage.js'

const ROOT = fileURLToPath(new URL('../../../../', import.meta.url))
/** All seams in the long run; in the usual one, on each database one where a response is lost. */
const TRIED: readonly Seam[] = isLong
  ? SEAMS
  : [process.env.DATABASE_URL ? 'inAnswer' : 'afterCall']
const SCRIPT = 'app/foundation/jobs/tests/support/worker_process.ts'

/** Starts a worker as a process of its own. */
function work(provider: LoopbackProvider, dies = '') {
  const settings = { JOBS_PROVIDER: provider.url, JOBS_DIES: dies }
  return spawn(process.execPath, ['--import=./bin/typescript.js', SCRIPT], {
    cwd: ROOT,
    env: { ...process.env, ...settings },
    stdio: 'inherit',
  })
}

async function command(stage: Stage, ...names: string[]): Promise<void> {
  stage.clock.travelTo(new SystemClock().now())
  await stage.write(async (scope) => {
    for (const name of names) {
      await scope.jobs.command(order, {
        subject: name,
        idempotencyKey: name,
        entityKey: name.startsWith('e') ? 'entity' : undefined,
        payload: { note: name },
      })
    }
  })
}

async function untilDone(stage: Stage): Promise<void> {
  for (;;) {
    const open = (await stage.jobs()).filter(({ finished_at: at }) => at === null)
    if (open.length === 0) return
    await pause(50)
  }
}

test.group('Workers in processes of their own', () => {
  test('lose and repeat nothing when one is killed between command, call and answer', async ({
    assert,
  }) => {
    for (const seam of TRIED) {
      const provider = await new LoopbackProvider().start()
      const stage = await Stage.set()
      await command(stage, 'one')
      const [, signal] = await once(work(provider, seam), 'exit')
      assert.equal(signal, 'SIGKILL', seam)
      const isStored = seam === 'afterCommit'
      assert.lengthOf(await facts(stage), isStored ? 1 : 0, seam)
      if (!isStored) {
        const next = work(provider)
        await untilDone(stage)
        next.kill('SIGTERM')
        assert.deepEqual(await once(next, 'exit'), [0, null])
      }
      provider.stop()
      assert.deepEqual(
        (await stage.jobs()).map(({ state }) => state),
        ['done']
      )
      assert.lengthOf(await facts(stage), 1, seam)
      assert.deepEqual([...provider.calls], [['one', 1]], seam)
      assert.equal(provider.finds, isStored ? 0 : 1, seam)
    }
  }).timeout(120_000)

  test('share the work without doing any of it twice, and commands of an entity keep their order', async ({
    assert,
  }) => {
    const provider = await new LoopbackProvider().start()
    const stage = await Stage.set()
    const ordered = Array.from({ length: 10 }, (_, index) => `e${index}`)
    const free = Array.from({ length: 40 }, (_, index) => `f${index}`)
    await command(stage, ...ordered, ...free)
    // SQLite allows one serving process, but a second one may work beside it.
    const workers = [work(provider), work(provider)]
    await untilDone(stage)
    for (const worker of workers) {
      // A worker that starts only now finds nothing to do.
      while (worker.exitCode === null && !worker.kill('SIGTERM')) await pause(10)
      if (worker.exitCode === null) await once(worker, 'exit')
    }
    provider.stop()
    const titles = await facts(stage)
    assert.lengthOf(titles, 50)
    assert.isTrue([...provider.calls.values()].every((calls) => calls === 1))
    const isOrdered = (name: string) => name.startsWith('e')
    assert.deepEqual(provider.effects.filter(isOrdered), ordered)
  }).timeout(60_000)
})

test.group('Who works', () => {
  /** Returns the chores that the processes have planned. */
  async function chores(): Promise<string[]> {
    const rows = await db.from('jobs').where('nature', 'chore')
    return rows.map(({ kind }) => kind).sort()
  }

  test('the server works, or `node ace work` if the settings keep the server from it', async ({
    assert,
    cleanup,
  }) => {
    await Stage.set()
    const idle = await startService({ WORK_IN_SERVER: 'false' })
    cleanup(() => idle.kill())
    await pause(300)
    assert.deepEqual(await chores(), [])
    const child = spawn(process.execPath, ['ace.js', 'work', '--json'], {
      cwd: ROOT,
      env: process.env,
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    cleanup(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (chunk) => (output += chunk))
    while ((await chores()).length === 0) await pause(50)
    const names = works
      .all()
      .flatMap(({ name, nature }) => (nature === 'chore' ? name : []))
      .sort()
    assert.includeMembers(names, ['service.expiredUploads', 'webhook.retention'])
    assert.deepEqual(await chores(), names)
    assert.deepEqual(JSON.parse(output), { working: true })
    child.kill('SIGTERM')
    assert.deepEqual(await once(child, 'exit'), [0, null])
    assert.equal((await idle.stop()).code, 0)

    await db.from('jobs').delete()
    const working = await startService()
    while ((await chores()).length === 0) await pause(50)
    assert.deepEqual(await chores(), names)
    assert.equal((await working.stop()).code, 0)
  }).timeout(60_000)
})
