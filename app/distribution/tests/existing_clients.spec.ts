import { request, type IncomingMessage } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { makeCustomCi } from '#builds/tests/support'
import { CI_BUILD, makeBucket } from './support.js'

/*
 * The requests of existing uploaders, byte by byte, and the parts of the answer that they read. Each
 * HTTP library encodes a form differently. No code of ours encodes these.
 */

/** A form as a library writes it. */
interface WrittenForm {
  boundary: string
  /** The headers and the body of each part, in the order of the library. */
  parts: [head: string[], body: 'file' | 'data'][]
  headers?: Record<string, string>
  /** True if the total length is unknown. */
  isChunked?: boolean
}

const OCTETS = 'Content-Type: application/octet-stream'
const disposed = (name: string, file?: string) =>
  `Content-Disposition: form-data; name="${name}"${file === undefined ? '' : `; filename="${file}"`}`

const WRITTEN: Record<string, WrittenForm> = {
  'curl -F file=@… -F data=…': {
    boundary: '------------------------d74496d66958873e',
    parts: [
      [[disposed('file', 'Acme.ipa'), OCTETS], 'file'],
      [[disposed('data')], 'data'],
    ],
    headers: { 'User-Agent': 'curl/8.7.1', 'Accept': '*/*', 'Expect': '100-continue' },
  },
  'curl with the type of data stated': {
    boundary: '------------------------0f1e2d3c4b5a6978',
    parts: [
      [[disposed('file', 'Acme.ipa'), OCTETS], 'file'],
      [[disposed('data'), 'Content-Type: application/json'], 'data'],
    ],
  },
  'Python requests: fields first, a boundary without dashes': {
    boundary: '5b2c9a1f0e7d4c3b8a6f5e4d3c2b1a09',
    parts: [
      [[disposed('data')], 'data'],
      [[disposed('file', 'Acme.ipa'), OCTETS], 'file'],
    ],
    headers: { 'User-Agent': 'python-requests/2.32.3', 'Accept-Encoding': 'gzip, deflate' },
  },
  'form-data of Node: a stream, so in chunks': {
    boundary: '--------------------------515890814546601021194782',
    parts: [
      [[disposed('data')], 'data'],
      [[disposed('file', 'Acme.ipa'), OCTETS], 'file'],
    ],
    isChunked: true,
  },
  'Ruby: lengths and encodings of parts': {
    boundary: '-----------RubyMultipartPost-7f1c0b7d2a',
    parts: [
      [
        [
          disposed('data'),
          'Content-Type: text/plain; charset=UTF-8',
          'Content-Transfer-Encoding: 8bit',
        ],
        'data',
      ],
      [
        [
          disposed('file', 'Acme.ipa'),
          'Content-Length: 9',
          OCTETS,
          'Content-Transfer-Encoding: binary',
        ],
        'file',
      ],
    ],
    headers: { 'User-Agent': 'Ruby', 'Accept': '*/*' },
  },
  'OkHttp of Gradle plugins': {
    boundary: 'a2f6b7c8-1d2e-4f3a-9b8c-7d6e5f4a3b2c',
    parts: [
      [[disposed('file', 'Acme.ipa'), OCTETS, 'Content-Length: 9'], 'file'],
      [[disposed('data'), 'Content-Type: application/json; charset=utf-8'], 'data'],
    ],
    headers: { 'User-Agent': 'okhttp/4.12.0', 'Connection': 'Keep-Alive' },
  },
  'Go: names in lower case': {
    boundary: '8c1f6a1b9e3d5c7a2b4d6f8e0a1c3e5f7b9d1f3a5c7e9b2d4f6a8c0e1b',
    parts: [
      [
        [
          'content-disposition: form-data; name="file"; filename="Acme.ipa"',
          'content-type: application/octet-stream',
        ],
        'file',
      ],
      [['content-disposition: form-data; name="data"'], 'data'],
    ],
    headers: { 'User-Agent': 'Go-http-client/1.1', 'Accept-Encoding': 'gzip' },
  },
  '.NET: names without quotes, and the file name twice': {
    boundary: '"6f1d2b3c-4e5a-4b6c-8d7e-9f0a1b2c3d4e"',
    parts: [
      [
        [
          OCTETS,
          "Content-Disposition: form-data; name=file; filename=Acme.ipa; filename*=utf-8''Acme.ipa",
        ],
        'file',
      ],
      [
        ['Content-Type: text/plain; charset=utf-8', 'Content-Disposition: form-data; name=data'],
        'data',
      ],
    ],
  },
}

interface Answer {
  status: number
  headers: IncomingMessage['headers']
  text: string
}

/** Sends a request to the service as it is, with the given spelling of headers. */
function exchange(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: Buffer[] = []
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request(`http://127.0.0.1:${process.env.PORT}${path}`, { method, headers })
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const bytes = Buffer.concat(await response.toArray())
      const isZipped = response.headers['content-encoding'] === 'gzip'
      const text = (isZipped ? gunzipSync(bytes) : bytes).toString()
      resolve({ status: response.statusCode!, headers: response.headers, text })
    })
    const write = () => {
      for (const piece of body) sent.write(piece)
      sent.end()
    }
    if (headers.Expect) sent.on('continue', write).flushHeaders()
    else write()
  })
}

