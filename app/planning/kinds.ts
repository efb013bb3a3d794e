import { Type } from '@sinclair/typebox'
import { timerKind, commandKind } from '#foundation/core/jobs/kinds'
import type { Following } from './vocabulary.js'

const ofApp = Type.Object({ appId: Type.String() })

/** The first undecided train is due to be drafted or left out; the subject is the app. */
export const drafting = timerKind('planning.draft', ofApp)

/** The cadence of a followed app has changed; the subject is the app that follows it. */
export const following = timerKind('planning.followCadence', ofApp)

/** A pause of automations ends; the subject is the app, or the internal id of a release. */
export const resuming = timerKind(
  'planning.resume',
  Type.Object({ appId: Type.String(), releaseId: Type.Union([Type.String(), Type.Null()]) })
)

/** The automation of a phase is due; the subject is the internal id of the release. */
export const phaseKinds = {
  kickoff: timerKind('planning.kickoff', ofApp),
  submit: timerKind('planning.submit', ofApp),
  release: timerKind('planning.release', ofApp),
}

/** A follow-up automation is due; the subject is the internal id of the release. */
export const followUpKinds = {
  createChatChannel: timerKind('planning.createChatChannel', ofApp),
  addLabelsAndFixVersions: timerKind('planning.addLabelsAndFixVersions', ofApp),
  bumpVersionAfterKickoff: timerKind('planning.bumpVersionAfterKickoff', ofApp),
  bumpVersionAfterSubmission: timerKind('planning.bumpVersionAfterSubmission', ofApp),
  tagOnRelease: timerKind('planning.tagOnRelease', ofApp),
  backMergeAfterRelease: timerKind('planning.backMergeAfterRelease', ofApp),
  bumpVersionAfterRelease: timerKind('planning.bumpVersionAfterRelease', ofApp),
} satisfies Record<Following, unknown>

/** A chat channel is to be made; the subject is the internal id of the release. */
export const channelKind = commandKind(
  'planning.channel',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    name: Type.String(),
  }),
  'chat'
)

/** People are reminded of a target date; the subject is the internal id of the release. */
export const reminding = {
  kickoff: timerKind('planning.kickoffReminder', ofApp),
  submit: timerKind('planning.submitReminder', ofApp),
  release: timerKind('planning.releaseReminder', ofApp),
}
