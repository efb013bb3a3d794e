import { test } from '@japa/runner'
import type { PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import { withEdit, type Edit } from '../provider/google_play/edits.js'

const refused = (reason: string) =>
  new ProviderError('conflict', reason, { outcome: 'notApplied', reason })

interface Asked {
  path: string
  query?: { changesNotSentForReview?: boolean }
}

/**
 * Returns a store in which a number of edits are deleted by somebody else before they are
 * committed.
 * @param refusalFor returns why a commit is refused; its argument is true if it sends nothing for
 *   review
 */
function store(
  deleted: number,
  token = 'org.secret',
  refusalFor: (isKeptBack: boolean) => string | null = () => null
) {
  const opened: string[] = []
  const committed: boolean[] = []
  const send = async ({ path, query }: Asked) => {
    if (path.endsWith('/edits')) {
      opened.push(String(opened.length + 1))
      return { body: { id: opened.at(-1) } }
    }
    if (opened.length <= deleted) throw refused('editDeleted')
    const isKeptBack = query?.changesNotSentForReview ?? false
    const why = refusalFor(isKeptBack)
    if (why !== null) throw refused(why)
    committed.push(isKeptBack)
    return { body: { releases: [] } }
  }
  const ctx = { data: { bundleId: 'a.b' }, secret: () => token, http: { send } }
  return { ctx: ctx as unknown as PluginContext, opened, committed }
}

const commit = (edit: Edit) => edit.commit()
const turn = () => new Promise((resolve) => setImmediate(resolve))

test.group('Edits of the simulated Google Play', () => {
  test('an edit that somebody else deleted is made again, at most three times in all', async ({
    assert,
  }) => {
    for (const deleted of [0, 1, 2]) {
      const { ctx, opened } = store(deleted)
      assert.deepEqual((await withEdit(ctx, commit)).releases, [])
      assert.lengthOf(opened, deleted + 1)
    }
    const { ctx, opened } = store(99)
    await assert.rejects(() => withEdit(ctx, commit), 'editDeleted')
    assert.lengthOf(opened, 3)
  })

  test('an edit that stops a rollout is made again more often, but not forever', async ({
    assert,
  }) => {
    const { ctx, opened } = store(9)
    await withEdit(ctx, commit, { isStop: true })
    assert.lengthOf(opened, 10)
    const never = store(99)
    await assert.rejects(() => withEdit(never.ctx, commit, { isStop: true }), 'editDeleted')
    assert.lengthOf(never.opened, 10)
  })

  test('other refusals are not retried', async ({ assert }) => {
    const { ctx, opened } = store(0)
    const refuse = () => withEdit(ctx, () => Promise.reject(new Error('no')))
    await assert.rejects(refuse, 'no')
    assert.lengthOf(opened, 1)
  })

  test('edits of one app come one after the other; other worlds do not wait', async ({
    assert,
  }) => {
    const [one, other] = [store(0), store(0, 'another.secret')]
    let free!: () => void
    const held = new Promise<void>((resolve) => (free = resolve))
    const first = withEdit(one.ctx, () => held)
    const second = withEdit(one.ctx, () => Promise.resolve('second'))
    assert.equal(await withEdit(other.ctx, () => Promise.resolve('other')), 'other')
    assert.lengthOf(one.opened, 1)
    free()
    await first
    assert.equal(await second, 'second')
  })

  test('a stop waits for no other edit, and an edit that it deleted waits for the stop', async ({
    assert,
  }) => {
    const { ctx, opened } = store(0, 'stopped.secret')
    const done: string[] = []
    let [free, freeStop]: (() => void)[] = []
    const held = new Promise<void>((resolve) => (free = resolve))
    const heldStop = new Promise<void>((resolve) => (freeStop = resolve))
    let count = 0
    const growth = withEdit(ctx, async () => {
      if (++count > 1) return done.push('growth')
      await held
      throw refused('editDeleted')
    })
    await turn()
    const stop = withEdit(
      ctx,
      async () => {
        await heldStop
        done.push('stop')
      },
      { isStop: true }
    )
    await turn()
    assert.lengthOf(opened, 2, 'Both are open')
    free()
    await turn()
    assert.lengthOf(opened, 2, 'The growth makes no edit that would delete that of the stop')
    freeStop()
    await Promise.all([stop, growth])
    assert.deepEqual(done, ['stop', 'growth'])
  })

  test('the sender of changes is learnt by one refusal, and again after a change', async ({
    assert,
  }) => {
    let isByHand = true
    const { ctx, opened, committed } = store(0, 'learning.secret', (isKeptBack) => {
      if (isKeptBack === isByHand) return null
      return isByHand ? 'notSentAutomatically' : 'sentAutomatically'
    })
    await withEdit(ctx, commit)
    await withEdit(ctx, commit)
    assert.lengthOf(opened, 3, 'Only the first was refused')
    isByHand = false
    await withEdit(ctx, commit)
    await withEdit(ctx, commit)
    assert.lengthOf(opened, 6)
    assert.deepEqual(committed, [true, true, false, false])
    const never = store(0, 'confused.secret', (isKeptBack) =>
      isKeptBack ? 'sentAutomatically' : 'notSentAutomatically'
    )
    await assert.rejects(() => withEdit(never.ctx, commit), 'sentAutomatically')
    assert.lengthOf(never.opened, 2)
  })
})
