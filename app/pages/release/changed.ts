import type { Instant } from '#foundation/core/clock'
import type { Problem } from '#foundation/core/problems/problem'
import type { Reader, Refused } from '../frame/page.js'
import { refusalText } from '../words/plain.js'
import { inSentence } from '../words/times.js'

interface Change {
  actor: { id?: string | null; name: string }
  at: Instant
}

/** Says who changed meanwhile what a form was about, and what became of what was typed. */
export function changeText(
  change: Change | null,
  { fields }: Pick<Refused, 'fields'>,
  reader: Reader
): string {
  const isOwn = change?.actor.id === reader.principal.actor.id
  const who = change === null ? 'Somebody' : isOwn ? 'You' : change.actor.name
  const when = change === null ? ' meanwhile' : ` ${inSentence(change.at, reader)}`
  const isTyped = TYPED.some((name) => typeof fields[name] === 'string' && fields[name] !== '')
  return `${who} changed this${when}. ${isTyped ? 'Your text is kept below.' : 'This is how it is now.'}`
}

/** Fields that people type into. */
const TYPED = [
  'comment',
  'url',
  'percentage',
  'name',
  'userEmails',
  'releaseId',
  'configuration',
  'startDate',
  'timezone',
  'reason',
  'targetKickoffAt',
  'targetSubmitAt',
  'targetReleaseAt',
]

/** The message if somebody meanwhile changed the subject of a form; nothing else is known. */
export const changedMeanwhile = (refused: Refused | null, reader: Reader): { refusal?: string } =>
  refused?.problem.code === 'precondition_failed'
    ? { refusal: changeText(null, refused, reader) }
    : {}

/**
 * Returns what is said of a form that was refused.
 * @param changed what is said where something changed meanwhile
 * @param hasBox whether the page has a box by which it is done all the same
 */
export const refusalOf = ({ code, message }: Problem, changed: string, hasBox = false): string =>
  code === 'precondition_failed' ? changed : refusalText(message, hasBox)
