import net, { type AddressInfo, type Socket } from 'node:net'
import { test } from '@japa/runner'
import { Stage } from './support/stage.js'

/** A connection as the receiver sees it. */
interface Seen {
  requests: number
  isOver: Promise<void>
}

const HEAD = 'HTTP/1.1 200 OK\r\nconnection: keep-alive\r\n'
const EMPTY = `${HEAD}content-length: 0\r\n\r\n`

test.group('Connections to receivers', (group) => {
  const servers: net.Server[] = []
  const open: Socket[] = []

  group.each.teardown(async () => {
    for (const socket of open.splice(0)) socket.destroy()
    for (const server of servers.splice(0)) await new Promise((done) => server.close(done))
  })

  /** Starts a receiver that keeps all connections alive. */
  async function listen(respond: (socket: Socket) => void) {
    const seen: Seen[] = []
    const server = net.createServer((socket) => {
      open.push(socket)
      socket.on('error', () => {})
      const isOver = new Promise<void>((done) => socket.once('close', () => done()))
      const connection: Seen = { requests: 0, isOver }
      seen.push(connection)
      socket.on('data', (data) => {
        if (!data.toString().startsWith('POST ')) return
        connection.requests += 1
        respond(socket)
      })
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    const { port } = server.address() as AddressInfo
    return { url: `http://127.0.0.1:${port}/hook`, seen }
  }

  const THREE = ['a', 'b', 'c'].map((entity) => ({ entity }))

  test('are opened for each delivery, and closed after the answer', async ({ assert }) => {
    const stage = await Stage.set()
    const { url, seen } = await listen((socket) => socket.write(EMPTY))
    const { row } = await stage.endpoint(url)
    for (let round = 0; round < 2; round++) {
      await stage.record(...THREE)
      await stage.drain()
    }
    await Promise.all(seen.map(({ isOver }) => isOver))
    assert.deepEqual(
      seen.map(({ requests }) => requests),
      [1, 1, 1, 1, 1, 1]
    )
    const statuses = (await stage.deliveries(row.id)).map(({ status }) => status)
    assert.deepEqual([...new Set(statuses)], ['succeeded'])
  })

  test('are closed after 16 KiB of a longer answer', async ({ assert }) => {
    const stage = await Stage.set()
    const part = Buffer.alloc(8 * 1024, 'x')
    const { url, seen } = await listen((socket) => {
      socket.write(`${HEAD}content-length: ${1024 * part.length}\r\n\r\n`)
      for (let count = 0; count < 3; count++) socket.write(part)
    })
    const { row } = await stage.endpoint(url)
    await stage.record({})
    await stage.drain()
    await seen[0].isOver
    assert.lengthOf(seen, 1)
    const [delivery] = await stage.deliveries(row.id)
    assert.containsSubset(delivery, { status: 'succeeded', last_status_code: 200 })
  })

  test('that break without an answer are a failure, and are not retried at once', async ({
    assert,
  }) => {
    const stage = await Stage.set()
    let requests = 0
    const { url, seen } = await listen((socket) => {
      requests += 1
      if (requests === 1) socket.write(EMPTY)
      else socket.destroy()
    })
    const { row } = await stage.endpoint(url)
    await stage.record({ entity: 'a' })
    await stage.drain()
    await stage.record({ entity: 'b' })
    await stage.drain()
    assert.equal(requests, 2)
    assert.lengthOf(seen, 2)
    const [, second] = await stage.deliveries(row.id)
    assert.containsSubset(second, { status: 'pending', last_error_class: 'connection' })
  })
})
