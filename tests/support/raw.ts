import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { serviceUrl } from './processes.js'

/*
 * HTTP that no client library would send: broken, cut off or incomplete. Its answers are not
 * checked against the OpenAPI document.
 */

/** Opens a connection that keeps everything it receives. */
export async function openConnection(base = serviceUrl()) {
  const { hostname, port } = new URL(base)
  const socket: Socket = connect(Number(port), hostname)
  const closed = once(socket, 'close')
  let received = ''
  socket.setEncoding('utf8')
  socket.on('data', (chunk) => (received += chunk))
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, closed, received: () => received }
}

/** Sends bytes as they are; answers what arrives until the service closes or `until` matches. */
export function sendBytes(
  bytes: string,
  { end = false, until = /\r\n\r\n[^]*}\s*$/ } = {}
): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(Number(process.env.PORT), process.env.HOST)
    let received = ''
    socket.setEncoding('utf8')
    socket.on('data', (chunk) => {
      received += chunk
      if (until.test(received)) socket.destroy()
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
    socket.write(bytes)
    if (end) socket.end()
  })
}
