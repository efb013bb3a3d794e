import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { test } from '@japa/runner'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { entityTag } from '../api/execution/entity_tag.js'

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string
}

/** Sends a request and does not decode the answer. */
function ask(path: string, { method = 'GET', headers = {}, body }: Sent = {}) {
  const url = `http://${process.env.HOST}:${process.env.PORT}${path}`
  return new Promise<{ status: number; headers: Record<string, unknown>; bytes: Buffer }>(
    (resolve, reject) => {
      const sent = request(url, { method, headers })
      sent.on('error', reject)
      sent.on('response', async (response) => {
        const bytes = Buffer.concat(await response.toArray())
        resolve({ status: response.statusCode!, headers: response.headers, bytes })
      })
      sent.end(body)
    }
  )
}

const accepting = (encoding: string) => ({ 'accept-encoding': encoding })

/** Returns a release (a long answer), a group (a short answer), and a client with their key. */
async function release() {
  const { world, app, admin, path } = await makeTrain(['1.0.0'])
  const groups = `/org/${world.organizationId}/group`
  const group = await admin.post(groups, { name: 'Crew', userActions: [] })
  const send = (sent: Sent = {}, at = `/v2/app/${app}/releases/${app}:1.0.0`) =>
    ask(at, { ...sent, headers: { 'x-api-key': world.adminKey, ...sent.headers } })
  const put = (releaseName: string, headers: Record<string, string>) =>
    send(
      {
        method: 'PUT',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ releaseName }),
      },
      path('1.0.0')
    )
  return { app, short: `${groups}/${group.body.id}`, send, put }
}

test.group('Compressed answers', () => {
  test('contain the same bytes at a fraction of the size', async ({ assert }) => {
    for (const path of ['/openapi.json', '/docs/plain']) {
      const plain = await ask(path)
      const zipped = await ask(path, { headers: accepting('gzip') })
      assert.isUndefined(plain.headers['content-encoding'])
      assert.equal(zipped.headers['content-encoding'], 'gzip')
      assert.equal(zipped.headers['content-length'], String(zipped.bytes.length))
      assert.isBelow(zipped.bytes.length, plain.bytes.length / 5)
      assert.isTrue(gunzipSync(zipped.bytes).equals(plain.bytes))
      for (const { headers } of [plain, zipped]) assert.equal(headers.vary, 'Accept-Encoding')
    }
  })

  test('are sent to clients that accept them, by the weights of Accept-Encoding', async ({
    assert,
  }) => {
    const { send } = await release()
    const encodingFor = async (accepted: string) =>
      (await send({ headers: accepting(accepted) })).headers['content-encoding']
    for (const accepted of ['gzip', 'gzip, deflate, br', '*', 'br;q=1, gzip;q=0.2', 'GZIP']) {
      assert.equal(await encodingFor(accepted), 'gzip', accepted)
    }
    for (const accepted of ['', 'br', 'identity', 'gzip;q=0', '*;q=0', 'identity, gzip;q=0.5']) {
      assert.isUndefined(await encodingFor(accepted), accepted)
    }
  })

  test('are only long ones, unless a client accepts nothing else', async ({ assert }) => {
    const { short, send } = await release()
    const small = await send({ headers: accepting('gzip') }, short)
    assert.isBelow(small.bytes.length, 1024)
    assert.isUndefined(small.headers['content-encoding'])
    const zipped = await send({ headers: accepting('gzip, identity;q=0') }, short)
    assert.equal(zipped.headers['content-encoding'], 'gzip')
    assert.isTrue(gunzipSync(zipped.bytes).equals(small.bytes))
  })

  test('may be problems, too', async ({ assert }) => {
    const { app, send } = await release()
    const body = JSON.stringify({
      version: 7,
      description: 7,
      ...{ releaseType: 'x'.repeat(2000) },
    })
    const { status, headers, bytes } = await send(
      {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...accepting('gzip, identity;q=0') },
        body,
      },
      `/app/${app}/release`
    )
    assert.deepEqual([status, headers['content-encoding']], [422, 'gzip'])
    assert.equal(JSON.parse(gunzipSync(bytes).toString()).code, 'invalid_input')
  })

  test('have the same headers for HEAD as for GET', async ({ assert }) => {
    const { send } = await release()
    const of = (method: string) => send({ method, headers: accepting('gzip') })
    const [get, head] = [await of('GET'), await of('HEAD')]
    assert.equal(head.bytes.length, 0)
    for (const name of ['etag', 'content-encoding', 'content-length', 'content-type', 'vary']) {
      assert.equal(head.headers[name], get.headers[name], name)
    }
  })
})

test.group('The entity tag of a compressed answer', () => {
  test('is that of the uncompressed bytes, which writes return as well', async ({ assert }) => {
    const { send, put } = await release()
    const [plain, zipped] = [await send(), await send({ headers: accepting('gzip') })]
    const tag = entityTag(plain.bytes)
    assert.deepEqual([plain.headers.etag, zipped.headers.etag], [tag, tag])
    for (const encoding of ['identity', 'gzip']) {
      const again = await send({ headers: { 'if-none-match': tag, ...accepting(encoding) } })
      assert.deepEqual([again.status, again.bytes.length], [304, 0])
      assert.deepEqual([again.headers.etag, again.headers.vary], [tag, 'Accept-Encoding'])
    }

    const written = await put('Winter', { 'if-match': tag, ...accepting('gzip') })
    assert.equal(written.status, 200)
    assert.equal((await put('Spring', { 'if-match': tag })).status, 412)
    assert.equal((await put('Spring', { 'if-match': written.headers.etag as string })).status, 200)
  })
})
