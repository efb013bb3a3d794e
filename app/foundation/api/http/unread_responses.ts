import type { Server } from 'node:http'

/** The time for which a client may leave a response unread, in milliseconds. */
const TIMEOUT_MS = 30_000

/**
 * Ends connections whose clients have read nothing of a response for this time, because the unread
 * part occupies memory.
 */
export function endUnreadResponses(server: Server, patienceMs = TIMEOUT_MS): void {
  server.setTimeout(patienceMs, (socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
