/** The result of a call that was abandoned because the process stops. */
export const CUT = Symbol('cut')

/**
 * Makes a call with a deadline.
 * @param cut aborted when the process stops
 * @param timeoutMs milliseconds after which the call is aborted
 * @param failed returns the result of a call that failed or timed out
 */
export async function callWithDeadline<Result>(
  call: (signal: AbortSignal) => Promise<Result>,
  { cut, timeoutMs }: { cut: AbortSignal; timeoutMs: number },
  failed: (reason: string) => Result
): Promise<Result | typeof CUT> {
  const signal = AbortSignal.any([cut, AbortSignal.timeout(timeoutMs)])
  if (cut.aborted) return CUT
  let abandon = () => {}
  const abandoned = new Promise<typeof CUT>((resolve) => {
    // A call that ignores its signal is abandoned; the fence rejects its late result.
    abandon = () => resolve(CUT)
    signal.addEventListener('abort', abandon, { once: true })
  })
  try {
    const result = await Promise.race([call(signal), abandoned])
    if (result !== CUT) return result as Result
    return cut.aborted ? CUT : failed('It did not finish in time')
  } catch (error) {
    if (cut.aborted) return CUT
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}
