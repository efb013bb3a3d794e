import type { SentBody } from '#foundation/api/operation/steps'

/** The relevant members of a freeze, as shown or as sent; the latter is not checked yet. */
interface Freeze {
  startAt: string
  endAt: string
  phases: readonly string[]
}

/** Returns whether the sent freezes cover all present ones, each with one of them. */
export function keepsFreezes({ freezes }: SentBody, present: unknown): boolean {
  if (!Array.isArray(freezes)) return false
  const sent = freezes as (Partial<Freeze> | null)[]
  return (present as Freeze[]).every((each) => sent.some((one) => holds(one, each)))
}

function holds(one: Partial<Freeze> | null, { startAt, endAt, phases }: Freeze): boolean {
  if (!Array.isArray(one?.phases)) return false
  const isAsLong =
    Date.parse(String(one.startAt)) <= Date.parse(startAt) &&
    Date.parse(String(one.endAt)) >= Date.parse(endAt)
  return isAsLong && phases.every((phase) => one.phases!.includes(phase))
}
