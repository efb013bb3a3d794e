import { test } from '@japa/runner'
import { readStoredFile, storeFile } from '../core/files/stored_files.js'
import { newId } from '../core/ids.js'
import { refuse } from '../core/problems/problem.js'
import { onEveryDisk } from '#tests/support/disks'
import { form } from '#tests/support/form'
import { endingWith } from '#tests/support/upload_server'
import { uploadService } from './helpers/upload_service.js'

onEveryDisk('The stored file of an upload', () => {
  test('is removed if the handler refuses, and not stored if the Idempotency-Key is malformed', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, received, spooled, close } = await uploadService({
      handle: () => {
        throw refuse('conflict')
      },
    })
    cleanup(close)
    assert.equal((await send(form({ file: 'x' }))).status, 409)
    assert.lengthOf(received, 1)
    assert.isEmpty(await stored())
    assert.equal((await send(form({ file: 'x' }), { 'idempotency-key': 'a b' })).status, 400)
    assert.isEmpty(await stored())
    assert.isEmpty(spooled())
  })

  test('is removed if the transaction certainly failed, and kept if its outcome is unknown', async ({
    assert,
    cleanup,
  }) => {
    const failures = [
      [endingWith(refuse('not_stored'), { isDone: false }), 'not_stored', 0],
      [endingWith(new Error('broken'), { isDone: false }), 'internal_error', 0],
      [endingWith(refuse('outcome_unknown')), 'outcome_unknown', 1],
    ] as const
    for (const [transactions, code, left] of failures) {
      const { send, stored, spooled, close } = await uploadService({ transactions })
      cleanup(close)
      const { body } = await send(form({ file: 'x' }))
      assert.equal(body.code, code)
      assert.lengthOf(await stored(), left, code)
      assert.isEmpty(spooled())
    }
  })

  test('is kept once, however often the request is repeated', async ({ assert, cleanup }) => {
    const { send, stored, received, spooled, close } = await uploadService()
    cleanup(close)
    const key = { 'idempotency-key': 'once' }
    const first = await send(form({ file: 'x' }, '{"notes":"a"}'), key)
    assert.equal(first.status, 200)
    for (const dataLast of [false, true]) {
      const again = await send(form({ file: 'x' }, '{"notes":"a"}', { dataLast }), key)
      assert.deepEqual([again.status, again.text], [200, first.text])
      assert.equal(again.headers['idempotent-replayed'], 'true')
    }
    for (const other of [form({ file: 'y' }, '{"notes":"a"}'), form({ file: 'x' }, '{}')]) {
      const { status, body } = await send(other, key)
      assert.deepEqual([status, body.code], [422, 'idempotency_mismatch'])
    }
    assert.lengthOf(received, 5)
    assert.deepEqual(await stored(), [first.body.key])
    assert.isEmpty(spooled())
  })

  test('does not exist if the storage fails', async ({ assert }) => {
    const key = `uploads-test/${newId('file')}`
    const failing = () => storeFile(key, { path: '/nowhere/at/all', size: 5 }, 'text/plain')
    await assert.rejects(failing, 'The file could not be stored; nothing was changed.')
    assert.isNull(await readStoredFile(key))
  })
})
