import type { ServerContext } from '@modelcontextprotocol/server'
import type { Waiter } from '#foundation/core/turns'

/** How often a client hears of work that goes on. */
const APART_MS = 200

/**
 * Who waits for a call: they hear how far it is where they gave a token for that, and stop
 * waiting by cancelling it.
 */
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
    // Who has gone hears nothing, which is no failure of the work.
    void notify({
      method: 'notifications/progress',
      params: { progressToken, progress, message },
    }).catch(() => {})
  }
  return { signal, hears }
}
