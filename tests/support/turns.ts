import { waitedFor } from '#foundation/core/turns'

/** How often some work comes to where it gives way to others. */
export async function turnsOf(work: () => Promise<unknown>): Promise<number> {
  let turns = 0
  const waiter = { signal: { aborted: false }, hears: () => void (turns += 1) }
  await waitedFor(waiter, work)
  return turns
}
