import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { serviceUrl } from './processes.js'

/*
 * HTTP as no client library would send it: broken, cut off, or held back half way. What
 * answers is not checked against the OpenAPI document.
 */

/** A connection of its own, with everything it has received. */
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

/** Sends bytes as they are and reads until the service closes or `until` matches. */
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
