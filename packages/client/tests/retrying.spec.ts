import { test } from '@japa/runner'
import { createTarmacClient } from '../client.js'
import { retrying } from '../retrying.js'

/**
 * Returns a service that gives one answer after another, and records its requests; `null` breaks
 * the connection.
 */
function service(...responses: (Response | null)[]) {
  const requested: { key: string | null; body: string }[] = []
  const send = async (request: Request) => {
    requested.push({ key: request.headers.get('idempotency-key'), body: await request.text() })
    const response = responses[requested.length - 1]
    if (!response) throw new TypeError('fetch failed')
    return response
  }
  return { asked: requested, send }
}

const refused = (status: number, retryAfter?: string) =>
  new Response('{}', { status, headers: retryAfter ? { 'retry-after': retryAfter } : {} })
const fine = () => new Response('{}', { headers: { 'content-type': 'application/json' } })
const get = (init: RequestInit = {}) => new Request('http://tarmac.test/', init)

test.group('A request of the client', () => {
  test('is repeated after the wait that the service asks for', async ({ assert }) => {
    for (const status of [429, 503]) {
      const { asked: requested, send } = service(refused(status, '0'), refused(status, '0'), fine())
      assert.equal((await retrying(send)(get())).status, 200)
      assert.lengthOf(requested, 3)
    }
  })

  test('is repeated after a broken connection, and a read also after a failure', async ({
    assert,
  }) => {
    for (const first of [null, refused(502, '0'), refused(500, '0')]) {
      const { asked: requested, send } = service(first, fine())
      assert.equal((await retrying(send)(get())).status, 200)
      assert.lengthOf(requested, 2)
    }
  })

  test('with an idempotency key is repeated with the same key and body', async ({ assert }) => {
    const { asked: requested, send } = service(null, refused(409, '0'), fine())
    const client = createTarmacClient({ baseUrl: 'http://tarmac.test', fetch: send })
    const { response } = await client.POST('/app/{appId}/release', {
      params: { path: { appId: 'acme-ios' } },
      body: { version: '1.0.0' },
    })
    assert.equal(response.status, 200)
    assert.lengthOf(requested, 3)
    assert.deepEqual(new Set(requested.map(({ body }) => body)), new Set(['{"version":"1.0.0"}']))
    assert.lengthOf([...new Set(requested.map(({ key }) => key))], 1)
    assert.isNotNull(requested[0].key)
  })

  test('is not repeated if it is a write without a key, or a write that failed', async ({
    assert,
  }) => {
    const write = () => get({ method: 'PUT', body: '{}' })
    const { asked: requested, send } = service(refused(503, '0'), fine())
    assert.equal((await retrying(send)(write())).status, 503)
    const broken = service(null, fine())
    await assert.rejects(() => retrying(broken.send)(write()), 'fetch failed')
    const failed = service(refused(502), fine())
    const keyed = get({ method: 'PUT', body: '{}', headers: { 'idempotency-key': 'a' } })
    assert.equal((await retrying(failed.send)(keyed)).status, 502)
    assert.deepEqual([requested.length, broken.asked.length, failed.asked.length], [1, 1, 1])
  })

  test('that carries a file is sent once: a copy would hold it in memory', async ({ assert }) => {
    const { asked: requested, send } = service(refused(503, '0'), fine())
    const form = new FormData()
    form.set('file', new Blob(['x']))
    const upload = get({ method: 'POST', body: form, headers: { 'idempotency-key': 'a' } })
    assert.equal((await retrying(send)(upload)).status, 503)
    assert.lengthOf(requested, 1)
  })

  test('gives up after the last repetition, and at once if the wait would be too long', async ({
    assert,
  }) => {
    const often = service(...Array.from({ length: 9 }, () => refused(503, '0')))
    assert.equal((await retrying(often.send, { retries: 2 })(get())).status, 503)
    assert.lengthOf(often.asked, 3)
    for (const late of ['61', new Date(Date.now() + 3_600_000).toUTCString()]) {
      const day = service(refused(429, late), fine())
      assert.equal((await retrying(day.send)(get())).headers.get('retry-after'), late)
      assert.lengthOf(day.asked, 1)
    }
  })

  test('ends when its signal aborts, even during a wait', async ({ assert }) => {
    const controller = new AbortController()
    const { asked: requested, send } = service(refused(503, '50'), fine())
    const response = retrying((request) => {
      setTimeout(() => controller.abort(new Error('enough')), 0)
      return send(request)
    })(get({ signal: controller.signal }))
    await assert.rejects(() => response, 'enough')
    assert.lengthOf(requested, 1)
  })
})
