import { test } from '@japa/runner'
import { request, type IncomingMessage } from 'node:http'
import { once } from 'node:events'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld } from '#tests/support/world'
import { requireOwnAddress } from '../own_address.js'
import { call, callToday, headersFor, messageOf, META, rpc } from './support.js'

/** Returns an answer without the marks, which are new each time. */
const unmarked = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/data-[0-9a-f-]{36}/g, 'data-mark'))

test.group('A call of a tool', () => {
  test('is answered alike with and without a server of the SDK', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const create = { action: 'create', appId: app, body: { version: '2.0.0' } }
    const calls: [string, object][] = [
      ['find_releases', { action: 'get', appId: app, releaseId: `${app}:1.0.0` }],
      ['find_releases', { action: 'get', appId: app, releaseId: `${app}:9.9.9` }],
      ['look_around', { action: 'fly' }],
      ['manage_release', { action: 'create', appId: app, body: { version: 'x' } }],
      ['manage_release', { ...create, dryRun: true, fields: ['version', 'createdAt'] }],
      ['manage_release', {}],
    ]
    // Unusual calls go through the SDK, such as one from a client that states its website.
    const unusual = {
      ...META,
      'io.modelcontextprotocol/clientInfo': {
        ...META['io.modelcontextprotocol/clientInfo'],
        websiteUrl: 'https://bot.example',
      },
    }
    for (const [name, args] of calls) {
      const message = messageOf('tools/call', { name, arguments: args })
      const sent = async (meta: object) => {
        const json = { ...message, params: { ...message.params, _meta: meta } }
        const headers = headersFor('tools/call', name)
        const {
          status,
          body,
          headers: reported,
        } = await admin.send('POST', '/mcp', { json, headers })
        return [status, reported['content-type'], unmarked(body)]
      }
      const [plain, served] = [await sent(META), await sent(unusual)]
      assert.deepEqual(withoutInstants(plain), withoutInstants(served), name)
    }
  })

  test('that is unusual is handled by the SDK', async ({ assert }) => {
    const { admin } = await makeWorld()
    const message = messageOf('tools/call', { name: 'look_around', arguments: { action: 'apps' } })
    const headers = headersFor('tools/call', 'look_around')
    const send = async (json: unknown, changed: object = {}) => {
      const sent = { json, headers: { ...headers, ...changed } }
      const { status, body } = await admin.send<any>('POST', '/mcp', sent)
      return [status, body.error?.code]
    }
    assert.deepEqual(await send(message), [200, undefined])
    assert.deepEqual(await send(message, { 'mcp-name': 'approve' }), [400, -32020])
    assert.deepEqual(await send(message, { 'mcp-method': 'tools/list' }), [400, -32020])
    const params = { ...message.params, name: 'drop_tables' }
    const unknown = await send({ ...message, params }, { 'mcp-name': 'drop_tables' })
    assert.deepEqual(unknown, [200, -32602])
    const { name, arguments: args } = message.params as Record<string, unknown>
    const bare = { ...message, params: { name, arguments: args } }
    assert.equal((await send(bare))[0], 400)
    const listen = messageOf('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const requested = await send(listen, { 'mcp-method': 'subscriptions/listen', 'mcp-name': '' })
    assert.deepEqual(requested, [404, -32601], 'What is never sent is not promised')
  })

  test('with a former id of a release is redirected to it', async ({ assert }) => {
    const { admin, app, path } = await makeTrain(['1.0.0'])
    await admin.put(path('1.0.0'), { version: '1.0.1' })
    const args = { action: 'get', appId: app, releaseId: `${app}:1.0.0`, fields: ['id'] }
    const { structuredContent } = await callToday(admin, 'find_releases', args)
    assert.deepEqual(structuredContent.result, { id: `${app}:1.0.1` })
  })

  test('without a content type is read as JSON', async ({ assert }) => {
    const { admin } = await makeWorld()
    const raw = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const headers = { accept: 'application/json, text/event-stream' }
    const { status, body } = await admin.send('POST', '/mcp', { raw, headers })
    assert.deepEqual([status, body], [200, { jsonrpc: '2.0', id: 1, result: {} }])
    const asText = { ...headers, 'content-type': 'text/plain' }
    const text = await admin.send('POST', '/mcp', { raw, headers: asText })
    assert.equal(text.status, 415)
  })

  test('with members of the wrong type changes nothing', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const body = { version: '1.0.0' }
    for (const more of [{ dryRun: 'true' }, { plan: 1 }, { ifMatch: {} }, { fields: 'id' }]) {
      const response = await call(admin, 'manage_release', {
        action: 'create',
        appId: app,
        body,
        ...more,
      })
      assert.isTrue(response.isError, JSON.stringify(more))
    }
    assert.deepEqual((await admin.get(`/v2/app/${app}/releases`)).body.data, [])
  })
})

