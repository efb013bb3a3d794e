import { isProviderError, type ProviderErrorCode } from '#plugin-kit/provider_error'

/** What a tracker says of the tickets that it is asked about, and not of whoever asks. */
const OF_TICKETS = new Set<ProviderErrorCode>([
  'forbidden',
  'notFound',
  'conflict',
  'invalid',
  'preconditionFailed',
])
/** Most tickets that are found to be refused at once: what is left then waits for the next time. */
export const MOST_REFUSED = 20

/** What came of telling tickets one thing after the other. */
export interface Told {
  /** Why a ticket was refused, by its key. */
  refused: Map<string, string>
  /** Keys of those that were not asked for any more. */
  left: Set<string>
}

/**
 * Tells tickets together. Where the tracker refuses, each half is told by itself, so that one
 * ticket keeps none of the others from it. @throws what is no refusal of tickets
 */
export async function tellEach(
  keys: readonly string[],
  tell: (keys: string[]) => Promise<unknown>,
  told: Told
): Promise<void> {
  if (told.refused.size >= MOST_REFUSED) {
    for (const key of keys) told.left.add(key)
    return
  }
  try {
    await tell([...keys])
  } catch (error) {
    if (!isProviderError(error) || !OF_TICKETS.has(error.code)) throw error
    if (error.detail.outcome !== 'notApplied') throw error
    if (keys.length === 1) {
      told.refused.set(keys[0], error.message)
      return
    }
    const half = Math.ceil(keys.length / 2)
    await tellEach(keys.slice(0, half), tell, told)
    await tellEach(keys.slice(half), tell, told)
  }
}
