import type { Instant } from '#foundation/core/clock'

/** The phases of target dates and automations. */
export const PHASES = ['kickoff', 'submit', 'release'] as const
export type Phase = (typeof PHASES)[number]

/** A time in which automations of some phases do not run; its end is not part of it. */
export interface Freeze {
  id: string
  startAt: Instant
  endAt: Instant
  phases: Phase[]
}

/** Returns the freezes of a phase in which an instant lies. */
export function freezesAt<Each extends Freeze>(
  freezes: readonly Each[],
  phase: Phase,
  instant: Instant
): Each[] {
  return freezes.filter(
    ({ phases, startAt, endAt }) => phases.includes(phase) && startAt <= instant && instant < endAt
  )
}

/** Returns the first instant, from a given one on, that lies in no freeze of a phase. */
export function thawedFrom(freezes: readonly Freeze[], phase: Phase, instant: Instant): Instant {
  let at = instant
  for (;;) {
    const ends = freezesAt(freezes, phase, at).map(({ endAt }) => endAt)
    if (ends.length === 0) return at
    // Another freeze may begin before this one ends, or just then.
    at = ends.reduce((last, end) => (end > last ? end : last))
  }
}
