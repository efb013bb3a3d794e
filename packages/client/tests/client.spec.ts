import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { createTarmacClient, takesKey } from '../client.js'
import { paginate } from '../paginate.js'
import { orThrow, TarmacError } from '../problem.js'

const BASE = { baseUrl: 'https://tarmac.test/', apiKey: 'tarmac_x' }

/** The part of the document that says which writes take an idempotency key. */
interface Document {
  paths: Record<string, Record<string, { parameters?: { $ref?: string; name?: string }[] }>>
}

const json = (body: unknown, status = 200) =>
  new Response(JSON.stringify(body), {
    status,
    headers: { 'content-type': 'application/json' },
  })

/** Returns a client whose requests are recorded, and get one answer after another. */
function clientOf(...responses: Response[]) {
  const requested: Request[] = []
  const send = async (request: Request) => {
    requested.push(request)
    return responses[requested.length - 1]
  }
  return { asked: requested, client: createTarmacClient({ ...BASE, retries: 0, fetch: send }) }
}

test.group('The client', () => {
  test('sends its API key, asks for strictness, and gives each write its own idempotency key', async ({
    assert,
  }) => {
    const { asked: requested, client } = clientOf(json({}), json({}), json({}), json({}))
    const path = { appId: 'acme-ios', releaseId: 'acme-ios:4.2.0' }
    await client.GET('/v2/app/{appId}/releases/{releaseId}', { params: { path } })
    await client.PUT('/app/{appId}/release/{releaseId}/kickoff', { params: { path } })
    await client.PUT('/app/{appId}/release/{releaseId}/kickoff', { params: { path } })
    await client.PUT('/app/{appId}/release/{releaseId}/skip', {
      params: { path, header: { 'Idempotency-Key': 'mine' } },
    })
    const seen = requested.map(({ headers }) => [
      headers.get('x-api-key'),
      headers.get('prefer'),
      headers.get('idempotency-key'),
    ])
    assert.deepEqual(seen[0], ['tarmac_x', null, null])
    assert.deepEqual(seen[1].slice(0, 2), ['tarmac_x', 'handling=strict'])
    assert.match(seen[1][2]!, /^[0-9a-f-]{36}$/)
    assert.notEqual(seen[1][2], seen[2][2])
    assert.equal(seen[3][2], 'mine')
    assert.match(
      requested[0].url,
      /^https:\/\/tarmac\.test\/v2\/app\/acme-ios\/releases\/acme-ios(:|%3A)4\.2\.0$/
    )
  })

  test('follows a redirect within the service that keeps the method, and sends its key to no other host', async ({
    assert,
  }) => {
    const moved = (status: number, location: string) =>
      new Response(null, { status, headers: { location } })
    const params = { path: { appId: 'acme-ios' } }
    const body = { version: '4.2.0' }
    const own = clientOf(moved(308, '/app/acme-ios/release?spelt=well'), json({}))
    await own.client.POST('/app/{appId}/release', { params, body })
    assert.deepEqual(
      own.asked.map(({ method, headers }) => [method, headers.get('x-api-key')]),
      Array(2).fill(['POST', 'tarmac_x'])
    )
    assert.deepEqual(await own.asked[1].json(), body)
    assert.equal(own.asked[0].redirect, 'manual')
    for (const each of [
      moved(307, 'https://elsewhere.test/app'),
      moved(308, 'http://tarmac.test/app'),
      moved(303, '/app'),
      moved(308, ''),
    ]) {
      const { asked: requested, client } = clientOf(each, ...Array(4).fill(each))
      await assert.rejects(() => client.GET('/app/{appId}', { params }), /redirects/)
      assert.isTrue(requested.every(({ url }) => url.startsWith(BASE.baseUrl)))
    }
  })

  test('knows which writes take a key for idempotency, as the document says', ({ assert }) => {
    const { paths } = JSON.parse(readFileSync('docs/openapi.json', 'utf8')) as Document
    const wrong = Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).flatMap(([name, { parameters = [] }]) => {
        const method = name.toUpperCase()
        const isTaken = parameters.some((each) => /idempotency-?key/i.test(each.$ref ?? each.name!))
        return isTaken === takesKey(method, path) ? [] : [`${method} ${path}`]
      })
    )
    assert.deepEqual(wrong, [])
  })

  test('iterates over all pages of a list, with the filters of the first', async ({ assert }) => {
    const page = (data: unknown[], nextCursor: string | null) =>
      json({ data, pagination: { limit: 2, hasMore: nextCursor !== null, nextCursor } })
    const { asked: requested, client } = clientOf(
      page([{ id: 'a' }, { id: 'b' }], 'c1'),
      page([{ id: 'c' }], null)
    )
    const params = { path: { appId: 'acme-ios' }, query: { limit: 2 } }
    const found: string[] = []
    for await (const { id } of paginate(client, '/v2/app/{appId}/releases', { params }))
      found.push(id)
    assert.deepEqual(found, ['a', 'b', 'c'])
    assert.deepEqual(
      requested.map(({ url }) => new URL(url).search),
      ['?limit=2', '?limit=2&cursor=c1']
    )
  })

  test('requests no page that is not read', async ({ assert }) => {
    const { asked: requested, client } = clientOf(
      json({ data: [{ id: 'a' }], pagination: { nextCursor: 'c' } })
    )
    const params = { path: { appId: 'acme-ios' } }
    for await (const { id } of paginate(client, '/v2/app/{appId}/releases', { params }))
      if (id === 'a') break
    assert.lengthOf(requested, 1)
  })

  test('throws a refusal with its code through `orThrow`', async ({ assert }) => {
    const problem = { status: 404, code: 'not_found', title: 'Not found', detail: 'No such app.' }
    const { client } = clientOf(json(problem, 404), new Response('Bad gateway', { status: 502 }))
    const params = { path: { appId: 'acme-ios' } }
    const refused = await orThrow(client.GET('/app/{appId}', { params })).catch((error) => error)
    assert.instanceOf(refused, TarmacError)
    assert.deepEqual(
      [refused.status, refused.code, refused.message],
      [404, 'not_found', 'No such app.']
    )
    const broken = await orThrow(client.GET('/app/{appId}', { params })).catch((error) => error)
    assert.deepEqual([broken.status, broken.code, broken.problem], [502, undefined, undefined])
  })
})
