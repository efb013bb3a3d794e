import type { ReleaseFeatures } from '../queries/release_features.js'

/*
 * Code alone shows every commit as an item of its own, and tickets alone are ready without their
 * code. So the first poll of either waits for the other, once. A provider that does not answer is
 * waited for until the next poll at most.
 */

/**
 * Returns whether the first poll of the code leaves deriving work items to the poll of the tickets,
 * which follows.
 */
export function waitsForTickets(
  before: ReleaseFeatures,
  { ticketsSeenAt, mentioned }: ReleaseFeatures
): boolean {
  const isFirst = before.counts === null && before.codeSeenAt === null
  return isFirst && before.watchesTickets && (ticketsSeenAt === null || mentioned.length > 0)
}

/**
 * Returns whether the first poll of the tickets leaves deriving work items to the poll of the code.
 */
export function waitsForCode(before: ReleaseFeatures): boolean {
  const isFirst = before.counts === null && before.ticketsSeenAt === null
  return isFirst && before.watchesCode && before.codeSeenAt === null
}
