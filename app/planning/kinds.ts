import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/agenda/kinds'
import { FOLLOW_UPS, type FollowUp } from './vocabulary.js'

const ofApp = Type.Object({ appId: Type.String() })

/** The first train that is not decided yet is drafted or left out; the subject is the app. */
export const drafting = timerKind('planning.draft', ofApp)

/** A pause of automations ends; the subject is the app, or the internal id of a release. */
export const resuming = timerKind(
  'planning.resume',
  Type.Object({ appId: Type.String(), releaseId: Type.Union([Type.String(), Type.Null()]) })
)

/** An automation has its turn; the subject is the internal id of the release. */
export const turnOf = {
  kickoff: timerKind('planning.kickoff', ofApp),
  submit: timerKind('planning.submit', ofApp),
  release: timerKind('planning.release', ofApp),
}

/** What follows something has its turn; the subject is the internal id of the release. */
export const followUpKinds = Object.fromEntries(
  FOLLOW_UPS.map((type) => [type, timerKind(`planning.${type}`, ofApp)])
) as Record<FollowUp, typeof drafting>

/** People are reminded of a target date; the subject is the internal id of the release. */
export const reminding = {
  kickoff: timerKind('planning.kickoffReminder', ofApp),
  submit: timerKind('planning.submitReminder', ofApp),
  release: timerKind('planning.releaseReminder', ofApp),
}
