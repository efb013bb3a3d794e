import {
  isProviderError,
  type ProviderError,
  type ProviderErrorCode,
} from '#plugin-kit/provider_error'

/** Errors of a tracker about tickets rather than about the caller. */
const TICKET_ERRORS = new Set<ProviderErrorCode>([
  'forbidden',
  'notFound',
  'conflict',
  'invalid',
  'preconditionFailed',
])
/** Returns whether a tracker has refused what was asked, and changed nothing. */
export const isRefusal = (error: unknown): error is ProviderError =>
  isProviderError(error) && TICKET_ERRORS.has(error.code) && error.detail.outcome === 'notApplied'

/** Most refused tickets that one run identifies; the rest waits for the next run. */
export const MAX_REFUSED = 20

/** The result of marking tickets one after the other. */
export interface TicketsReported {
  /** Why a ticket was refused, by its key. */
  refused: Map<string, string>
  /** Keys of the tickets that were not tried. */
  left: Set<string>
}

/**
 * Marks tickets together. If the tracker refuses, each half is tried separately, so that one ticket
 * does not stop the others.
 * @throws errors that do not refuse tickets; also the refusal, if several tickets are all
 *   forbidden, since that is about the caller
 */
export async function reportEach(
  keys: readonly string[],
  report: (keys: string[]) => Promise<unknown>
): Promise<TicketsReported> {
  const refusals = new Map<string, ProviderError>()
  const left = new Set<string>()
  let isAnyReported = false
  const halves = async (some: readonly string[]): Promise<void> => {
    if (refusals.size >= MAX_REFUSED) {
      for (const key of some) left.add(key)
      return
    }
    try {
      await report([...some])
      isAnyReported = true
    } catch (error) {
      if (!isRefusal(error)) throw error
      if (some.length === 1) {
        refusals.set(some[0], error)
        return
      }
      const half = Math.ceil(some.length / 2)
      await halves(some.slice(0, half))
      await halves(some.slice(half))
    }
  }
  if (keys.length > 0) await halves(keys)
  const all = [...refusals.values()]
  const isAboutCaller =
    !isAnyReported && all.length > 1 && all.every(({ code }) => code === 'forbidden')
  if (isAboutCaller) throw all[0]
  const refused = new Map([...refusals].map(([key, { message }]) => [key, message]))
  return { refused, left }
}