const withoutInstants = (value: unknown) =>
  JSON.parse(JSON.stringify(value).replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'T'))

test.group('A client of the 2025 era', () => {
  test('is named by the session that it was given, with the key that it began with', async ({
    assert,
  }) => {
    const { admin, app, path, world } = await makeTrain()
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'Release\u202e bot', version: '1' },
    }
    const headers = { accept: 'application/json, text/event-stream' }
    const begin = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    const begun = await admin.send('POST', '/mcp', { json: begin, headers })
    const session = begun.headers['mcp-session-id']
    assert.match(session, /^[\x21-\x7e]+$/)
    const create = async (api: typeof admin, version: string, id: string) => {
      const args = { action: 'create', appId: app, body: { version } }
      const json = {
        jsonrpc: '2.0',
        id: 2,
        method: 'tools/call',
        params: { name: 'manage_release', arguments: args },
      }
      const named = { ...headers, 'mcp-session-id': id, 'user-agent': 'curl/8' }
      assert.equal((await api.send('POST', '/mcp', { json, headers: named })).status, 200)
      const { data } = (await admin.get(`${path(version)}/timelineEvents`)).body
      return data.at(-1).actor.name
    }
    assert.equal(await create(admin, '1.0.0', session), 'admin (agent: Release bot)')
    const other = await world.keyed({ name: 'other', admin: true })
    assert.equal(await create(other, '1.1.0', session), 'other (agent: curl)')
    assert.equal(await create(admin, '1.2.0', `${session}x`.slice(1)), 'admin (agent: curl)')
  })

  test('lists the same tools', async ({ assert }) => {
    const { admin } = await makeWorld()
    const json = messageOf('tools/list', {})
    const { body } = await admin.send<any>('POST', '/mcp', {
      json,
      headers: headersFor('tools/list'),
    })
    assert.deepEqual(body.result.tools, (await rpc(admin, 'tools/list')).tools)
    assert.isAbove(body.result.ttlMs, 0)
  })
})

test.group('The address that is asked', () => {
  const demand = (host: string, origin?: string, base = `http://${host}`, hosts: string[] = []) => {
    try {
      requireOwnAddress({ host, ...(origin && { origin }) }, base, hosts)
      return 'taken'
    } catch (error) {
      return (error as { code: string }).code
    }
  }

  test('is one that no other site can have', ({ assert }) => {
    for (const host of ['127.0.0.1:3333', 'localhost', '[::1]:3333', '10.0.0.7', 'tarmac:3333']) {
      assert.equal(demand(host), 'taken', host)
      assert.equal(demand(host, `http://${host}`), 'taken', host)
      assert.equal(demand(host, 'https://evil.example'), 'origin_refused', host)
      assert.equal(demand(host, 'null'), 'origin_refused', host)
    }
    for (const host of ['evil.example', 'evil.example:3333', 'localhost.evil.example', '', 'a b']) {
      assert.equal(demand(host, `http://${host}`), 'host_refused', host)
      assert.equal(demand(host), 'host_refused', host)
    }
    const base = 'https://tarmac.example'
    assert.equal(demand('tarmac.example', base, base, ['tarmac.example']), 'taken')
    assert.equal(demand('tarmac:3333', base, base, ['tarmac.example']), 'taken')
    assert.equal(demand('tarmac:3333', 'http://tarmac:3333', base, []), 'origin_refused')
  })

  test('is refused with 403 where it is another', async ({ assert }) => {
    const { adminKey } = await makeWorld()
    const sent = request({
      host: process.env.HOST,
      port: process.env.PORT,
      path: '/mcp',
      method: 'POST',
      headers: { ...headersFor('ping'), 'x-api-key': adminKey, 'host': 'evil.example' },
    })
    sent.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    assert.equal(response.statusCode, 403)
    const { code, type } = JSON.parse((await response.setEncoding('utf8').toArray()).join(''))
    // The problem type contains no URL with the refused host.
    assert.deepEqual([code, type], ['host_refused', '/problems/host_refused'])
  })
})
