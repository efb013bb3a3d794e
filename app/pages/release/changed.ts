import type { Instant } from '#foundation/core/clock'
import type { Problem } from '#foundation/core/problems/problem'
import type { Reader, Refused } from '../frame/page.js'
import { refusalText } from '../words/plain.js'
import { inSentence } from '../words/times.js'

interface Change {
  actor: { id?: string | null; name: string }
  at: Instant
}

/** Says who has changed the subject of a form since it was shown, and that typed text is kept. */
export function changeText(
  change: Change | null,
  { fields }: Pick<Refused, 'fields'>,
  reader: Reader
): string {
  const isOwn = change?.actor.id === reader.principal.actor.id
  const actor = isOwn ? 'You' : (change?.actor.name ?? 'Somebody')
  const when = change === null ? ' in the meantime' : ` ${inSentence(change.at, reader)}`
  const isTyped = TYPED.some((name) => typeof fields[name] === 'string' && fields[name] !== '')
  return `${actor} changed this${when}. ${isTyped ? 'Your text is kept below.' : 'This is how it is now.'}`
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

/** Returns the message if somebody has changed the subject of a form, without saying who. */
export const changedMeanwhile = (refused: Refused | null, reader: Reader): { refusal?: string } =>
  refused?.problem.code === 'precondition_failed'
    ? { refusal: changeText(null, refused, reader) }
    : {}

/**
 * Returns the message about a refused form.
 * @param changed the message if its subject has changed since it was shown
 * @param hasBox whether the page has a box to override the refusal
 */
export const refusalOf = ({ code, message }: Problem, changed: string, hasBox = false): string =>
  code === 'precondition_failed' ? changed : refusalText(message, hasBox)
