/** Codes of a full or failing disk, and of a read-only file or server. */
const CANNOT_STORE = /^(SQLITE_(FULL|IOERR|READONLY|CANTOPEN)|53100|58030|25006)/

let failedAt = -Infinity

/** Remembers the time of a failure that means that nothing can be stored; ignores others. */
export function noteFailure(error: unknown): void {
  const { code, extras } = (error ?? {}) as { code?: unknown; extras?: { cause?: unknown } }
  if (typeof code === 'string' && CANNOT_STORE.test(code)) failedAt = performance.now()
  else if (extras?.cause) noteFailure(extras.cause)
}

/** Returns whether such a failure was noted within the last milliseconds. */
export function failedWithin(milliseconds: number): boolean {
  return performance.now() - failedAt < milliseconds
}
