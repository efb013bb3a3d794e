import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { endUnreadResponses } from '../api/http/unread_responses.js'

const LARGE = Buffer.alloc(64 * 1024 * 1024, 'x')

/** Returns a server whose answers are large at `/`, and late at `/late`. */
async function serve(patienceMs: number) {
  const server = createServer((request, response) => {
    if (request.url === '/late') setTimeout(() => response.end('late'), 3 * patienceMs)
    else response.end(LARGE)
  })
  endUnreadResponses(server, patienceMs)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ask = (path: string) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {})
    socket.write(`GET ${path} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
    return socket
  }
  return {
    ask,
    connections: () => new Promise((done) => server.getConnections((_, count) => done(count))),
    close: () => server.close(),
  }
}

test.group('An answer that nobody reads', () => {
  test('is given up', async ({ assert, cleanup }) => {
    const { ask, connections, close } = await serve(50)
    cleanup(() => void close())
    const socket = ask('/').pause()
    cleanup(() => void socket.destroy())
    for (let waited = 0; waited < 200; waited++) {
      if (waited > 10 && (await connections()) === 0) break
      await sleep(20)
    }
    assert.equal(await connections(), 0)
  })

  test('is distinguished from one that is read slowly, or sent late', async ({
    assert,
    cleanup,
  }) => {
    const { ask, close } = await serve(1000)
    cleanup(() => void close())
    const late = ask('/late')
    let received = ''
    late.on('data', (chunk) => (received += chunk))
    await once(late, 'close')
    assert.match(received, /late$/)

    const slow = ask('/')
    let bytes = 0
    let pauses = 0
    slow.on('data', (chunk) => {
      bytes += chunk.length
      if (bytes < (pauses + 1) * 8 * 1024 * 1024) return
      pauses += 1
      slow.pause()
      setTimeout(() => slow.resume(), 60)
    })
    await once(slow, 'close')
    assert.isAtLeast(bytes, LARGE.length)
    assert.isAtLeast(pauses, 8)
  })
})
