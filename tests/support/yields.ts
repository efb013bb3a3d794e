import { waitedFor } from '#foundation/core/yielding'

/** Counts how often some work yields to other work. */
export async function yieldsOf(work: () => Promise<unknown>): Promise<number> {
  let yields = 0
  const waiter = { signal: { aborted: false }, hears: () => void (yields += 1) }
  await waitedFor(waiter, work)
  return yields
}
