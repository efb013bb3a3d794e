import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from '@japa/runner'
import { makeServer } from '../api/http/make_server.js'
import { openConnection, sendBytes } from '#tests/support/raw'
import { makeWorld } from '#tests/support/world'

const LIVE = 'GET /health/live HTTP/1.1\r\n'

/** Reads the problem in a raw answer. */
function problemOf(received: string) {
  const [head, body] = received.split('\r\n\r\n', 2)
  return { head: head.toLowerCase(), problem: JSON.parse(body) }
}

test.group('Requests that the HTTP parser refuses', () => {
  const refused: [what: string, bytes: string, status: number, code: string][] = [
    ['no HTTP', 'SSH-2.0-OpenSSH_9.6\r\n\r\n', 400, 'malformed_request'],
    ['a broken header', `${LIVE}Host: a\r\nB@d header\r\n\r\n`, 400, 'malformed_request'],
    [
      'two lengths',
      `${LIVE}Host: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nx`,
      400,
      'malformed_request',
    ],
    [
      'a length beside chunks',
      `${LIVE}Host: a\r\nTransfer-Encoding: chunked\r\nContent-Length: 2\r\n\r\n`,
      400,
      'malformed_request',
    ],
    ['no host', `${LIVE}\r\n`, 400, 'malformed_request'],
    ['two hosts', `${LIVE}Host: a\r\nHost: b\r\n\r\n`, 400, 'malformed_request'],
    ['the same host twice', `${LIVE}Host: a\r\nhOST: a\r\n\r\n`, 400, 'malformed_request'],
    [
      'large headers',
      `${LIVE}Host: a\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    [
      'a long path',
      `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['an expectation', `${LIVE}Host: a\r\nExpect: coffee\r\n\r\n`, 417, 'expectation_failed'],
  ]
  for (const [what, bytes, status, code] of refused) {
    test(`${what} is ${status} as a problem, and the connection ends`, async ({ assert }) => {
      const { head, problem } = problemOf(await sendBytes(bytes, { until: /never/ }))
      assert.match(head, new RegExp(`^http/1\\.1 ${status} `))
      assert.include(head, 'content-type: application/problem+json; charset=utf-8')
      assert.include(head, 'connection: close')
      assert.include(head, `x-request-id: ${problem.requestId.toLowerCase()}`)
      assert.containsSubset(problem, { status, code, errors: [] })
      assert.equal(problem.error, problem.detail)
      // A refused host is not used in URLs.
      if (what.includes('host')) assert.equal(problem.type, '/problems/malformed_request')
    })
  }

  test('a head that arrives too slowly is answered with 408', async ({ assert, cleanup }) => {
    const options = { headersTimeout: 100, requestTimeout: 100, connectionsCheckingInterval: 20 }
    const server = makeServer(() => {}, 'https://t.example', options).listen(0, '127.0.0.1')
    cleanup(() => void server.close())
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const { socket, closed, received } = await openConnection(`http://127.0.0.1:${port}`)
    socket.write('GET / HTTP/1.1\r\nHost')
    await closed
    const { head, problem } = problemOf(received())
    assert.match(head, /^http\/1\.1 408 /)
    assert.equal(problem.type, 'https://t.example/problems/request_timeout')
  })

  test('an idle connection is kept open for longer than by proxies, and the answer says so', async ({
    assert,
  }) => {
    const received = await sendBytes(`${LIVE}Host: a\r\n\r\n`, { until: /"ok"/ })
    const [, seconds] = /\r\nkeep-alive: timeout=(\d+)\r\n/i.exec(received)!
    assert.isAbove(Number(seconds), 60)
  })

  test('nonsense after an answered request on a connection is refused alike', async ({
    assert,
  }) => {
    const received = await sendBytes(`${LIVE}Host: a\r\n\r\nNONSENSE\r\n\r\n`, { until: /never/ })
    assert.match(received, /^HTTP\/1\.1 (200|400) /)
    assert.include(received, '"code":"malformed_request"')
  })

  test('a broken chunk in the middle of a body writes nothing', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/group`
    const before = (await world.admin.get(path)).body.length
    const head = `POST ${path} HTTP/1.1\r\nHost: a\r\nX-API-Key: ${world.adminKey}\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`
    const received = await sendBytes(`${head}8\r\n{"name":\r\nzz\r\n`, { until: /never/ })
    assert.match(received, /^HTTP\/1\.1 400 /)
    assert.include(received, '"code":"malformed_request"')
    assert.equal((await world.admin.get(path)).body.length, before)
  })

  test('100-continue, a single host, and HTTP/1.0 without a host are accepted', async ({
    assert,
  }) => {
    for (const bytes of [
      `${LIVE}Host: a\r\n\r\n`,
      `${LIVE}Host: a\r\nExpect: 100-continue\r\n\r\n`,
      'GET /health/live HTTP/1.0\r\n\r\n',
    ]) {
      assert.match(await sendBytes(bytes, { until: /"ok"/ }), /200 OK/)
    }
  })
})
