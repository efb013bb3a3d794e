import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { runApart } from '../rehearsal/run_apart.js'
import { planOf } from './support/rehearsed.js'
import { emptyTemporaryFolder } from './support/temporary_folder.js'

test.group('The process of a rehearsal', () => {
  test('causes no other failure if it is ended before it has read its plan', async ({ assert }) => {
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

  test('is explained if it ends without an answer, and its home is removed', async ({
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

  test('does not blame memory if it ends early by itself, and its stderr is passed on', async ({
    assert,
    cleanup,
  }) => {
    const { NODE_OPTIONS } = process.env
    cleanup(() => {
      if (NODE_OPTIONS === undefined) delete process.env.NODE_OPTIONS
      else process.env.NODE_OPTIONS = NODE_OPTIONS
    })
    const logged: string[] = []
    const endedEarly = (...words: string[]) => void logged.push(...words)
    process.env.NODE_OPTIONS = '--nothing-of-node'
    const plan = await planOf('happy-train')
    await assert.rejects(
      () => runApart(plan, () => {}, { endedEarly }),
      'The rehearsal failed: its process ended early (code 9). Its operator finds more in its log.'
    )
    assert.match(logged.join(' '), /^code 9 .*--nothing-of-node is not allowed/)
  })
})
