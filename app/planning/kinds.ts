import { Type } from '@sinclair/typebox'
import { timerKind } from '#foundation/core/agenda/kinds'
import type { Following } from './vocabulary.js'

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
export const followUpKinds = {
  bumpVersionAfterKickoff: timerKind('planning.bumpVersionAfterKickoff', ofApp),
  bumpVersionAfterSubmission: timerKind('planning.bumpVersionAfterSubmission', ofApp),
  tagOnRelease: timerKind('planning.tagOnRelease', ofApp),
  backMergeAfterRelease: timerKind('planning.backMergeAfterRelease', ofApp),
  bumpVersionAfterRelease: timerKind('planning.bumpVersionAfterRelease', ofApp),
} satisfies Record<Following, unknown>

/** People are reminded of a target date; the subject is the internal id of the release. */
export const reminding = {
  kickoff: timerKind('planning.kickoffReminder', ofApp),
  submit: timerKind('planning.submitReminder', ofApp),
  release: timerKind('planning.releaseReminder', ofApp),
}
