import { test } from '@japa/runner'
import { setTimeout as pause } from 'node:timers/promises'
import { TaskTime, ThreadOverrun, ThreadPool } from '#foundation/core/thread_pool'
import type { Task } from './helpers/thread_task.js'

const FILE = new URL('./helpers/thread_task.ts', import.meta.url)
const ONE = { threads: 1, waiting: 5, deadline: 500, memoryMb: 64 }

function codesOf(answers: PromiseSettledResult<unknown>[]): unknown[] {
  return answers.map((each) => (each.status === 'rejected' ? each.reason.code : each.value))
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

  test('what a function returns or throws comes back', async ({ assert }) => {
    const pool = poolOf()
    assert.equal(await pool.run('answer'), 'answer')
    await assert.rejects(() => pool.run('throw'), 'As asked')
    assert.equal(await pool.run('answer'), 'answer')
  })

  test('a thread sees nothing of the environment', async ({ assert }) => {
    assert.deepEqual(await poolOf().run('environment'), [])
  })

  test('a task that takes too much ({$self}) is ended, those behind it are carried out')
    .with(['spin', 'hoard'] as const)
    .run(async ({ assert }, task) => {
      const pool = poolOf({ ...ONE, deadline: task === 'spin' ? 100 : 60_000 })
      const ended = assert.rejects(() => pool.run(task), ThreadOverrun)
      const behind = await Promise.all([pool.run('answer'), pool.run('answer')])
      await ended
      assert.deepEqual(behind, ['answer', 'answer'])
    })

  test('as many wait as may, the next is refused for now', async ({ assert }) => {
    const pool = poolOf({ ...ONE, threads: 2, waiting: 1 })
    const tasks = Array.from({ length: 4 }, () => pool.run('answer'))
    assert.deepEqual(codesOf(await Promise.allSettled(tasks)), [
      'answer',
      'answer',
      'answer',
      'not_ready',
    ])
  })

  test('closing ends what runs and refuses what waits', async ({ assert }) => {
    const pool = poolOf({ ...ONE, deadline: 60_000 })
    await pool.run('answer')
    const running = assert.rejects(() => pool.run('spin'), ThreadOverrun)
    const waiting = Promise.allSettled([pool.run('answer')])
    await new Promise((resolve) => setImmediate(resolve))
    await pool.close()
    await running
    assert.deepEqual(codesOf(await waiting), ['not_ready'])
    assert.equal(await pool.run('answer'), 'answer')
  })
})

test.group('The time of a task', () => {
  test('stands still while the task waits for somebody else', async ({ assert }) => {
    const time = new TaskTime()
    const over = Promise.withResolvers<void>()
    let isOver = false
    time.begin(20, () => {
      isOver = true
      over.resolve()
    })
    const answer = await time.outside(async () => {
      await pause(60)
      return isOver
    })
    assert.isFalse(answer)
    await over.promise
    const ended = new TaskTime()
    ended.begin(0, () => assert.fail('It had ended'))
    ended.end()
    await pause(5)
  })
})
