/** Sends a request. */
export type Send = (request: Request) => Promise<Response>

export interface RetryOptions {
  /** Times that a request is repeated. Default: 3. */
  retries?: number
  /** Longest wait before a repetition, in milliseconds: an answer that asks for more is returned. Default: 60,000. */
  maxWaitMs?: number
}

const FIRST_WAIT_MS = 500

/** Refusals that say that nothing was done. */
const NOT_DONE = new Set([429, 503])
/** Failures on the way, after which a read may be repeated. */
const FAILED = new Set([500, 502, 504])

/**
 * Repeats requests that may be repeated: reads, and writes with an `Idempotency-Key`. `Retry-After`
 * is honoured; the signal of the request ends a wait.
 */
export function retrying(send: Send, { retries = 3, maxWaitMs = 60_000 }: RetryOptions = {}): Send {
  return async (request) => {
    const attempts = isRepeatable(request) ? retries + 1 : 1
    for (let attempt = 1; attempt < attempts; attempt++) {
      const outcome = await send(request.clone()).catch((error: unknown) => ({ error }))
      if ('error' in outcome && request.signal.aborted) throw outcome.error
      const wait = 'error' in outcome ? backoff(attempt) : waitAfter(outcome, request, attempt)
      if (wait === null || wait > maxWaitMs) {
        if ('error' in outcome) throw outcome.error
        return outcome
      }
      if (!('error' in outcome)) await outcome.body?.cancel()
      await pause(wait, request.signal)
    }
    return send(request)
  }
}

const isRead = ({ method }: Request) => method === 'GET' || method === 'HEAD'

/** Files are sent once: a copy for a repetition would hold all of one in memory. */
function isRepeatable(request: Request): boolean {
  if (isRead(request)) return true
  return request.headers.has('idempotency-key') && !isFile(request)
}

export const isFile = ({ headers }: Request) =>
  /^(multipart\/|application\/(offset\+)?octet-stream)/.test(headers.get('content-type') ?? '')

/** Returns milliseconds to wait before a repetition; null for an answer that is final. */
function waitAfter(response: Response, request: Request, attempt: number): number | null {
  const requested = retryAfter(response.headers.get('retry-after'))
  // A write with the same key that is still running: 409 with the time to ask again.
  const isRunning = response.status === 409 && requested !== null
  if (NOT_DONE.has(response.status) || isRunning) return requested ?? backoff(attempt)
  return FAILED.has(response.status) && isRead(request) ? (requested ?? backoff(attempt)) : null
}

/** Reads `Retry-After`: seconds, or a date. Returns milliseconds. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

/** Doubles with every attempt, by chance down to half, so that clients do not come together. */
const backoff = (attempt: number) => FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2)

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer)
      reject(signal.reason as Error)
    }
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', end)
      resolve()
    }, ms)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
}
