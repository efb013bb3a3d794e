import type { BreakerOptions } from './breaker.js'

/** Settings of calls to providers. */
export interface HttpOptions {
  /** Timeout of one attempt in milliseconds. */
  timeoutMs: number
  maxAttempts: number
  breaker: BreakerOptions
}

export const HTTP_DEFAULTS: HttpOptions = {
  timeoutMs: 30_000,
  maxAttempts: 3,
  breaker: { failures: 5, coolDownMs: 30_000 },
}

/** Deviations from the defaults. */
export type HttpOverrides = Partial<Omit<HttpOptions, 'breaker'>> & {
  breaker?: Partial<BreakerOptions>
}

/** Returns the options of a configuration, completed with the defaults. */
export function httpOptionsOf({ http = {} }: { http?: HttpOverrides }): HttpOptions {
  const breaker = { ...HTTP_DEFAULTS.breaker, ...http.breaker }
  const { timeoutMs = HTTP_DEFAULTS.timeoutMs, maxAttempts = HTTP_DEFAULTS.maxAttempts } = http
  for (const [name, value] of Object.entries({ timeoutMs, maxAttempts, ...breaker })) {
    if (!Number.isSafeInteger(value) || value < 1) {
      throw new Error(`http.${name} has to be a whole number above 0.`)
    }
  }
  return { timeoutMs, maxAttempts, breaker }
}
