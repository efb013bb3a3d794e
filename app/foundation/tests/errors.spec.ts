import { test } from '@japa/runner'
import { Api } from '#tests/support/api'
import { sendBytes } from '#tests/support/raw'
import { makeWorld } from '#tests/support/world'

async function groups() {
  const world = await makeWorld()
  const path = `/org/${world.organizationId}/group`
  const post = (raw: string | Buffer, headers: Record<string, string> = {}) =>
    world.admin.send<any>('POST', path, {
      raw,
      headers: { 'content-type': 'application/json', ...headers },
    })
  const head = (extra: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${world.adminKey}\r\nContent-Type: application/json\r\n${extra}\r\n\r\n`
  const count = async () => (await world.admin.get(path)).body.length as number
  return { world, path, post, head, count }
}

test.group('Problems', () => {
  test('are problem+json, with a page at the URL of their type', async ({ assert }) => {
    const { status, body, headers } = await new Api(null).get('/nowhere?x=1')
    assert.equal(status, 404)
    assert.equal(headers['content-type'], 'application/problem+json; charset=utf-8')
    assert.containsSubset(body, { title: 'Not found', status: 404, code: 'not_found', errors: [] })
    assert.equal(body.detail, 'There is no such path; see /docs.')
    assert.equal(body.error, body.detail)
    assert.equal(body.requestId, headers['x-request-id'])
    const page = await new Api(null).get(new URL(body.type).pathname)
    assert.equal(page.status, 200)
    assert.include(page.text, 'not_found')
  })

  test('carry the client’s request id if it is usable, otherwise a new one', async ({ assert }) => {
    const ask = async (id: string) =>
      (await new Api(null).get('/health/live', { headers: { 'x-request-id': id } })).headers[
        'x-request-id'
      ]
    assert.equal(await ask('build-42/'), 'build-42/')
    assert.equal(await ask('x'.repeat(128)), 'x'.repeat(128))
    for (const unusable of ['x'.repeat(129), 'two words', '']) {
      assert.match(await ask(unusable), /^req_[0-9A-Za-z]{20}$/)
    }
  })

  test('405 names the methods of the path, and an unknown path gets 404', async ({ assert }) => {
    const api = new Api(null)
    const wrong = await api.delete('/openapi.json')
    assert.deepEqual([wrong.status, wrong.body.code], [405, 'method_not_allowed'])
    assert.equal(wrong.headers.allow, 'GET, HEAD')
    const { world, path } = await groups()
    const patched = await world.admin.patch(path, {})
    assert.deepEqual([patched.status, patched.headers.allow], [405, 'GET, HEAD, POST'])
    assert.equal((await api.send('DELETE', '/nowhere')).status, 404)
    const undecodable = await api.get(`${path}/%E0%A4%A`, { headers: { 'x-request-id': 'mine' } })
    assert.deepEqual([undecodable.status, undecodable.body.code], [400, 'malformed_request'])
    assert.equal(undecodable.headers['x-request-id'], 'mine')
  })

  test('406 if no declared type is acceptable', async ({ assert }) => {
    const { world, path } = await groups()
    const ask = async (accept: string) =>
      (await world.admin.get(path, { headers: { accept } })).status
    assert.equal(await ask('text/csv'), 406)
    assert.equal(await ask('application/json'), 200)
    assert.equal(await ask('text/csv, */*;q=0.1'), 200)
    assert.equal(await ask('application/*'), 200)
  })

  test('are the same for foreign and absent entities, but for the request id', async ({
    assert,
  }) => {
    const [{ world }, other] = [await groups(), await makeWorld()]
    const ask = async (id: string) =>
      (await world.admin.get(`/org/${id}`, { headers: { 'x-request-id': 'same' } })).text
    assert.equal(await ask(other.organizationId), await ask('org_absent'))
  })
})

test.group('Bodies', () => {
  test('400 for what is not one JSON document in UTF-8', async ({ assert }) => {
    const { post, count } = await groups()
    const before = await count()
    const bodies = [
      '',
      '{',
      '{"name":"A","userActions":[]',
      '{"name":"A"} {"name":"B"}',
      "{'name':'A'}",
      'NaN',
      Buffer.from([0x22, 0xc3, 0x28, 0x22]),
      '{"name":"a\0b"}',
      '\ufeff\ufeff{}',
    ]
    for (const body of bodies) {
      const { status, body: problem } = await post(body)
      assert.deepEqual([status, problem.code], [400, 'malformed_json'], String(body))
      assert.notMatch(problem.detail, /Unexpected|SyntaxError/)
    }
    assert.equal(await count(), before)
  })

  test('422 for JSON of the wrong shape, with every broken field', async ({ assert }) => {
    const { post } = await groups()
    for (const body of ['[]', '"text"', 'null', '5', 'true']) {
      const { status, body: problem } = await post(body)
      assert.deepEqual([status, problem.code], [422, 'invalid_input'], body)
    }
    const wrong: unknown[] = [1, 1.5, true, {}, ['A'], null]
    for (const name of wrong) {
      const { status, body } = await post(JSON.stringify({ name, userActions: {} }))
      assert.equal(status, 422, JSON.stringify(name))
      assert.deepEqual(
        body.errors.map(({ pointer }: any) => pointer),
        ['/name', '/userActions']
      )
    }
  })

  test('the character U+0000 is refused in bodies, paths and queries', async ({ assert }) => {
    const { world, post, path } = await groups()
    const inBody = await post('{"name":"a\\u0000b","userActions":[]}')
    assert.deepEqual([inBody.status, inBody.body.code], [422, 'invalid_input'])
    assert.equal((await world.admin.get(`${path}/a%00b`)).status, 404)
    const inQuery = await world.admin.get(`/org/${world.organizationId}/apps?appGroup=%00`)
    assert.deepEqual([inQuery.status, inQuery.body.code], [400, 'invalid_query'])
  })

  test('a backslash before u0000 is text', async ({ assert }) => {
    const { post } = await groups()
    const { status, body } = await post('{"name":"a\\\\u0000b","userActions":[]}')
    assert.deepEqual([status, body.name], [201, 'a\\u0000b'])
  })

  test('the service survives deep nesting and a megabyte of flat keys', async ({ assert }) => {
    const { post } = await groups()
    const depth = 100_000
    const deep = `{"name":${'['.repeat(depth)}${']'.repeat(depth)},"userActions":[]}`
    assert.equal((await post(deep)).status, 422)
    const unknown = `{"extra":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)},"name":"Deep","userActions":[]}`
    assert.equal((await post(unknown)).status, 422)
    const keys = Array.from({ length: 49_990 }, (_, index) => `"key${index}":1`).join(',')
    assert.equal((await post(`{${keys},"name":"Flat","userActions":[]}`)).status, 201)
    const hostile = '{"__proto__":{"admin":true},"constructor":1,"name":"P","userActions":[]}'
    assert.equal((await post(hostile)).status, 201)
    assert.equal((await new Api(null).get('/health/live')).status, 200)
  })

  test('415 for another content type, none, or a compressed body', async ({ assert }) => {
    const { world, path, post } = await groups()
    const json = '{"name":"A","userActions":[]}'
    for (const type of [
      'text/plain',
      'application/xml',
      'application/jsonp',
      'multipart/form-data',
    ]) {
      const { status, body, headers } = await post(json, { 'content-type': type })
      assert.deepEqual([status, body.code], [415, 'unsupported_media_type'], type)
      assert.equal(headers.accept, 'application/json')
    }
    assert.equal((await world.admin.send('POST', path, { raw: json })).status, 415)
    assert.equal((await post(json, { 'content-encoding': 'gzip' })).status, 415)
    const parameters = { 'content-type': 'Application/JSON; charset=utf-8' }
    assert.equal((await post(json, parameters)).status, 201)
  })

  test('413 names the limit, with Content-Length or chunked, without reading on', async ({
    assert,
  }) => {
    const { head, count } = await groups()
    const before = await count()
    const announced = await sendBytes(head('Content-Length: 1048577'))
    assert.match(announced, /^HTTP\/1\.1 413 /)
    assert.include(announced, '1 MiB')
    const chunk = `10000\r\n${'x'.repeat(0x10000)}\r\n`
    const chunked = await sendBytes(head('Transfer-Encoding: chunked') + chunk.repeat(17))
    assert.match(chunked, /^HTTP\/1\.1 413 /)
    assert.equal(await count(), before)
  })

  test('400 for a body that is no JSON names the position of the error, if it is known', async ({
    assert,
  }) => {
    const { post } = await groups()
    for (const [body, detail] of [
      ['', 'it ends early or is empty'],
      ['{"name":', 'it ends early or is empty'],
      ['{"name": "A",}', 'there is an error at character 14'],
    ]) {
      assert.equal((await post(body)).body.detail, `The body is not valid JSON: ${detail}.`)
    }
    assert.equal((await post('nonsense')).body.detail, 'The body is not valid JSON.')
  })

  test('a body that ends early writes nothing', async ({ assert }) => {
    const { head, count } = await groups()
    const before = await count()
    const body = '{"name":"Early","userActions":[]}'
    await sendBytes(head(`Content-Length: ${body.length + 1}`) + body, { end: true })
    assert.equal(await count(), before)
    assert.equal((await new Api(null).get('/health/live')).status, 200)
  })

  test('unknown members are ignored, never stored', async ({ assert }) => {
    const { world, post } = await groups()
    const { status, body } = await post(
      JSON.stringify({
        name: 'A',
        userActions: [],
        id: 'grp_1',
        orgId: 'org_1',
        organizationId: 'org_1',
        isDefault: true,
        createdAt: '2001-01-01T00:00:00.000Z',
        shoe: 44,
      })
    )
    assert.equal(status, 201)
    assert.notProperty(body, 'shoe')
    assert.isFalse(body.isDefault)
    assert.notEqual(body.id, 'grp_1')
    assert.equal((await world.admin.get(`/org/${world.organizationId}`)).status, 200)
  })
})

test.group('Queries', () => {
  test('400 for a parameter of the wrong type, 422 for an unknown word', async ({ assert }) => {
    const { world } = await groups()
    const path = `/org/${world.organizationId}/apps`
    const repeated = await world.admin.get(`${path}?appGroup=a&appGroup=b`)
    assert.deepEqual([repeated.status, repeated.body.code], [400, 'invalid_query'])
    assert.equal(repeated.body.errors[0].parameter, 'appGroup')
    const word = await world.admin.get(`${path}?platform=beos`)
    assert.deepEqual([word.status, word.body.code], [422, 'invalid_input'])
    assert.equal((await world.admin.get(`${path}?unknown=1&platform=ios`)).status, 200)
  })
})
