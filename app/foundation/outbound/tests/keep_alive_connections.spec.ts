import http, { type RequestListener } from 'node:http'
import net, { type AddressInfo, type Server, type Socket } from 'node:net'
import { test } from '@japa/runner'
import { OutboundClient } from '#foundation/outbound/client'
import { MAX_IDLE_CONNECTIONS } from '#foundation/outbound/keep_alive_connections'

const POST = { method: 'POST', body: Buffer.from('{}'), repeatable: true } as const

test.group('Kept connections', (group) => {
  const servers: (Server | http.Server)[] = []
  const clients: OutboundClient[] = []
  const open: Socket[] = []

  group.each.teardown(async () => {
    for (const client of clients.splice(0)) client.close()
    for (const socket of open.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) {
      await new Promise((done) => server.close(done))
    }
  })

  function make(options: ConstructorParameters<typeof OutboundClient>[0] = {}) {
    const client = new OutboundClient({ allowLoopback: true, ...options })
    clients.push(client)
    return client
  }

  /** Listens and counts connections. */
  async function listen(server: Server | http.Server, host = '127.0.0.1') {
    servers.push(server)
    const sockets: Socket[] = []
    server.on('connection', (socket: Socket) => {
      socket.on('error', () => {})
      sockets.push(socket)
      open.push(socket)
    })
    await new Promise<void>((done) => server.listen(0, host, done))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/`, port, sockets }
  }

  const serve = (listener: RequestListener) => listen(http.createServer(listener))

  /** Answers each request on a raw connection; `answer` gets the number of the request on it. */
  const serveRaw = (answer: (socket: Socket, number: number) => void) => {
    return listen(
      net.createServer((socket) => {
        let number = 0
        socket.on('data', (data) => {
          if (data.toString().includes('HTTP/1.1')) answer(socket, ++number)
        })
      })
    )
  }

  const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'

  /** Lets sockets hear of what has happened at their other end. */
  const settle = () => new Promise((done) => setTimeout(done, 30))

  test('requests that follow each other share a connection', async ({ assert }) => {
    const { url, sockets } = await serve((_request, response) => response.end('ok'))
    const client = make()
    for (let count = 0; count < 5; count++) {
      const { status, remoteAddress, timings } = await client.request({ url, ...POST })
      assert.equal(status, 200)
      assert.equal(remoteAddress, '127.0.0.1')
      assert.isDefined(timings.connected)
    }
    assert.lengthOf(sockets, 1)
  })

  test('a name that resolves to another address gets another connection', async ({ assert }) => {
    const { port, sockets } = await serve((_request, response) => response.end('ok'))
    let answers = ['127.0.0.1']
    const client = make({ resolve: async () => answers })
    const url = `http://name.test:${port}/`
    const ask = () => client.request({ url, ...POST })
    assert.equal((await ask()).status, 200)
    answers = ['10.0.0.1']
    assert.equal((await ask()).errorClass, 'refused')
    answers = ['127.0.0.2']
    assert.equal((await ask()).errorClass, 'connection')
    assert.lengthOf(sockets, 1)
    answers = ['127.0.0.1']
    assert.equal((await ask()).status, 200)
    assert.lengthOf(sockets, 1)
  })

  test('names that share an address do not share a connection', async ({ assert }) => {
    const { port, sockets } = await serve((request, response) => response.end(request.headers.host))
    const client = make({ resolve: async () => ['127.0.0.1'] })
    for (const name of ['one.test', 'two.test', 'one.test']) {
      const { bodyPrefix } = await client.request({ url: `http://${name}:${port}/`, ...POST })
      assert.equal(bodyPrefix, `${name}:${port}`)
    }
    assert.lengthOf(sockets, 2)
  })

  test('what must not arrive twice connects anew', async ({ assert }) => {
    const { url, sockets } = await serve((_request, response) => response.end('ok'))
    const client = make()
    for (let count = 0; count < 3; count++) {
      await client.request({ url, method: 'POST', body: Buffer.from('{}') })
    }
    assert.lengthOf(sockets, 3)
    await client.request({ url })
    await client.request({ url })
    assert.lengthOf(sockets, 4)
  })

  test('a connection that the receiver closed meanwhile is no failure', async ({ assert }) => {
    const got: number[] = []
    // Closes without a word when the second request comes, as if both had crossed.
    const { url, sockets } = await serveRaw((socket, number) => {
      got.push(number)
      if (number === 1) socket.write(OK)
      else socket.destroy()
    })
    const client = make()
    assert.equal((await client.request({ url, ...POST })).status, 200)
    const second = await client.request({ url, ...POST })
    assert.containsSubset(second, { status: 200, errorClass: null, bodyPrefix: 'ok' })
    assert.lengthOf(sockets, 2)
    assert.deepEqual(got, [1, 2, 1])
  })

  test('the fresh connection is the last try', async ({ assert }) => {
    let requests = 0
    const { url } = await serveRaw((socket) => {
      requests += 1
      if (requests === 1) socket.write(OK)
      else socket.destroy()
    })
    const client = make()
    await client.request({ url, ...POST })
    assert.equal((await client.request({ url, ...POST })).errorClass, 'connection')
    assert.equal(requests, 3)
  })

  test('a connection that breaks within an answer is a failure', async ({ assert }) => {
    let requests = 0
    const { url } = await serveRaw((socket, number) => {
      requests += 1
      if (number === 1) socket.write(OK)
      else socket.end('HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort')
    })
    const client = make()
    await client.request({ url, ...POST })
    assert.equal((await client.request({ url, ...POST })).errorClass, 'connection')
    assert.equal(requests, 2)
  })

  test('an answer that nobody asked for is not taken for the next one', async ({ assert }) => {
    const { url, sockets } = await serveRaw((socket, number) => {
      socket.write(OK)
      if (number === 1) setTimeout(() => socket.write(OK.replace('200', '410')), 5)
    })
    const client = make()
    await client.request({ url, ...POST })
    await settle()
    assert.equal((await client.request({ url, ...POST })).status, 200)
    assert.lengthOf(sockets, 2)
  })

  test('what was not read or sent whole leaves no connection', async ({ assert }) => {
    const { url, sockets } = await serve((_request, response) => response.end('x'.repeat(64)))
    const client = make()
    const cut = await client.request({ url, ...POST, maxBytes: 10 })
    assert.isTrue(cut.truncated)
    await client.request({ url, ...POST })
    assert.lengthOf(sockets, 2)

    // Answers before it has taken the body, and takes no more of it.
    const early = await listen(
      net.createServer((socket) => {
        socket.once('data', () => socket.pause().write(OK))
      })
    )
    const body = Buffer.alloc(16 * 1024 * 1024)
    assert.equal((await client.request({ url: early.url, ...POST, body })).status, 200)
    await client.request({ url: early.url, ...POST, body })
    assert.lengthOf(early.sockets, 2)
  })

  test('many at the same time leave a bounded number behind, and none after the end', async ({
    assert,
  }) => {
    const { url, sockets } = await serve((_request, response) => {
      setTimeout(() => response.end('ok'), 10)
    })
    const client = make()
    const closed = () => sockets.filter((socket) => socket.destroyed).length
    await Promise.all(
      Array.from({ length: MAX_IDLE_CONNECTIONS.each + 10 }, () => client.request({ url, ...POST }))
    )
    await settle()
    assert.lengthOf(sockets, MAX_IDLE_CONNECTIONS.each + 10)
    assert.equal(closed(), 10)
    client.close()
    await settle()
    assert.equal(closed(), sockets.length)
  })
})
