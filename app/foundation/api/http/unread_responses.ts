import type { Server } from 'node:http'

/** Milliseconds for which a client may leave a response unread. */
const TIMEOUT_MS = 30_000

/**
 * Closes connections whose clients do not read their response for this time, because the unread
 * part occupies memory.
 */
export function endUnreadResponses(server: Server, timeoutMs = TIMEOUT_MS): void {
  server.setTimeout(timeoutMs, (socket) => {
    if (socket.writableLength > 0) socket.destroy()
  })
}
