/** Milliseconds between two wake-ups from outside. */
export const WAKE_INTERVAL = 20

/**
 * Calls at most once in so many milliseconds, and once more at their end if it was asked to
 * meanwhile. After a quiet time it calls at once.
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
