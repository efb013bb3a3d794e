import type { ServerContext } from '@modelcontextprotocol/server'
import type { Waiter } from '#foundation/core/yielding'

/**
 * Minimum time between messages that only say that work goes on, in milliseconds. The name of a new
 * part of the work is always sent.
 */
const APART_MS = 200

/**
 * Returns the waiter of a call. It receives progress if the client sent a token for that, and stops
 * waiting when the client cancels.
 */
export function waiterOf({ mcpReq: { signal, _meta, notify } }: ServerContext): Waiter {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { signal }
  let progress = 0
  let reportedAt = -Infinity
  const hears = (message = 'Goes on') => {
    const now = performance.now()
    if (now - reportedAt < APART_MS && message === 'Goes on') return
    reportedAt = now
    progress += 1
    // A notification to a client that has disconnected fails, which is no failure of the work.
    void notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => {})
  }
  return { signal, hears }
}
