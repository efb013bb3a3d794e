import { test } from '@japa/runner'
import type { PluginContext } from '#plugin-kit/context'
import { ProviderError } from '#plugin-kit/provider_error'
import { withEdit } from '../provider/google_play/edits.js'

/** A store in which a number of edits are deleted by somebody else before they are committed. */
function store(deleted: number, token = 'org.secret') {
  const opened: string[] = []
  const send = async ({ path }: { path: string }) => {
    if (path.endsWith('/edits')) {
      opened.push(String(opened.length + 1))
      return { body: { id: opened.at(-1) } }
    }
    if (opened.length > deleted) return { body: { releases: [] } }
    throw new ProviderError('conflict', 'gone', { outcome: 'notApplied', reason: 'editDeleted' })
  }
  const ctx = { data: { bundleId: 'a.b' }, secret: () => token, http: { send } }
  return { ctx: ctx as unknown as PluginContext, opened }
}

test.group('Edits of the simulated Google Play', () => {
  test('one that somebody else deleted is made anew, three times at most', async ({ assert }) => {
    for (const deleted of [0, 1, 2]) {
      const { ctx, opened } = store(deleted)
      assert.deepEqual(await withEdit(ctx, (edit) => edit.commit({})), [])
      assert.lengthOf(opened, deleted + 1)
    }
    const { ctx, opened } = store(9)
    await assert.rejects(() => withEdit(ctx, (edit) => edit.commit({})), 'gone')
    assert.lengthOf(opened, 3)
  })

  test('what else is refused is not tried again', async ({ assert }) => {
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
})
