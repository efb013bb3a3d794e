import { once } from 'node:events'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { UploadLocks } from '#foundation/api/resumable/upload_lock'
import { UploadLease } from '#foundation/api/resumable/upload_lease'
import { unitOfWork } from '#foundation/core/services'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { makeBucket, sha256 } from './support.js'
import { arrivedAt, begin, offsetOf, openPatch, send } from './tus_requests.js'

test.group('Uploads with requests to several processes', () => {
  if (process.env.DATABASE_URL) {
    test('continue in another process, which ends the hanging request', async ({
      assert,
      cleanup,
    }) => {
      const { admin, path, world } = await makeBucket()
      const service = await startService({ WORK_IN_SERVER: 'false' })
      cleanup(() => service.kill())
      const other = new Api(world.adminKey, service.base)
      const { headers } = await begin(admin, path, 60_000)
      const at = headers.location
      const hanging = openPatch(world.adminKey, at, 0, 60_000)
      hanging.write(Buffer.alloc(40_000, 'a'))
      await arrivedAt(other, at, 40_000)
      const answered = once(hanging, 'response')
      assert.equal(await offsetOf(other, at), '40000')
      const [response] = await answered
      assert.isBelow(response.statusCode, 500)
      hanging.destroy()
      assert.equal((await send(other, at, 40_000, Buffer.alloc(10_000, 'b'))).status, 204)
      // The first process has not received what the other one has.
      assert.equal((await send(admin, at, 50_000, Buffer.alloc(10_000, 'c'))).status, 204)
      assert.equal(await offsetOf(other, at), '60000')
      const { body } = await admin.get(`${path}/builds`)
      const got = await admin.get(`${path}/build/${body.data[0].id}/download`)
      const whole = sha256('a'.repeat(40_000) + 'b'.repeat(10_000) + 'c'.repeat(10_000))
      assert.deepEqual([sha256(got.text), got.headers.etag], [whole, `"${whole}"`])
    }).timeout(60_000)
  }

  /** Makes an upload, and requests for it as of separate processes. */
  async function turns() {
    const { admin, path, world } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const id = headers.location.split('/').at(-1)!
    const { signal } = new AbortController()
    return {
      id,
      /** Starts a request that ends when it is asked to, or never. */
      enter(isPatient = true, patienceMs?: number) {
        const turn = new UploadLease(unitOfWork.readScope(world.principal), id, patienceMs)
        const lock = turn.within(new UploadLocks()).newLock(id)
        const asked = Promise.withResolvers<void>()
        const taken = lock.lock(signal, async () => {
          asked.resolve()
          if (isPatient) await lock.unlock().then(() => turn.end())
        })
        return { turn, taken, asked: asked.promise }
      },
    }
  }

  test('are handled by one request at a time; a new one ends its predecessor', async ({
    assert,
  }) => {
    const { id, enter } = await turns()
    const first = enter()
    await first.taken
    const second = enter()
    await Promise.all([first.asked, second.taken])
    const holder = async () => (await db.from('resumable_uploads').where('id', id).first()).holder
    assert.isNotNull(await holder())
    await first.turn.end()
    assert.isNotNull(await holder(), 'the first request no longer holds the turn')
    await second.turn.end()
    assert.isNull(await holder())
  })

  test('wait only a limited time for a request that does not end, and not for a killed process', async ({
    assert,
  }) => {
    const { id, enter } = await turns()
    const first = enter(false)
    await first.taken
    await assert.rejects(() => enter(true, 0).taken)
    // The state after a process was killed: the lease has expired.
    await first.turn.end()
    const held = { holder: 'turn_gone', held_until: '2020-01-01T00:00:00.000Z' }
    await db.from('resumable_uploads').where('id', id).update(held)
    const third = enter()
    await third.taken
    await third.turn.end()
  })

  test('accept no writes from a request that has lost its turn', async ({ assert }) => {
    const { id, enter } = await turns()
    const first = enter(false)
    await first.taken
    assert.doesNotThrow(() => first.turn.requireOwn())
    await db.from('resumable_uploads').where('id', id).update({ holder: 'turn_other' })
    await first.asked
    assert.throws(() => first.turn.requireOwn())
    await assert.rejects(() => first.turn.recordFinishing())
    await first.turn.end()
  })

  test('accept no writes, and make nobody wait, while the complete file is processed', async ({
    assert,
  }) => {
    const { enter } = await turns()
    const first = enter(false)
    await first.taken
    await first.turn.recordFinishing()
    const second = enter()
    await second.taken
    assert.throws(() => second.turn.requireNotFinishing())
    assert.doesNotThrow(() => first.turn.requireNotFinishing())
    await first.turn.end()
    const third = enter()
    await third.taken
    assert.doesNotThrow(() => third.turn.requireNotFinishing())
    await third.turn.end()
  })
})
