import net, { type AddressInfo, type Socket } from 'node:net'
import { test } from '@japa/runner'
import { OutboundClient } from '../client.js'

const OK = 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\ncontent-length: 2\r\n\r\nok'

test.group('Connections of the outbound client', (group) => {
  const servers: net.Server[] = []
  const open: Socket[] = []
  const client = new OutboundClient({ allowLoopback: true })

  group.each.teardown(async () => {
    for (const socket of open.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
  })

  /** Calls back at the first bytes of each connection; `ends` resolve when connections close. */
  async function listen(respond: (socket: Socket) => void) {
    const ends: Promise<void>[] = []
    const server = net.createServer((socket) => {
      open.push(socket)
      socket.on('error', () => {})
      ends.push(new Promise((done) => socket.once('close', () => done())))
      socket.once('data', () => respond(socket))
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, ends }
  }

  for (const method of ['GET', 'POST'] as const) {
    test(`${method} uses a new connection for each request, closed after the answer`, async ({
      assert,
    }) => {
      const { url, ends } = await listen((socket) => socket.write(OK))
      for (let count = 0; count < 3; count++) {
        const { status, remoteAddress } = await client.request({ url, method })
        assert.equal(status, 200)
        assert.equal(remoteAddress, '127.0.0.1')
      }
      await Promise.all(ends)
      assert.lengthOf(ends, 3)
    })
  }

  test('a name is resolved and checked again for each request', async ({ assert }) => {
    const { url, ends } = await listen((socket) => socket.write(OK))
    let results = ['127.0.0.1']
    const named = new OutboundClient({ allowLoopback: true, resolve: async () => results })
    const ask = () => named.request({ url: url.replace('127.0.0.1', 'name.test') })
    assert.equal((await ask()).status, 200)
    results = ['10.0.0.1']
    assert.equal((await ask()).errorClass, 'refused')
    assert.lengthOf(ends, 1)
  })

  test('an answer before the whole body was received counts, and ends the connection', async ({
    assert,
  }) => {
    const { url, ends } = await listen((socket) => {
      socket.pause().write(OK)
      // A paused socket does not report its end.
      setImmediate(() => socket.resume())
    })
    const body = Buffer.alloc(16 * 1024 * 1024)
    const { status } = await client.request({ url, method: 'POST', body })
    assert.equal(status, 200)
    await Promise.all(ends)
    assert.lengthOf(ends, 1)
  })

  test('a connection that breaks within an answer is a failure, and nothing is sent again', async ({
    assert,
  }) => {
    const cut = 'HTTP/1.1 200 OK\r\ncontent-length: 50\r\n\r\nshort'
    const { url, ends } = await listen((socket) => socket.end(cut))
    assert.equal((await client.request({ url })).errorClass, 'connection')
    await Promise.all(ends)
    assert.lengthOf(ends, 1)
  })
})
