import http, { type RequestListener } from 'node:http'
import net, { type AddressInfo, type Server } from 'node:net'
import { test } from '@japa/runner'
import { OutboundClient } from '../client.js'

const client = new OutboundClient({ allowLoopback: true })

test.group('Outbound client', (group) => {
  let servers: (Server | http.Server)[] = []

  group.each.teardown(async () => {
    for (const server of servers) {
      if (server instanceof http.Server) server.closeAllConnections()
      await new Promise((done) => server.close(done))
    }
    servers = []
  })

  async function listen(server: Server | http.Server): Promise<string> {
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }

  const serve = (listener: RequestListener) => listen(http.createServer(listener))

  /** Starts a receiver that answers these bytes, valid HTTP or not. */
  const answerRaw = (bytes: string) =>
    listen(
      net.createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () => socket.end(bytes))
      })
    )

  test('sends what it is given and reports the answer', async ({ assert }) => {
    const seen: { method?: string; header?: unknown; body: string }[] = []
    const url = await serve((request, response) => {
      let body = ''
      request.on('data', (chunk) => (body += chunk))
      request.on('end', () => {
        seen.push({ method: request.method, header: request.headers['x-team'], body })
        response.writeHead(202, { 'retry-after': '7', 'x-inner': 'kept out' }).end('taken')
      })
    })
    const result = await client.request({
      url: `${url}/hook?x=1`,
      method: 'POST',
      headers: { 'x-team': 'ios' },
      body: Buffer.from('{"a":"é"}'),
    })
    assert.deepEqual(seen, [{ method: 'POST', header: 'ios', body: '{"a":"é"}' }])
    assert.containsSubset(result, {
      status: 202,
      errorClass: null,
      errorMessage: null,
      bodyPrefix: 'taken',
      truncated: false,
      remoteAddress: '127.0.0.1',
    })
    assert.equal(result.headers['retry-after'], '7')
    assert.notProperty(result.headers, 'x-inner')
    assert.isAtLeast(result.timings.total, result.timings.answered!)
  })

  test('a redirect is an answer and is not followed', async ({ assert }) => {
    const paths: (string | undefined)[] = []
    const url = await serve((request, response) => {
      paths.push(request.url)
      response.writeHead(307, { location: '/elsewhere' }).end()
    })
    const result = await client.request({ url: `${url}/hook` })
    assert.equal(result.status, 307)
    assert.equal(result.headers.location, '/elsewhere')
    assert.deepEqual(paths, ['/hook'])
  })

  test('an endless answer is read to its limit and the connection cut', async ({ assert }) => {
    let closed!: () => void
    const whenClosed = new Promise<void>((done) => (closed = done))
    const url = await serve((_request, response) => {
      response.on('close', closed)
      const write = () => {
        while (!response.destroyed && response.write('x'.repeat(1000)));
      }
      response.on('drain', write)
      write()
    })
    const result = await client.request({ url })
    await whenClosed
    assert.equal(result.status, 200)
    assert.isNull(result.errorClass)
    assert.isTrue(result.truncated)
    assert.lengthOf(result.body, 16 * 1024)
    assert.lengthOf(result.bodyPrefix, 4 * 1024)
  })

  test('a body of exactly the limit is complete', async ({ assert }) => {
    const url = await serve((_request, response) => response.end('y'.repeat(64)))
    const whole = await client.request({ url, maxBytes: 64 })
    assert.isFalse(whole.truncated)
    const cut = await client.request({ url, maxBytes: 63 })
    assert.isTrue(cut.truncated)
    assert.lengthOf(cut.body, 63)
  })

  test('the stored text has no half character and no NUL', async ({ assert }) => {
    const url = await serve((_request, response) => response.end(`a\u0000${'é'.repeat(5000)}`))
    const { bodyPrefix } = await client.request({ url })
    assert.equal(bodyPrefix, `a\ufffd${'é'.repeat(2047)}`)
  })

  test('a receiver that never answers times out', async ({ assert }) => {
    const url = await serve(() => {})
    const result = await client.request({ url, timeout: 100 })
    assert.equal(result.errorClass, 'timeout')
    assert.isNull(result.status)
    assert.isDefined(result.timings.connected)
  })

  test('a drip of bytes does not outlive the total timeout', async ({ assert }) => {
    const url = await serve((_request, response) => {
      response.write('.')
      const drip = setInterval(() => response.write('.'), 20)
      response.on('close', () => clearInterval(drip))
    })
    const result = await client.request({ url, timeout: 150 })
    assert.equal(result.errorClass, 'timeout')
    assert.equal(result.status, 200)
  })

  test('a name that does not resolve in time is a connect timeout', async ({ assert }) => {
    const slow = new OutboundClient({
      allowLoopback: true,
      connectTimeout: 50,
      resolve: () => new Promise(() => {}),
    })
    const result = await slow.request({ url: 'http://slow.test/' })
    assert.equal(result.errorClass, 'connectTimeout')
  })

  test('TLS that never answers is a connect timeout', async ({ assert }) => {
    const url = await listen(net.createServer((socket) => socket.on('error', () => {}).resume()))
    const hasty = new OutboundClient({ allowLoopback: true, connectTimeout: 80 })
    const result = await hasty.request({ url: url.replace('http:', 'https:') })
    assert.equal(result.errorClass, 'connectTimeout')
  })

  test('failures are sorted by what failed', async ({ assert }) => {
    const classOf = async (url: string) => {
      const { errorClass } = await client.request({ url })
      return errorClass
    }
    const gone = await serve(() => {})
    const server = servers.pop()!
    await new Promise((done) => server.close(done))
    assert.equal(await classOf(gone), 'connection')
    assert.equal(await classOf(await answerRaw('hello\r\n\r\n')), 'protocol')
    assert.equal(await classOf(await answerRaw('')), 'connection')
    assert.equal(
      await classOf(await answerRaw('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort')),
      'connection'
    )
    const plain = await serve((_request, response) => response.end())
    assert.equal(await classOf(plain.replace('http:', 'https:')), 'tls')
    assert.equal(await classOf('http://10.0.0.1/'), 'refused')
    const error = Object.assign(new Error('queryA'), { code: 'ESERVFAIL', syscall: 'queryA' })
    const nameless = new OutboundClient({ resolve: () => Promise.reject(error) })
    const unresolved = await nameless.request({ url: 'https://absent.test/' })
    assert.equal(unresolved.errorClass, 'dns')
  })

  test('headers beyond 16 KiB end the request', async ({ assert }) => {
    const head = `HTTP/1.1 200 OK\r\nx-long: ${'h'.repeat(20_000)}\r\n\r\n`
    const result = await client.request({ url: await answerRaw(head) })
    assert.equal(result.errorClass, 'protocol')
  })

  test('an aborted request ends at once', async ({ assert }) => {
    const url = await serve(() => {})
    const control = new AbortController()
    const running = client.request({ url, signal: control.signal })
    control.abort()
    const given = await running
    assert.equal(given.errorClass, 'aborted')
    const never = await client.request({ url, signal: control.signal })
    assert.equal(never.errorClass, 'aborted')
  })

  test('the connection goes to the checked address, and the name is resolved once', async ({
    assert,
  }) => {
    const url = await serve((request, response) => response.end(request.headers.host))
    const results = [['127.0.0.1'], ['10.0.0.1']]
    const requested: string[] = []
    const rebinding = new OutboundClient({
      allowLoopback: true,
      resolve: async (hostname) => {
        requested.push(hostname)
        return results.shift() ?? []
      },
    })
    const port = new URL(url).port
    const first = await rebinding.request({ url: `http://rebind.test:${port}/` })
    assert.equal(first.status, 200)
    assert.equal(first.remoteAddress, '127.0.0.1')
    assert.equal(first.bodyPrefix, `rebind.test:${port}`)
    const second = await rebinding.request({ url: `http://rebind.test:${port}/` })
    assert.equal(second.errorClass, 'refused')
    const third = await rebinding.request({ url: `http://rebind.test:${port}/` })
    assert.equal(third.errorClass, 'dns')
    assert.deepEqual(requested, ['rebind.test', 'rebind.test', 'rebind.test'])
  })

  test('loopback is never reached without permission, by name or by address', async ({
    assert,
  }) => {
    let connections = 0
    const url = await listen(net.createServer(() => (connections += 1)))
    const port = new URL(url).port
    const strict = new OutboundClient({ resolve: async () => ['127.0.0.1'] })
    for (const target of [url, `https://127.0.0.1:${port}/`, `https://inner.test:8443/`]) {
      const { errorClass } = await strict.request({ url: target })
      assert.equal(errorClass, 'refused', target)
    }
    assert.equal(connections, 0)
  })

  test('proxy variables are not followed', async ({ assert, cleanup }) => {
    let proxied = 0
    const proxy = await serve((_request, response) => {
      proxied += 1
      response.end('proxy')
    })
    const url = await serve((_request, response) => response.end('direct'))
    const restore = http.setGlobalProxyFromEnv({ http_proxy: proxy, https_proxy: proxy })
    cleanup(() => restore())
    const { bodyPrefix } = await client.request({ url })
    assert.equal(bodyPrefix, 'direct')
    assert.equal(proxied, 0)
  })
})
