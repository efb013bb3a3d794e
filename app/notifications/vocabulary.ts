import { REMINDERS, type Reminder } from '#planning/vocabulary'
import type { TimelineOnlyType } from '#releases/vocabulary'

/** Webhook events other than reminders, and whether chats receive them by default. */
const EVENT_TYPES = {
  'release.created': true,
  'release.kickedOff': true,
  'release.submitted': true,
  'release.released': true,
  'release.targetDateUpdated': true,
  'release.pilotChanged': true,
  'release.regressionStatusUpdated': true,
  'release.stepsReadyToSubmit': true,
  'release.stepsReadyToRelease': true,
  'releaseStep.statusChanged': false,
  'appStoreVersion.statusUpdated': true,
  'appStoreVersion.phasedReleaseUpdated': true,
  'checklistItem.statusChanged': false,
  'buildDistro.newBuildAvailable': false,
  'buildDistro.buildArtifactAvailable': false,
  'ciBuild.statusChanged': false,
  'ciBuild.appStoreBuildAssociated': false,
  'appStoreBuild.newBuildAvailable': false,
  'betaBuild.newBuildAvailable': false,
  'fixRequest.created': true,
  'fixRequest.approved': true,
  'fixRequest.rejected': true,
  'fixRequest.merged': true,
} as const

/** Types of the timeline alone that chats receive, as they require action. */
const TIMELINE_TYPES = {
  'automation.failed': true,
  'pair.ended': true,
  'pair.apart': true,
  'release.branchFailed': true,
  'rollout.held': true,
  'rollout.ladderChanged': true,
  'rollout.stopped': true,
  'redButton.pressed': true,
  'store.failed': true,
  'store.question': true,
  'store.reviewRestarted': true,
} as const satisfies Partial<Record<TimelineOnlyType, boolean>>

/** The type of the message after a completion: what the release waited for, and for whom. */
export const RETROSPECTIVE = 'release.retrospective'

type EventType = keyof typeof EVENT_TYPES | keyof typeof TIMELINE_TYPES | typeof RETROSPECTIVE
export type NotificationType = EventType | Reminder

/** True for the types that chats receive by default. */
export const NOTIFIED_BY_DEFAULT: Readonly<Record<NotificationType, boolean>> = {
  ...(Object.fromEntries(REMINDERS.map((type) => [type, true])) as Record<Reminder, true>),
  ...EVENT_TYPES,
  ...TIMELINE_TYPES,
  [RETROSPECTIVE]: true,
}

export const NOTIFICATION_TYPES = Object.keys(NOTIFIED_BY_DEFAULT) as NotificationType[]

export const isNotificationType = (type: string): type is NotificationType =>
  Object.hasOwn(NOTIFIED_BY_DEFAULT, type)

/** Types that require action, so that the pilot is mentioned. */
export const CALLS_THE_PILOT: ReadonlySet<NotificationType> = new Set<NotificationType>([
  ...REMINDERS,
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
  ...(Object.keys(TIMELINE_TYPES) as NotificationType[]),
])

/** The code of the warning that a channel cannot be notified. */
export const UNTOLD = 'chat_untold'

export const MAX_CHANNEL = 200
/** The most channels for one subject. */
export const MAX_CHANNELS = 10
