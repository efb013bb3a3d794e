import { PHASES, type Phase } from '#planning/calendar/freezes'
import { REMINDER_OF } from '#planning/vocabulary'

/** Returns the phase whose target date a type reminds of; null for any other. */
export function remindedPhase(type: string): Phase | null {
  return PHASES.find((phase) => REMINDER_OF[phase] === type) ?? null
}
