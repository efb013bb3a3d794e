/** The process stops and cannot wait for an answer any longer. */
export const CUT = Symbol('cut')

/**
 * Makes a call that may not last longer than it may.
 * @param ending aborted when the process stops; milliseconds after which the call is ended
 * @param failed what is known of a call that failed or was ended
 */
export async function ask<Answer>(
  call: (signal: AbortSignal) => Promise<Answer>,
  { cut, until }: { cut: AbortSignal; until: number },
  failed: (reason: string) => Answer
): Promise<Answer | typeof CUT> {
  const signal = AbortSignal.any([cut, AbortSignal.timeout(until)])
  if (cut.aborted) return CUT
  let abandon = () => {}
  const abandoned = new Promise<typeof CUT>((resolve) => {
    // A call that does not heed its signal is left to itself: the fence ignores what it brings.
    abandon = () => resolve(CUT)
    signal.addEventListener('abort', abandon, { once: true })
  })
  try {
    const answer = await Promise.race([call(signal), abandoned])
    if (answer !== CUT) return answer as Answer
    return cut.aborted ? CUT : failed('It did not end in time')
  } catch (error) {
    if (cut.aborted) return CUT
    return failed(error instanceof Error ? error.message : String(error))
  } finally {
    signal.removeEventListener('abort', abandon)
  }
}
