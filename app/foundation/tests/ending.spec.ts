import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { readBody } from '../api/http/read_body.js'
import type { Problem } from '../core/problems/problem.js'
import { Api } from '#tests/support/api'
import { openConnection } from '#tests/support/raw'
import { startService } from '#tests/support/processes'
import { makeWorld } from '#tests/support/world'

const BODY = '{"name":"Slow","userActions":[]}'

/** Returns a service that is stopped while a request waits for the rest of its body. */
async function endingService(grace: string) {
  const world = await makeWorld()
  const service = await startService({ SHUTDOWN_GRACE: grace })
  const idle = await openConnection(service.base)
  idle.socket.write('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n')
  while (!idle.received().includes('ok')) await sleep(10)

  const slow = await openConnection(service.base)
  const head = [
    `POST /org/${world.organizationId}/group HTTP/1.1`,
    'Host: a',
    `X-API-Key: ${world.adminKey}`,
    'Content-Type: application/json',
    'Expect: 100-continue',
    `Content-Length: ${BODY.length}`,
  ]
  slow.socket.write(`${head.join('\r\n')}\r\n\r\n${BODY.slice(0, 4)}`)
  while (!slow.received().includes('100 Continue')) await sleep(10)

  const stopped = service.stop()
  // Without keep-alive: the service might close the idle connection just as it is used again.
  const headers = { connection: 'close' }
  const ask = (path: string) => new Api(null, service.base).get(path, { headers })
  while ((await ask('/health/ready')).status !== 503) await sleep(10)
  return { world, idle, slow, stopped, ask }
}

test.group('A service that is stopped', () => {
  test('finishes running requests, closes idle connections, stays live until then and exits with 0', async ({
    assert,
  }) => {
    const { world, idle, slow, stopped, ask } = await endingService('60')
    await idle.closed
    assert.equal((await ask('/health/live')).status, 200)
    assert.equal((await ask(`/org/${world.organizationId}`)).status, 503)
    slow.socket.write(BODY.slice(4))
    await slow.closed
    assert.match(slow.received(), /HTTP\/1\.1 201 /)
    assert.equal((await stopped).code, 0)
  }).timeout(30_000)

  test('does not wait for a body that never comes', async ({ assert }) => {
    const { slow, stopped } = await endingService('1')
    assert.equal((await stopped).code, 0)
    await slow.closed
  }).timeout(30_000)
})

test.group('Bodies that stop', () => {
  test('are refused if nothing has arrived for a while', async ({ assert, cleanup }) => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanup(() => void server.close().closeAllConnections())
    const { port } = server.address() as AddressInfo
    const { socket } = await openConnection(`http://127.0.0.1:${port}`)
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nfour')
    const [request] = await once(server, 'request')
    const refusal: Problem = await readBody(request, 1000, 20).then(
      () => assert.fail('it was read'),
      (problem) => problem
    )
    assert.equal(refusal.code, 'malformed_request')
    assert.equal(refusal.message, 'The body stopped arriving.')
  })

  test('have their connection closed by a refusal before they were read', async ({ assert }) => {
    const { socket, closed, received } = await openConnection()
    socket.write('POST /org/org_x/group HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nfour')
    await closed
    assert.match(received(), /^HTTP\/1\.1 401 [^]*\r\nconnection: close\r\n/i)
  }).timeout(10_000)
})
