/** Milliseconds between two wake-ups from outside. */
export const WAKE_INTERVAL = 20

/**
 * Throttles a function: the first call runs at once; calls within the interval after it are
 * combined into one at its end.
 * @param interval in milliseconds
 */
export function coalesced(call: () => void, interval = WAKE_INTERVAL): () => void {
  let isQuiet = true
  let isAsked = false
  const ask = () => {
    if (!isQuiet) {
      isAsked = true
      return
    }
    isQuiet = false
    setTimeout(() => {
      isQuiet = true
      if (!isAsked) return
      isAsked = false
      ask()
    }, interval).unref()
    call()
  }
  return ask
}
