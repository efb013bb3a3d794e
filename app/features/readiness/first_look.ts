import type { ReleaseFeatures } from '../queries/release_features.js'

/*
 * Code alone shows every commit as work of its own, and tickets alone are ready without their
 * code: so the first look at either waits for the other, once. Who is away is not waited for
 * any longer than until the next look.
 */

/** Whether the first look at the code leaves work items to the tickets, which are looked at next. */
export function waitsForTickets(
  before: ReleaseFeatures,
  { ticketsSeenAt, mentioned }: ReleaseFeatures
): boolean {
  const isFirst = before.counts === null && before.codeSeenAt === null
  return isFirst && before.watchesTickets && (ticketsSeenAt === null || mentioned.length > 0)
}

/** Whether the first look at the tickets leaves work items to the code. */
export function waitsForCode(before: ReleaseFeatures): boolean {
  const isFirst = before.counts === null && before.ticketsSeenAt === null
  return isFirst && before.watchesCode && before.codeSeenAt === null
}
