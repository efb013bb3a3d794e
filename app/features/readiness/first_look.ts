import type { ReleaseFeatures } from '../queries/release_features.js'

/*
 * Code alone shows every commit as work of its own, and tickets alone are ready without their
 * code: so the first look at either waits for the other, once. Who is away is not waited for
 * any longer than until the next look.
 */

/**
 * Returns whether the first poll of the code leaves work items to that of the tickets, which
 * follows.
 */
export function waitsForTickets(
  before: ReleaseFeatures,
  { ticketsSeenAt, mentioned }: ReleaseFeatures
): boolean {
  const isFirst = before.counts === null && before.codeSeenAt === null
  return isFirst && before.watchesTickets && (ticketsSeenAt === null || mentioned.length > 0)
}

/** Returns whether the first poll of the tickets leaves work items to that of the code. */
export function waitsForCode(before: ReleaseFeatures): boolean {
  const isFirst = before.counts === null && before.ticketsSeenAt === null
  return isFirst && before.watchesCode && before.codeSeenAt === null
}
