import { readdirSync } from 'node:fs'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { uploads } from '#config/uploads'
import { onEveryDisk } from '#tests/support/disks'
import { form } from '#tests/support/form'
import { makeBucket, storedKeys } from './support.js'
import { runs } from '#tests/support/effort'

/** Returns the names of the files in the spool. */
const spooled = () => readdirSync(uploads.spool)

/** Sends the first bytes of a request, then disconnects. Resolves once the socket is closed. */
function sendCut(bytes: Buffer, end: 'destroy' | 'end'): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect(Number(process.env.PORT), '127.0.0.1', () => {
      socket.write(bytes, () => socket[end]())
    })
    socket.resume()
    socket.on('error', () => {})
    socket.on('close', () => resolve())
  })
}

onEveryDisk('An upload that is cut', () => {
  test('leaves neither row nor file, wherever it is cut', async ({ assert }) => {
    const { world, path, upload } = await makeBucket()
    await upload({ bytes: 'first' })
    const before = await storedKeys()
    const body = form({ file: Buffer.alloc(70_000, 'x') }, '{"testerNotes":"Hi"}')
    const head = Buffer.from(
      `POST ${path}/build HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.adminKey}\r\n` +
        `content-type: ${body.headers['content-type']}\r\ncontent-length: ${body.raw.length}\r\n\r\n`
    )
    const whole = Buffer.concat([head, body.raw])
    const anywhere = fc.integer({ min: 1, max: whole.length - 1 })
    const nearTheEnd = fc.integer({ min: whole.length - 60, max: whole.length - 1 })
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(anywhere, nearTheEnd),
        fc.constantFrom('destroy' as const, 'end' as const),
        async (length, end) => {
          await sendCut(whole.subarray(0, length), end)
        }
      ),
      { numRuns: runs(40) }
    )
    // Aborted uploads may still be cleaned up when another upload has finished.
    assert.equal((await upload({ bytes: 'last' })).status, 200)
    while (spooled().length > 0) await pause(5)
    const rows = await db.from('distribution_builds').where('organization_id', world.organizationId)
    assert.lengthOf(rows, 2)
    assert.lengthOf(await storedKeys(), before.length + 1)
  })
})
