import type { SentBody } from '#foundation/api/operation/steps'

/** The relevant members of a freeze, as shown or as sent; a sent freeze is not checked yet. */
interface Freeze {
  startAt: string
  endAt: string
  phases: readonly string[]
}

/** Returns whether each present freeze is covered by one of the sent freezes. */
export function keepsFreezes({ freezes }: SentBody, present: unknown): boolean {
  if (!Array.isArray(freezes)) return false
  const sent = freezes as (Partial<Freeze> | null)[]
  return (present as Freeze[]).every((each) => sent.some((one) => covers(one, each)))
}

function covers(one: Partial<Freeze> | null, { startAt, endAt, phases }: Freeze): boolean {
  if (!Array.isArray(one?.phases)) return false
  const coversTime =
    Date.parse(String(one.startAt)) <= Date.parse(startAt) &&
    Date.parse(String(one.endAt)) >= Date.parse(endAt)
  return coversTime && phases.every((phase) => one.phases!.includes(phase))
}