function send(form: WrittenForm, path: string, key: string, file: string, data: string) {
  const boundary = form.boundary.replaceAll('"', '')
  const pieces = form.parts.map(([head, body]) =>
    Buffer.from(`--${boundary}\r\n${head.join('\r\n')}\r\n\r\n${body === 'file' ? file : data}\r\n`)
  )
  pieces.push(Buffer.from(`--${boundary}--\r\n`))
  const length = pieces.reduce((sum, piece) => sum + piece.length, 0)
  return exchange(
    'POST',
    path,
    {
      'X-API-KEY': key,
      'Content-Type': `multipart/form-data; boundary=${form.boundary}`,
      ...(form.isChunked ? { 'Transfer-Encoding': 'chunked' } : { 'Content-Length': `${length}` }),
      ...form.headers,
    },
    pieces
  )
}

test.group('Existing uploaders', () => {
  test('upload a build to a bucket, and read its id and address ({$self})')
    .with(Object.keys(WRITTEN))
    .run(async ({ assert }, library) => {
      const { world, app, bucket } = await makeBucket()
      const form = WRITTEN[library]
      const key = { 'X-API-KEY': world.adminKey }
      // They find the bucket by its name.
      const buckets = await exchange('GET', `/v1/app/${app}/bucket`, key)
      const { id } = JSON.parse(buckets.text).find((each: { name: string }) => each.name === 'Beta')
      assert.equal(id, bucket.id)

      const path = `/v1/app/${app}/bucket/${id}/build`
      const data = JSON.stringify({ testerNotes: null, ciBuildInfo: CI_BUILD })
      const { status, headers, text } = await send(form, path, world.adminKey, 'the build', data)
      assert.equal(status, 200, text)
      assert.match(String(headers['content-type']), /^application\/json/)
      const build = JSON.parse(text)
      assert.match(build.id, /^build_/)
      assert.deepEqual(
        [build.artifactFileName, build.fileSize, build.ciBuild.branch, build.testerNotes],
        ['Acme.ipa', 9, 'release/1.4.0', null]
      )
      const { pathname } = new URL(build.downloadUrl)
      assert.equal((await exchange('GET', pathname, key)).text, 'the build')

      const more = await send(
        form,
        `${path}/${build.id}/additionalFiles`,
        world.adminKey,
        'mapping 1',
        JSON.stringify({ fileName: 'mapping.txt' })
      )
      assert.equal(more.status, 200, more.text)
      const shown = await exchange('GET', `${path}/${build.id}`, key)
      assert.equal(JSON.parse(shown.text).additionalArtifacts[0].fileName, 'mapping.txt')
    })

  test('send builds of custom CI ({$self})')
    .with(Object.keys(WRITTEN))
    .run(async ({ assert }, library) => {
      const { world, path } = await makeCustomCi()
      const data = JSON.stringify({ ...CI_BUILD, version: '1.4.0' })
      const { status, text } = await send(
        WRITTEN[library],
        `/v1${path}`,
        world.adminKey,
        'the build',
        data
      )
      assert.equal(status, 200, text)
      const { id, downloadUrl, artifactFileName } = JSON.parse(text)
      assert.match(id, /^build_/)
      assert.equal(artifactFileName, 'Acme.ipa')
      const { pathname } = new URL(downloadUrl)
      const got = await exchange('GET', pathname, { 'X-API-KEY': world.adminKey })
      assert.equal(got.text, 'the build')
    })

  test('read problems as a sentence in `error`, with a matching status', async ({ assert }) => {
    const { world, path } = await makeBucket()
    const form = WRITTEN['curl with the type of data stated']
    const to = `/v1${path}/build`
    const responses = [
      await send(form, to, 'wrong', 'the build', '{}'),
      await send(form, to, world.adminKey, 'the build', '{'),
      await send(form, to, world.adminKey, 'the build', '{"ciBuildInfo":{}}'),
      await send(form, `/v1${path}x/build`, world.adminKey, 'the build', '{}'),
    ]
    assert.deepEqual(
      responses.map(({ status }) => status),
      [401, 400, 422, 404]
    )
    for (const { text } of responses) {
      const { error, detail } = JSON.parse(text)
      assert.isString(error)
      assert.isAbove(error.length, 5)
      assert.equal(error, detail)
    }
  })

  test('may omit the name or the type of the file', async ({ assert }) => {
    const { world, path } = await makeBucket()
    for (const head of [
      ['Content-Disposition: form-data; name="file"', OCTETS],
      [disposed('file', 'Acme.ipa')],
      [`Content-Disposition: form-data; name="file"; filename*=UTF-8''Acme%20%C3%A4.ipa`, OCTETS],
    ]) {
      const form: WrittenForm = { boundary: 'x', parts: [[head, 'file']] }
      const { status, text } = await send(form, `/v1${path}/build`, world.adminKey, 'bits', '')
      assert.equal(status, 200, text)
      assert.isNotEmpty(JSON.parse(text).artifactFileName)
    }
  })
})
