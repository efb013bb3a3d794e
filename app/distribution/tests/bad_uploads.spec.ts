import { randomBytes } from 'node:crypto'
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request as httpRequest } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeCustomCi } from '#builds/tests/support'
import { uploads } from '#config/uploads'
import { Api } from '#tests/support/api'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { fileHead, form, FORM_END, formHeaders } from '#tests/support/form'
import { startService } from '#tests/support/processes'
import type { World } from '#tests/support/world'
import { makeBucket, sendFile, storedKeys } from './support.js'

/*
 * Invalid uploads, case by case: each gets a clear problem, leaves nothing behind and affects no other
 * upload. Each is sent to every operation that takes builds or files. Other specs cover cuts at any byte
 * (cut_uploads), sizes, digests, orders and parts (foundation/tests/uploads, multipart), the same
 * file many times at once (upload_build), a storage that fails or is full (storage_failures),
 * archives that are bombs (archives/tests, read_build), uploads in parts (resumable_uploads).
 */

const MIB = 1024 * 1024

/** An invalid body, and the expected answer. */
interface Bad {
  raw: Buffer
  headers?: Record<string, string>
  status: number
  code: string
  pointer?: string
}

const wrongDigest = { 'content-digest': `sha-256=:${Buffer.alloc(32).toString('base64')}:` }
const named = (raw: string, name: string) => Buffer.from(raw.replace('name="file"', name))
const malformed = { status: 400, code: 'malformed_multipart' }

