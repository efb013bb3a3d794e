/** A full disk, a disk that fails, a file or server that is only read. */
const CANNOT_STORE = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|53100|58030|25006)/

let failedAt = -Infinity

/** Remembers a failure that says that nothing can be stored; leaves others alone. */
export function noteFailure(error: unknown): void {
  const { code, extras } = (error ?? {}) as { code?: unknown; extras?: { cause?: unknown } }
  if (typeof code === 'string' && CANNOT_STORE.test(code)) failedAt = performance.now()
  else if (extras?.cause) noteFailure(extras.cause)
}

/** Returns whether a write failed within the last milliseconds. */
export function failedWithin(milliseconds: number): boolean {
  return performance.now() - failedAt < milliseconds
}
