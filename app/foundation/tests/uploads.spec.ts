import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import type { Readable } from 'node:stream'
import { setTimeout as pause } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { test } from '@japa/runner'
import vine from '@vinejs/vine'
import { readForm } from '../api/http/read_form.js'
import { ok } from '../api/operation/answer.js'
import { admin, operation, upload, type UploadedFile } from '../api/operation/declaration.js'
import { discardFiles, readStoredFile, storeFile } from '../core/files/stored_files.js'
import { newId, randomText } from '../core/ids.js'
import { refuse } from '../core/problems/problem.js'
import { unitOfWork } from '../core/services.js'
import { onEveryDisk, storedKeys } from '#tests/support/disks'
import { fileHead, form, FORM_END, formHeaders } from '#tests/support/form'
import { endingWith, serveAlone } from '#tests/support/upload_server'
import { makeWorld } from '#tests/support/world'

const MIB = 1024 * 1024

const bodyData = vine.create({ notes: vine.string().maxLength(20).optional() })

/** An operation that keeps what is uploaded, served alone, with what it received. */
async function service({
  maxBytes = MIB,
  stores = true,
  transactions = unitOfWork,
  handle = () => {},
}: {
  maxBytes?: number
  stores?: boolean
  transactions?: typeof unitOfWork
  handle?: () => void
} = {}) {
  const world = await makeWorld()
  const prefix = `uploads-test-${randomText(8)}`
  const received: UploadedFile<{ notes?: string }>[] = []
  const declared = operation<string>({
    id: 'uploadForTest',
    method: 'POST',
    path: '/org/{orgId}/upload',
    tag: 'Organization',
    summary: 'Upload for a test',
    description: 'Keeps a file.',
    access: admin,
    body: upload({
      name: 'UploadForTest',
      description: 'A file.',
      maxBytes,
      data: { validator: bodyData, example: {} },
      async receive(file) {
        received.push(file)
        const key = `${prefix}/${newId('file')}`
        if (stores) await storeFile(key, file, file.contentType)
        return { value: key, keys: [key] }
      },
    }),
    answers: { 200: { description: 'Kept.' } },
    async handle({ body }) {
      handle()
      return ok({ key: body })
    },
  })
  const server = await serveAlone(declared, { transactions })
  const send = server.client(world.adminKey)
  /** Keys of what is stored. */
  const stored = () => storedKeys(`${prefix}/`)
  const close = async () => {
    server.close()
    await discardFiles(await stored())
  }
  return { ...server, world, send, stored, received, close }
}

const digestOf = (bytes: Buffer | string) =>
  `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`

/** Opens a request of which the test sends what it pleases. */
function openRequest(base: string, key: string, headers: Record<string, string> = {}) {
  const request = httpRequest(base, {
    method: 'POST',
    headers: { 'x-api-key': key, ...formHeaders, ...headers },
  })
  request.on('error', () => {})
  const answered = once(request, 'response').then(async ([response]) => {
    const chunks: Buffer[] = await response.toArray()
    return { status: response.statusCode, body: JSON.parse(Buffer.concat(chunks).toString()) }
  })
  answered.catch(() => {})
  return { request, answered }
}

/** Waits until something is so; the test's own time runs out when it never is. */
async function until(isSo: () => boolean) {
  while (!isSo()) await pause(5)
}