const field = (name: string, value: string) =>
  Buffer.from(
    `--tarmac-test-boundary\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  )
/** Larger than one chunk. */
const large = Buffer.alloc(300 * 1024, 'x')

/** Returns invalid uploads by name. @param data a valid part `data` for the operation */
function badUploads(data: string): Record<string, Bad> {
  const good = form({ file: 'the build' }, data)
  const text = good.raw.toString()
  const twice = Buffer.concat([Buffer.from(`${fileHead({})}one\r\n`), good.raw])
  return {
    'no part': { raw: Buffer.from('--tarmac-test-boundary--\r\n'), ...malformed },
    'data alone': {
      raw: Buffer.from(
        `${text.slice(0, text.lastIndexOf('\r\n--', text.indexOf('name="file"')))}${FORM_END}`
      ),
      ...malformed,
      pointer: '/file',
    },
    'two files': { raw: twice, ...malformed },
    'a file of another name': { raw: named(text, 'name="build"'), ...malformed },
    'a file name that is no name of a field': {
      raw: named(text, 'name="items[30000000]"'),
      ...malformed,
    },
    'an empty file': {
      raw: form({ file: '' }, data).raw,
      status: 422,
      code: 'invalid_input',
      pointer: '/file',
    },
    'no end': { raw: good.raw.subarray(0, -8), ...malformed },
    'data twice, then a file that goes on': {
      raw: Buffer.concat([field('data', data), form({ file: large }, data).raw]),
      ...malformed,
    },
    'a field whose name is none, then a file that goes on': {
      raw: Buffer.concat([field('items[30000000]', 'x'), form({ file: large }, data).raw]),
      ...malformed,
    },
    '65 KiB of data, then a file that goes on': {
      raw: Buffer.concat([
        field('data', JSON.stringify({ more: 'x'.repeat(65 * 1024) })),
        form({ file: large }).raw,
      ]),
      status: 413,
      code: 'too_large',
    },
    'another boundary': {
      raw: good.raw,
      headers: { 'content-type': 'multipart/form-data; boundary=other' },
      ...malformed,
    },
    'no boundary': {
      raw: good.raw,
      headers: { 'content-type': 'multipart/form-data' },
      ...malformed,
    },
    'data that is no JSON': {
      raw: form({ file: 'x' }, '{"testerNotes"').raw,
      status: 400,
      code: 'malformed_json',
    },
    'data that is no JSON, after the file': {
      raw: form({ file: 'x' }, 'true false', { dataLast: true }).raw,
      status: 400,
      code: 'malformed_json',
    },
    'data that is no object': {
      raw: form({ file: 'x' }, '"text"').raw,
      status: 422,
      code: 'invalid_input',
      pointer: '/data',
    },
    '65 KiB of data': {
      raw: form({ file: 'x' }, JSON.stringify({ more: 'x'.repeat(65 * 1024) })).raw,
      status: 413,
      code: 'too_large',
    },
    'a wrong digest': {
      raw: good.raw,
      headers: wrongDigest,
      status: 400,
      code: 'digest_mismatch',
    },
    'another content type': {
      raw: Buffer.from('{}'),
      headers: { 'content-type': 'application/json' },
      status: 415,
      code: 'unsupported_media_type',
    },
    'a compressed body': {
      raw: good.raw,
      headers: { 'content-encoding': 'gzip' },
      status: 415,
      code: 'unsupported_media_type',
    },
    '21 parts': {
      raw: Buffer.concat([
        Buffer.from(
          '--tarmac-test-boundary\r\ncontent-disposition: form-data; name="more"\r\n\r\nx\r\n'.repeat(
            20
          )
        ),
        good.raw,
      ]),
      ...malformed,
    },
  }
}

/** Returns the names of the files in the spool. */
const spooled = () => (existsSync(uploads.spool) ? readdirSync(uploads.spool) : [])

/** Returns the paths of all operations that take a build or a file, each with valid data. */
async function places() {
  const bucket = await makeBucket()
  const ci = await makeCustomCi()
  const { body: build } = await bucket.upload({ bytes: 'there before' })
  const { body: ciBuild } = await ci.send({}, { bytes: 'there before' })
  const own = ({ admin, adminKey }: World) => ({ api: admin, key: adminKey })
  const custom = JSON.stringify({ ...CUSTOM_BUILD, buildIdentifier: 'bad' })
  return [
    { ...own(bucket.world), path: `${bucket.path}/build`, data: '{"testerNotes":null}' },
    { ...own(bucket.world), path: `${bucket.path}/build/${build.id}/additionalFiles`, data: '{}' },
    { ...own(ci.world), path: ci.path, data: custom },
    { ...own(ci.world), path: `${ci.path}/${ciBuild.id}/additionalFiles`, data: '{}' },
  ]
}

const counted = async () => {
  const tables = [
    'distribution_builds',
    'distribution_files',
    'ci_builds',
    'ci_build_files',
    'stored_files',
  ]
  const counts = tables.map(async (table) => (await db.from(table)).length)
  return Promise.all(counts)
}

test.group('An upload that is bad', () => {
  test('is refused with a reason, and leaves neither row nor file ({$self})')
    .with(Object.keys(badUploads('{}')))
    .run(async ({ assert }, name) => {
      for (const { api, path, data } of await places()) {
        const [rows, keys] = [await counted(), await storedKeys()]
        const { raw, headers, status, code, pointer } = badUploads(data)[name]
        const response = await api.send<any>('POST', path, {
          raw,
          headers: { ...formHeaders, ...headers },
        })
        assert.deepEqual(
          [response.status, response.body.code],
          [status, code],
          `${path} ${response.text}`
        )
        assert.isAbove(response.body.detail.length, 10)
        if (pointer) assert.equal(response.body.errors[0].pointer, pointer)
        assert.deepEqual(await counted(), rows)
        assert.deepEqual(await storedKeys(), keys)
      }
      assert.isEmpty(spooled())
    })

  test('is refused before it arrives if its stated length is over the limit', async ({
    assert,
  }) => {
    for (const { key, path } of await places()) {
      const status = await new Promise((resolve, reject) => {
        const request = httpRequest(`http://127.0.0.1:${process.env.PORT}${path}`, {
          method: 'POST',
          headers: { ...formHeaders, 'x-api-key': key, 'content-length': 6 * 1024 ** 3 },
        })
        request.on('error', reject)
        request.on('response', (response) => {
          resolve(response.statusCode)
          request.destroy()
        })
        request.flushHeaders()
      })
      assert.equal(status, 413)
    }
    assert.isEmpty(spooled())
  })

  test('because of its file name is stored under a harmless name', async ({ assert }) => {
    const { upload } = await makeBucket()
    const names: [string, RegExp][] = [
      ['../../etc/passwd', /^[^/\\]+$/],
      ['..\\..\\boot.ini', /^[^/\\]+$/],
      ['..', /^[^.]/],
      [`${'ä'.repeat(200)}.ipa`, /^.{1,255}$/u],
      ['A\u030angstro\u0308m.ipa', /^\u00c5ngstr\u00f6m\.ipa$/],
      ['gpj.\u202eexe.ipa', /^[^\u202a-\u202e]+$/],
      ['a\tb\u0007.ipa', /^\P{Cc}+$/u],
      ['CON.ipa', /^CON\.ipa$/],
      ['%2e%2e%2fetc', /^[^/\\]+$/],
    ]
    for (const [fileName, kept] of names) {
      const { status, body } = await upload({ bytes: fileName, fileName })
      assert.equal(status, 200, fileName)
      assert.match(body.artifactFileName, kept)
      assert.isAtMost(Buffer.byteLength(body.artifactFileName), 255)
    }
  })

  test('because it hangs delays no other upload, and is removed when its client disconnects', async ({
    assert,
  }) => {
    const { world, admin, path, upload } = await makeBucket()
    const hanging = Array.from({ length: 20 }, () => {
      const request = httpRequest(`http://127.0.0.1:${process.env.PORT}${path}/build`, {
        method: 'POST',
        headers: { ...formHeaders, 'x-api-key': world.adminKey },
      })
      request.on('error', () => {})
      request.write(`${fileHead({})}a byte now and then`)
      return request
    })
    while (spooled().length < hanging.length) await pause(5)
    assert.equal((await upload()).status, 200)
    assert.equal((await admin.get(`${path}/builds`)).body.data.length, 1)
    for (const request of hanging) request.destroy()
    while (spooled().length > 0) await pause(5)
    assert.lengthOf((await admin.get(`${path}/builds`)).body.data, 1)
  })

  if (!process.env.DATABASE_URL) {
    test('because the disk is full gets 503, while small uploads still work', async ({
      assert,
      cleanup,
    }) => {
      const home = mkdtempSync(join(tmpdir(), 'tarmac-full-'))
      cleanup(() => rmSync(home, { recursive: true, force: true }))
      const settings = { TARMAC_HOME: home, DATABASE_URL: undefined, APP_KEY: undefined }
      const first = await startService(settings)
      await first.stop()
      const key = /API key\s+(\S+)/.exec(first.output())![1]
      const full = await startService(settings, 8 * 1024)
      cleanup(() => full.kill())
      const api = new Api(key, full.base)
      const yaml = 'name: Acme\nplatform: ios\n'
      const made = await api.post('/app/config', undefined, {
        raw: yaml,
        headers: { 'content-type': 'application/yaml' },
      })
      assert.equal(made.status, 201, made.text)
      const app = 'acme-ios'
      const [bucket] = (await api.get(`/app/${app}/bucket`)).body as { id: string }[]
      const path = `/app/${app}/bucket/${bucket.id}`
      const big = await sendFile(api, `${path}/build`, { bytes: randomBytes(12 * MIB) })
      assert.deepEqual(
        [big.status, big.body.code, big.headers['retry-after']],
        [503, 'not_stored', '5']
      )
      assert.isEmpty(readdirSync(join(home, 'tmp', 'uploads')))
      const small = await sendFile(api, `${path}/build`, { bytes: randomBytes(MIB) })
      assert.equal(small.status, 200)
      assert.equal((await api.get(`${path}/builds`)).body.data.length, 1)
    }).timeout(60_000)
  }
})
