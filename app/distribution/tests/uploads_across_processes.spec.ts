import { once } from 'node:events'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { UploadLocks } from '#foundation/api/resumable/upload_lock'
import { UploadLease } from '#foundation/api/resumable/upload_lease'
import { unitOfWork } from '#foundation/core/services'
import { Api } from '#tests/support/api'
import { startService } from '#tests/support/processes'
import { makeBucket, sha256 } from './support.js'
import { waitForOffset, begin, offsetOf, openPatch, send } from './tus_requests.js'

test.group('Requests for one upload to several processes', () => {
  if (process.env.DATABASE_URL) {
    test('continue the upload in another process, which ends the hanging request', async ({
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
      await waitForOffset(other, at, 40_000)
      const response = once(hanging, 'response')
      assert.equal(await offsetOf(other, at), '40000')
      const [{ statusCode }] = await response
      assert.isBelow(statusCode, 500)
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

  /** Begins an upload. Each request for it has locks of its own, as in a process of its own. */
  async function sharedUpload() {
    const { admin, path, world } = await makeBucket()
    const { headers } = await begin(admin, path, 9)
    const id = headers.location.split('/').at(-1)!
    const { signal } = new AbortController()
    return {
      id,
      /** Starts a request. When another one asks it to end, it ends only if `yields` is set. */
      startRequest({ yields = true, patienceMs }: { yields?: boolean; patienceMs?: number } = {}) {
        const lease = new UploadLease(unitOfWork.readScope(world.principal), id, patienceMs)
        const lock = lease.within(new UploadLocks()).newLock(id)
        const releaseRequested = Promise.withResolvers<void>()
        const taken = lock.lock(signal, async () => {
          releaseRequested.resolve()
          if (yields) await lock.unlock().then(() => lease.end())
        })
        return { lease, taken, releaseRequested: releaseRequested.promise }
      },
    }
  }

  test('run one at a time; a new one ends its predecessor', async ({ assert }) => {
    const { id, startRequest } = await sharedUpload()
    const first = startRequest()
    await first.taken
    const second = startRequest()
    await Promise.all([first.releaseRequested, second.taken])
    const holder = async () => (await db.from('resumable_uploads').where('id', id).first()).holder
    assert.isNotNull(await holder())
    await first.lease.end()
    assert.isNotNull(await holder(), 'the second request holds the lease')
    await second.lease.end()
    assert.isNull(await holder())
  })

  test('wait a limited time for one that does not end, and not at all for a killed process', async ({
    assert,
  }) => {
    const { id, startRequest } = await sharedUpload()
    const first = startRequest({ yields: false })
    await first.taken
    await assert.rejects(() => startRequest({ patienceMs: 0 }).taken)
    // The state after a process was killed: the lease has expired.
    await first.lease.end()
    const held = { holder: 'turn_gone', held_until: '2020-01-01T00:00:00.000Z' }
    await db.from('resumable_uploads').where('id', id).update(held)
    const third = startRequest()
    await third.taken
    await third.lease.end()
  })

  test('may not write after they have lost their lease', async ({ assert }) => {
    const { id, startRequest } = await sharedUpload()
    const first = startRequest({ yields: false })
    await first.taken
    assert.doesNotThrow(() => first.lease.requireOwn())
    await db.from('resumable_uploads').where('id', id).update({ holder: 'turn_other' })
    await first.releaseRequested
    assert.throws(() => first.lease.requireOwn())
    await assert.rejects(() => first.lease.recordFinishing())
    await first.lease.end()
  })

  test('are refused without a wait while another processes the complete file', async ({
    assert,
  }) => {
    const { startRequest } = await sharedUpload()
    const first = startRequest({ yields: false })
    await first.taken
    await first.lease.recordFinishing()
    const second = startRequest()
    await second.taken
    assert.throws(() => second.lease.requireNotFinishing())
    assert.doesNotThrow(() => first.lease.requireNotFinishing())
    await first.lease.end()
    const third = startRequest()
    await third.taken
    assert.doesNotThrow(() => third.lease.requireNotFinishing())
    await third.lease.end()
  })
})
