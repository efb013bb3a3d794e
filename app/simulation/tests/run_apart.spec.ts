import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { runApart } from '../rehearsal/run_apart.js'
import { planOf } from './support/rehearsed.js'
import { emptyTemporaryFolder } from './support/temporary_folder.js'

test.group('The process of a rehearsal', () => {
  test('that is ended before it has read its plan ends nothing else', async ({ assert }) => {
    const plan = { ...(await planOf('happy-train')), configuration: '#'.repeat(4_000_000) }
    const failures: unknown[] = []
    const caught = (error: unknown) => void failures.push(error)
    process.on('uncaughtException', caught)
    for (const after of [0, 10, 20]) {
      const signal = AbortSignal.timeout(after)
      await assert.rejects(() => runApart(plan, () => {}, { signal }))
    }
    process.off('uncaughtException', caught)
    assert.isEmpty(failures)
  })

  test('that ends without a word is explained, and leaves no home behind', async ({
    assert,
    cleanup,
  }) => {
    const folder = emptyTemporaryFolder(cleanup)
    const plan = await planOf('happy-train')
    await assert.rejects(
      () => runApart(plan, () => {}, { memoryMb: 30, endedEarly: () => {} }),
      'The rehearsal failed: its process ended early (SIGABRT). It may have needed more memory than it may use.'
    )
    assert.isEmpty(readdirSync(folder))
  })

  test('that ends early by itself blames no memory, and leaves its last words in the log', async ({
    assert,
    cleanup,
  }) => {
    const { NODE_OPTIONS } = process.env
    cleanup(() => {
      if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
      else process.env.NODE_OPTIONS = NODE_OPTIONS
    })
    const logged: string[] = []
    const endedEarly = (...said: string[]) => void logged.push(...said)
    process.env.NODE_OPTIONS = '--nothing-of-node'
    const plan = await planOf('happy-train')
    await assert.rejects(
      () => runApart(plan, () => {}, { endedEarly }),
      'The rehearsal failed: its process ended early (code 9). Whoever runs it finds more in its log.'
    )
    assert.match(logged.join(' '), /^code 9 .*--nothing-of-node is not allowed/)
  })
})
