import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { operations } from '#foundation/api/operation/registry'
import { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'

/*
 * The test client checks every answer against the declaration of its operation. Wrong declarations
 * show here that it does.
 */

test.group('The test client', () => {
  test('fails a request that records an event its operation does not declare', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const operation = operations.get('createRelease')
    const { events } = operation
    cleanup(() => void (operation.events = events))
    operation.events = []
    const create = (version: string) => world.admin.post(`/app/${app}/release`, { version })
    await assert.rejects(() => create('1.0.0'), 'createRelease records release.created undeclared')
    operation.events = events
    assert.equal((await create('1.1.0')).status, 201)
  })

  test('attributes each event to the right one of two concurrent requests', async ({
    assert,
    cleanup,
  }) => {
    const world = await makeWorld()
    const [one, other] = [await makeApp(world), await makeApp(world)]
    await world.admin.post(`/app/${one}/release`, { version: '1.0.0' })
    const operation = operations.get('kickOffRelease')
    const { events = [] } = operation
    cleanup(() => void (operation.events = events))
    operation.events = events.filter((event) => event !== 'release.kickedOff')
    const outcomes = await Promise.allSettled([
      world.admin.put(`/app/${one}/release/${one}:1.0.0/kickoff`),
      world.admin.post(`/app/${other}/release`, { version: '1.0.0' }),
    ])
    assert.deepEqual(
      outcomes.flatMap((outcome) =>
        outcome.status === 'rejected' ? [outcome.reason.message] : []
      ),
      ['kickOffRelease records release.kickedOff undeclared']
    )
  })

  test('fails a request whose answer has an undeclared status', async ({ assert, cleanup }) => {
    const { admin } = await makeWorld()
    const operation = operations.get('getLiveness')
    const { handle } = operation
    cleanup(() => void (operation.handle = handle))
    operation.handle = async () => ({ status: 202, body: {} }) as never
    await assert.rejects(() => admin.get('/health/live'), /getLiveness does not declare 202/)
  })

  test('sends a path as it is written, or not at all', async ({ assert, cleanup }) => {
    const server = createServer(({ url }, response) => void response.end(url)).listen(0)
    await once(server, 'listening')
    cleanup(() => void server.close().closeAllConnections())
    const api = new Api(null, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    for (const path of ['/%00', '/%3A:', '/%', '//a', "/~!*'()", '/a?b=%27&b[]=%&=', '/%2e%2e.']) {
      assert.equal((await api.get(path, { unchecked: true })).text, path)
    }
    for (const path of ['/a/./b', '/a/%2e%2e/b', '/a b', '/é', '/a#b', "/a?b='"]) {
      await assert.rejects(() => api.get(path, { unchecked: true }), /would be sent as/)
    }
  })

  test('returns a redirect and a text of any type unchanged', async ({ assert, cleanup }) => {
    const server = createServer((_request, response) => {
      response.writeHead(308, { 'location': '/elsewhere', 'content-type': 'image/svg+xml' })
      response.end('<svg/>')
    }).listen(0)
    await once(server, 'listening')
    cleanup(() => void server.close().closeAllConnections())
    const api = new Api(null, `http://127.0.0.1:${(server.address() as AddressInfo).port}`)
    const { status, headers, text } = await api.put('/a', {}, { unchecked: true })
    assert.deepEqual([status, headers.location, text], [308, '/elsewhere', '<svg/>'])
  })
})