onEveryDisk('An upload', () => {
  test('arrives whole, with its digest and what came with it, in any order', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, spooled, received, close } = await service()
    cleanup(close)
    const file = Buffer.from('the bytes \r\n--of the file')
    for (const dataLast of [false, true]) {
      const body = form({ file, fileName: 'Acme.ipa' }, '{"notes":"Hi","more":1}', { dataLast })
      const { status, body: answer } = await send(body)
      assert.equal(status, 200)
      assert.equal(String(await readStoredFile(answer.key)), file.toString())
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

  test('may give digests of the file or of the whole body; a wrong one is 400', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, spooled, close } = await service()
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

  test('has data that is text of JSON, of at most 64 KiB; without it, data is {}', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, received, spooled, close } = await service()
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
        const answer = await send(form({ file: 'x' }, data, { dataLast }))
        assert.deepEqual([answer.status, answer.body.code], [status, code], data.slice(0, 60))
        for (const { pointer } of answer.body.errors) assert.match(pointer, /^\/data/)
      }
    }
    assert.isEmpty(received)
    assert.isEmpty(await stored())
    assert.equal((await send(form({ file: 'x' }))).status, 200)
    assert.deepEqual(received[0].data, {})
    assert.isEmpty(spooled())
  })

  test('413 that names the limit, before anything is read when its length is given', async ({
    assert,
    cleanup,
  }) => {
    const { base, world, send, stored, received, spooled, close } = await service()
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

    // What follows the last part counts as well.
    const endless = openRequest(base, world.adminKey)
    endless.request.write(fileHead({}) + FORM_END + 'x'.repeat(2 * MIB))
    assert.equal((await endless.answered).status, 413)
    endless.request.destroy()
    assert.lengthOf(received, 1)
    assert.lengthOf(await stored(), 1)
    assert.isEmpty(spooled())
  })

  test('415 when it is compressed, 400 when there is no file or more than one', async ({
    assert,
    cleanup,
  }) => {
    const { send, spooled, close } = await service()
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

  test('is not held in memory', async ({ assert, cleanup }) => {
    const { base, world, received, spooled, close } = await service({
      maxBytes: 64 * MIB,
      stores: false,
    })
    cleanup(close)
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    const held = () => {
      // Buffers are swept beside the first collection, and gone by the second.
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

  test('that is aborted or cut off leaves nothing behind', async ({ assert, cleanup }) => {
    const { base, world, received, stored, spooled, close } = await service()
    cleanup(close)
    for (const end of ['destroy', 'end'] as const) {
      const { request } = openRequest(base, world.adminKey)
      request.write(fileHead({}) + 'x'.repeat(100_000))
      await until(() => spooled().length === 1)
      request[end]()
      await until(() => spooled().length === 0)
    }
    // A length that is promised and not kept.
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

test.group('A form', () => {
  test('that stops arriving is given up, and what took its file in has ended', async ({
    assert,
    cleanup,
  }) => {
    let read: Promise<unknown> = Promise.resolve()
    let taken = ''
    const server = createServer((request) => {
      const take = async (file: Readable) => {
        try {
          for await (const chunk of file) taken += chunk
        } finally {
          await pause(20)
          taken += ', ended'
        }
      }
      read = readForm(request, { maxBytes: MIB, take, idleMs: 50 })
    }).listen(0, '127.0.0.1')
    cleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { request } = openRequest(`http://127.0.0.1:${port}`, 'none')
    const asked = once(server, 'request')
    request.write(`${fileHead({})}half`)
    await asked
    await assert.rejects(() => read as Promise<void>, 'The body stopped arriving.')
    assert.equal(taken, 'half, ended')
  })
})

test.group('A form that drips', () => {
  test('is given up as one that stops', async ({ assert, cleanup }) => {
    const { promise: read, resolve } = Promise.withResolvers<unknown>()
    const server = createServer((request) => {
      const take = async (file: Readable) => {
        await file.toArray()
      }
      resolve(readForm(request, { maxBytes: MIB, take, idleMs: 100 }))
    }).listen(0, '127.0.0.1')
    cleanup(() => {
      server.closeAllConnections()
      server.close()
    })
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { request } = openRequest(`http://127.0.0.1:${port}`, 'none')
    request.write(fileHead({}))
    const drip = setInterval(() => request.write('x'), 5)
    cleanup(() => clearInterval(drip))
    await assert.rejects(() => read as Promise<void>, 'The body stopped arriving.')
  })
})

onEveryDisk('What an upload stored', () => {
  test('goes when the handler refuses, and when the Idempotency-Key is malformed', async ({
    assert,
    cleanup,
  }) => {
    const { send, stored, received, spooled, close } = await service({
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

  test('goes when the transaction surely failed, and stays when nobody knows', async ({
    assert,
    cleanup,
  }) => {
    const failures = [
      [endingWith(refuse('not_stored'), { isDone: false }), 'not_stored', 0],
      [endingWith(new Error('broken'), { isDone: false }), 'internal_error', 0],
      [endingWith(refuse('outcome_unknown')), 'outcome_unknown', 1],
    ] as const
    for (const [transactions, code, left] of failures) {
      const { send, stored, spooled, close } = await service({ transactions })
      cleanup(close)
      const { body } = await send(form({ file: 'x' }))
      assert.equal(body.code, code)
      assert.lengthOf(await stored(), left, code)
      assert.isEmpty(spooled())
    }
  })

  test('stays once however often the request is repeated', async ({ assert, cleanup }) => {
    const { send, stored, received, spooled, close } = await service()
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

  test('is nothing when the storage does not take it', async ({ assert }) => {
    const key = `uploads-test/${newId('file')}`
    const failing = () => storeFile(key, { path: '/nowhere/at/all', size: 5 }, 'text/plain')
    await assert.rejects(failing, 'The file could not be stored; nothing was changed.')
    assert.isNull(await readStoredFile(key))
  })
})
