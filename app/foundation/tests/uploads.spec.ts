import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from '@japa/runner'
import { readStoredFile } from '../core/files/stored_files.js'
import { onEveryDisk } from '#tests/support/disks'
import { fileHead, form, FORM_END, formHeaders } from '#tests/support/form'
import { MIB, openRequest, uploadService } from './helpers/upload_service.js'

const digestOf = (bytes: Buffer | string) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`

/** Waits until a condition holds; otherwise the test times out. */
async function until(condition: () => boolean) {
  while (!condition()) await pause(5)
}

onEveryDisk('An upload', () => {
  test('arrives whole, with its digest and its data, in any order', async ({ assert, cleanup }) => {
    const { send, stored, spooled, received, close } = await uploadService()
    cleanup(close)
    const file = Buffer.from('the bytes \r\n--of the file')
    for (const dataLast of [false, true]) {
      const body = form({ file, fileName: 'Acme.ipa' }, '{"notes":"Hi","more":1}', { dataLast })
      const { status, body: result } = await send(body)
      assert.equal(status, 200)
      assert.equal(String(await readStoredFile(result.key)), file.toString())
      assert.containSubset(received.at(-1), {
        size: file.length,
        sha256: createHash('sha256').update(file).digest('hex'),
        contentType: 'application/octet-stream',
        fileName: 'Acme.ipa',
        data: { notes: 'Hi' },
      })
    }
    assert.lengthOf(await stored(), 2)
    assert.isEmpty(spooled())
  })

  test('may declare digests of the file or of the whole body, and a wrong one is refused', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, spooled, close } = await uploadService()
    cleanup(close)
    const body = form({ file: 'bytes' })
    for (const header of ['content-digest', 'repr-digest']) {
      for (const right of [digestOf('bytes'), digestOf(body.raw), 'md5=:AAAA:']) {
        assert.equal((await send(body, { [header]: right })).status, 200, right)
      }
      const before = await stored()
      for (const wrong of [digestOf('other'), 'sha-256=?1', `md5=:AA:, ${digestOf('other')}`]) {
        const { status, body: problem } = await send(body, { [header]: wrong })
        assert.deepEqual([status, problem.code], [400, 'digest_mismatch'], wrong)
      }
      assert.deepEqual(await stored(), before)
    }
    assert.isEmpty(spooled())
  })

  test('has data as JSON text of at most 64 KiB, which is {} by default', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, received, spooled, close } = await uploadService()
    cleanup(close)
    const long = JSON.stringify({ more: 'x'.repeat(64 * 1024) })
    const cases: [string, number, string][] = [
      ['{', 400, 'malformed_json'],
      ['[]', 422, 'invalid_input'],
      [JSON.stringify({ notes: 'x'.repeat(21) }), 422, 'invalid_input'],
      [JSON.stringify({ notes: '\0' }), 422, 'invalid_input'],
      [long, 413, 'too_large'],
    ]
    for (const [data, status, code] of cases) {
      for (const dataLast of [false, true]) {
        const response = await send(form({ file: 'x' }, data, { dataLast }))
        assert.deepEqual([response.status, response.body.code], [status, code], data.slice(0, 60))
        for (const { pointer } of response.body.errors) assert.match(pointer, /^\/data/)
      }
    }
    assert.isEmpty(received)
    assert.isEmpty(await stored())
    assert.equal((await send(form({ file: 'x' }))).status, 200)
    assert.deepEqual(received[0].data, {})
    assert.isEmpty(spooled())
  })

  test('is refused with 413 if it is too large, before it is read if its length is given', async ({
    assert,
    cleanup,
  }) => {
    const { base, world, send, stored, received, spooled, close } = await uploadService()
    cleanup(close)
    const tooLong = await send(form({ file: Buffer.alloc(MIB + 1) }))
    assert.equal(tooLong.status, 413)
    assert.include(tooLong.body.detail, '1 MiB')
    assert.equal(tooLong.body.limit, MIB)
    assert.equal((await send(form({ file: Buffer.alloc(MIB) }))).status, 200)

    const announced = openRequest(base, world.adminKey, { 'content-length': String(4 * MIB) })
    announced.request.flushHeaders()
    assert.equal((await announced.answered).status, 413)
    announced.request.destroy()

    // Bytes after the last part count as well.
    const endless = openRequest(base, world.adminKey)
    endless.request.write(fileHead({}) + FORM_END + 'x'.repeat(2 * MIB))
    assert.equal((await endless.answered).status, 413)
    endless.request.destroy()
    assert.lengthOf(received, 1)
    assert.lengthOf(await stored(), 1)
    assert.isEmpty(spooled())
  })

  test('is refused if it is compressed, or has no file or more than one', async ({
    assert,
    cleanup,
  }) => {
    const { send, spooled, close } = await uploadService()
    cleanup(close)
    const body = form({ file: 'x' })
    assert.equal((await send(body, { 'content-encoding': 'gzip' })).status, 415)
    const twice = Buffer.concat([
      Buffer.from(`${fileHead({})}one\r\n`),
      form({ file: 'two' }, '{}').raw,
    ])
    const part = form({ file: 'x' }, '{}').raw.toString().split('content-disposition')[1]
    const twoData = form(
      { file: 'x' },
      `{}\r\n--tarmac-test-boundary\r\ncontent-disposition${part}`
    ).raw
    for (const raw of [twice, twoData, form({ file: 'x', field: 'other' }).raw]) {
      const { status, body: problem } = await send({ ...body, raw })
      assert.deepEqual([status, problem.code], [400, 'malformed_multipart'])
    }
    assert.isEmpty(spooled())
  })

  test('leaves nothing behind if it is aborted or cut off', async ({ assert, cleanup }) => {
    const { base, world, received, stored, spooled, close } = await uploadService()
    cleanup(close)
    for (const end of ['destroy', 'end'] as const) {
      const { request } = openRequest(base, world.adminKey)
      request.write(fileHead({}) + 'x'.repeat(100_000))
      await until(() => spooled().length === 1)
      request[end]()
      await until(() => spooled().length === 0)
    }
    // A body that is shorter than its Content-Length.
    const { hostname, port } = new URL(base)
    const socket = connect(Number(port), hostname)
    const head = `POST / HTTP/1.1\r\nhost: x\r\nx-api-key: ${world.adminKey}\r\ncontent-type: ${formHeaders['content-type']}\r\ncontent-length: 90000\r\n\r\n`
    socket.write(`${head}${fileHead({})}half`)
    await until(() => spooled().length === 1)
    socket.destroy()
    await until(() => spooled().length === 0)
    assert.isEmpty(received)
    assert.isEmpty(await stored())
  })
})

test('An upload is not held in memory', async ({ assert, cleanup }) => {
  const { base, world, received, spooled, close } = await uploadService({
    maxBytes: 64 * MIB,
    stores: false,
  })
  cleanup(close)
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  const held = () => {
    // The first collection sweeps buffers in the background; after the second they are gone.
    collect()
    collect()
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }
  const chunk = Buffer.alloc(MIB, 'x')
  const { request, answered } = openRequest(base, world.adminKey)
  const write = async (bytes: Buffer | string) => {
    if (!request.write(bytes)) await once(request, 'drain')
  }
  await write(fileHead({}))
  const before = held()
  let most = 0
  for (let sent = 1; sent <= 64; sent++) {
    await write(chunk)
    if (sent % 8 === 0) most = Math.max(most, held() - before)
  }
  assert.lengthOf(spooled(), 1)
  request.end(FORM_END)
  assert.equal((await answered).status, 200)
  assert.equal(received[0].size, 64 * MIB)
  assert.isBelow(most, 8 * MIB)
  assert.isEmpty(spooled())
})
