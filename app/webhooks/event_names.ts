/** Every webhook event of the specification. */
export const EVENT_NAMES = [
  'release.kickedOff',
  'release.submitted',
  'release.released',
  'release.created',
  'release.targetDateUpdated',
  'release.pilotChanged',
  'release.regressionStatusUpdated',
  'release.kickoffReminder',
  'release.submitReminder',
  'release.releaseReminder',
  'release.stepsReadyToSubmit',
  'release.stepsReadyToRelease',
  'releaseStep.statusChanged',
  'appStoreVersion.statusUpdated',
  'appStoreVersion.phasedReleaseUpdated',
  'checklistItem.statusChanged',
  'buildDistro.newBuildAvailable',
  'buildDistro.buildArtifactAvailable',
  'ciBuild.statusChanged',
  'ciBuild.appStoreBuildAssociated',
  'appStoreBuild.newBuildAvailable',
  'fixRequest.created',
  'fixRequest.approved',
  'fixRequest.rejected',
  'fixRequest.merged',
  'betaBuild.newBuildAvailable',
] as const

export type EventName = (typeof EVENT_NAMES)[number]

/** What a ping is called; it is no event of the organization. */
export const PING = 'ping'
