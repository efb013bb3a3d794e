import { test } from '@japa/runner'
import { setTimeout as pause } from 'node:timers/promises'
import { TaskTime, ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import type { Task } from './helpers/thread_task.js'

const FILE = new URL('./helpers/thread_task.ts', import.meta.url)
const ONE = { threads: 1, waiting: 5, deadline: 500, memoryMb: 64 }

function codesOf(results: PromiseSettledResult<unknown>[]): unknown[] {
  return results.map((each) => (each.status === 'rejected' ? each.reason.code : each.value))
}

test.group('Thread pool', (group) => {
  const pools: ThreadPool<Task, unknown>[] = []
  const poolOf = (options = ONE) => {
    const pool = new ThreadPool<Task, unknown>(FILE, options)
    pools.push(pool)
    return pool
  }
  group.each.teardown(async () => {
    await Promise.all(pools.splice(0).map((pool) => pool.close()))
  })

  test('returns what the function returns, and throws what it throws', async ({ assert }) => {
    const pool = poolOf()
    assert.equal(await pool.run('answer'), 'answer')
    await assert.rejects(() => pool.run('throw'), 'As asked')
    assert.equal(await pool.run('answer'), 'answer')
  })

  test('a thread that cannot start fails its task and the waiting ones at once', async ({
    assert,
  }) => {
    const broken = new URL('./helpers/broken_thread.ts', import.meta.url)
    const pool = new ThreadPool<Task, unknown>(broken, ONE)
    pools.push(pool)
    const results = await Promise.allSettled([pool.run('answer'), pool.run('answer')])
    assert.deepEqual(codesOf(results), ['not_ready', 'not_ready'])
  })

  test('a thread sees nothing of the environment', async ({ assert }) => {
    assert.deepEqual(await poolOf().run('environment'), [])
  })

  test('a task that exceeds its limits ({$self}) is ended, and the waiting ones are carried out')
    .with(['spin', 'hoard'] as const)
    .run(async ({ assert }, task) => {
      const pool = poolOf({ ...ONE, deadline: task === 'spin' ? 100 : 60_000 })
      const ended = assert.rejects(() => pool.run(task), ThreadOverrun)
      const behind = await Promise.all([pool.run('answer'), pool.run('answer')])
      await ended
      assert.deepEqual(behind, ['answer', 'answer'])
    })

  test('a thread that waits for a processor uses up none of its time', async ({ assert }) => {
    assert.equal(await poolOf({ ...ONE, deadline: 50 }).run('doze'), 'doze')
  })

  test('a task that makes no progress is interrupted with not_ready', async ({ assert }) => {
    const pool = poolOf({ ...ONE, deadline: 30 })
    const behind = pool.run('answer')
    const problem = await pool.run('sleep').then(
      () => assert.fail('it slept for a minute'),
      (error) => error
    )
    assert.containsSubset(problem, { code: 'not_ready', status: 503 })
    assert.match(problem.headers['retry-after'], /^[1-9]\d*$/)
    assert.equal(await behind, 'answer')
  })

  test('a limited number of tasks may wait, and the next one is refused', async ({ assert }) => {
    const pool = poolOf({ ...ONE, threads: 2, waiting: 1 })
    const tasks = Array.from({ length: 4 }, () => pool.run('answer'))
    assert.deepEqual(codesOf(await Promise.allSettled(tasks)), [
      'answer',
      'answer',
      'answer',
      'not_ready',
    ])
  })

  test('closing ends running tasks and refuses waiting ones', async ({ assert }) => {
    const pool = poolOf({ ...ONE, deadline: 60_000 })
    await pool.run('answer')
    const both = Promise.allSettled([pool.run('spin'), pool.run('answer')])
    await new Promise((resolve) => setImmediate(resolve))
    await pool.close()
    assert.deepEqual(codesOf(await both), ['not_ready', 'not_ready'])
    assert.equal(await pool.run('answer'), 'answer')
  })
})

test.group('The time of a task', () => {
  const used = (milliseconds: number) => async () => milliseconds

  test('stands still while the task waits for somebody else', async ({ assert }) => {
    const time = new TaskTime()
    const over = Promise.withResolvers<string>()
    let isOver = false
    const end = (why: string) => {
      isOver = true
      over.resolve(why)
    }
    time.begin(20, used(0), end, 20)
    const result = await time.outside(async () => {
      await pause(60)
      return isOver
    })
    assert.isFalse(result)
    assert.equal(await over.promise, 'stuck')
    const ended = new TaskTime()
    ended.begin(0, used(0), () => assert.fail('It had ended'))
    ended.end()
    await pause(5)
  })

  test('is measured by the thread’s processor time, and stands still while the process is suspended', async ({
    assert,
  }) => {
    const time = new TaskTime()
    const over = Promise.withResolvers<string>()
    let count = 0
    time.begin(
      20,
      async () => {
        // Blocks the whole process for longer than a task may be stuck.
        setImmediate(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 250))
        return (count += 5)
      },
      over.resolve,
      200
    )
    assert.equal(await over.promise, 'used')
    assert.equal(count, 20)
  })
})
