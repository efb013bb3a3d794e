/** The pilots of an app in turn, and whose turn was last among them; null before the first. */
export interface PilotRotation {
  members: readonly string[]
  last: string | null
}

/**
 * Whose turn it is: the next who is not away, or the next of all where everybody is; null where
 * there is nobody. Whoever was away is not made up for.
 */
export function nextTurn(
  { members, last }: PilotRotation,
  isAway: (member: string) => boolean
): string | null {
  if (members.length === 0) return null
  const start = last === null ? 0 : members.indexOf(last) + 1
  const turns = members.map((_, step) => members[(start + step) % members.length])
  return turns.find((member) => !isAway(member)) ?? turns[0]
}
