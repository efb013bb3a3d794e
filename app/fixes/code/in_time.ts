import { refuse } from '#foundation/core/problems/problem'

/**
 * Waits for work until a signal aborts, even if the work does not react to it.
 * @throws provider_error
 */
export async function inTime<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  const late = new Promise<never>((_, refuseIt) => {
    const end = () => refuseIt(refuse('provider_error', { detail: 'It did not respond in time' }))
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })
  return Promise.race([work, late])
}
