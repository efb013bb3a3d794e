import { Type } from '@sinclair/typebox'
import { timerKind, commandKind } from '#foundation/core/jobs/kinds'
import type { TimedFollowUp } from './vocabulary.js'

const appPayload = Type.Object({ appId: Type.String() })

/** The first undecided train is due to be drafted or left out; the subject is the app. */
export const draftKind = timerKind('planning.draft', appPayload)

/** The cadence of a followed app has changed; the subject is the app that follows it. */
export const followCadenceKind = timerKind('planning.followCadence', appPayload)

/** A pause of automations ends; the subject is the app, or the internal id of a release. */
export const resumeKind = timerKind(
  'planning.resume',
  Type.Object({ appId: Type.String(), releaseId: Type.Union([Type.String(), Type.Null()]) })
)

/** The automation of a phase is due; the subject is the internal id of the release. */
export const phaseKinds = {
  kickoff: timerKind('planning.kickoff', appPayload),
  submit: timerKind('planning.submit', appPayload),
  release: timerKind('planning.release', appPayload),
}

/** A follow-up automation is due; the subject is the internal id of the release. */
export const followUpKinds = {
  createChatChannel: timerKind('planning.createChatChannel', appPayload),
  addLabelsAndFixVersions: timerKind('planning.addLabelsAndFixVersions', appPayload),
  bumpVersionAfterKickoff: timerKind('planning.bumpVersionAfterKickoff', appPayload),
  bumpVersionAfterSubmission: timerKind('planning.bumpVersionAfterSubmission', appPayload),
  tagOnRelease: timerKind('planning.tagOnRelease', appPayload),
  backMergeAfterRelease: timerKind('planning.backMergeAfterRelease', appPayload),
  bumpVersionAfterRelease: timerKind('planning.bumpVersionAfterRelease', appPayload),
} satisfies Record<TimedFollowUp, unknown>

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
export const reminderKinds = {
  kickoff: timerKind('planning.kickoffReminder', appPayload),
  submit: timerKind('planning.submitReminder', appPayload),
  release: timerKind('planning.releaseReminder', appPayload),
}
