/** The pilots of an app in order, and the one who had the last turn; null before the first. */
export interface PilotRotation {
  members: readonly string[]
  last: string | null
}

/**
 * Returns the pilot whose turn it is: the next one who is not away, or the next one at all if
 * everybody is away; null without pilots. A pilot who was away does not make up for a missed turn.
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
