import type { ServerContext } from '@modelcontextprotocol/server'
import type { Waiter } from '#foundation/core/yielding'

/** Minimum interval of progress notifications, in milliseconds. */
const APART_MS = 200

/** Returns the waiter of a call: it receives progress if it gave a token, and may cancel. */
export function waiterOf({ mcpReq: { signal, _meta, notify } }: ServerContext): Waiter {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined) return { signal }
  let progress = 0
  let toldAt = -Infinity
  const hears = (message = 'Goes on') => {
    const now = performance.now()
    if (now - toldAt < APART_MS && message === 'Goes on') return
    toldAt = now
    progress += 1
    // A disconnected client receives nothing, which is no failure.
    void notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => {})
  }
  return { signal, hears }
}
