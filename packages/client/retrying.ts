/** Sends a request. */
export type Send = (request: Request) => Promise<Response>

export interface RetryOptions {
  /** Maximum number of retries of a request. Default: 3. */
  retries?: number
  /** Maximum milliseconds before a retry; a response that asks for more is returned. Default: 60,000. */
  maxWaitMs?: number
}

const FIRST_WAIT_MS = 500

/** Statuses that guarantee that nothing was done. */
const NOT_APPLIED = new Set([429, 503])
/** Statuses of failures after which a read may be retried. */
const FAILED = new Set([500, 502, 504])

/**
 * Retries idempotent requests: reads, and writes with an `Idempotency-Key`. It honours
 * `Retry-After`; the signal of the request ends a wait.
 */
export function retrying(send: Send, { retries = 3, maxWaitMs = 60_000 }: RetryOptions = {}): Send {
  return async (request) => {
    const attempts = isRetryable(request) ? retries + 1 : 1
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

/** Files are sent once, because a copy for a retry would need the whole file in memory. */
function isRetryable(request: Request): boolean {
  if (isRead(request)) return true
  return request.headers.has('idempotency-key') && !isFile(request)
}

export const isFile = ({ headers }: Request) =>
  /^(multipart\/|application\/(offset\+)?octet-stream)/.test(headers.get('content-type') ?? '')

/** Returns the wait before a retry in milliseconds; null if the response is final. */
function waitAfter(response: Response, request: Request, attempt: number): number | null {
  const requested = retryAfter(response.headers.get('retry-after'))
  // A 409 with `Retry-After` means that a write with the same key is still running.
  const isRunning = response.status === 409 && requested !== null
  if (NOT_APPLIED.has(response.status) || isRunning) return requested ?? backoff(attempt)
  return FAILED.has(response.status) && isRead(request) ? (requested ?? backoff(attempt)) : null
}

/** Reads `Retry-After`: seconds, or a date. Returns milliseconds. */
function retryAfter(value: string | null): number | null {
  if (value === null) return null
  if (/^\d+$/.test(value)) return Number(value) * 1000
  const at = Date.parse(value)
  return Number.isNaN(at) ? null : Math.max(0, at - Date.now())
}

/** Doubles with every attempt, with jitter, so that clients do not retry at the same time. */
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
