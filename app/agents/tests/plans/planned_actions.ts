import type { PlannedWorld } from './planned_world.js'

/** The arguments of an action, besides its name. */
export type Reported = Record<string, unknown>

const CADENCE = {
  enabled: true,
  intervalWeeks: 2,
  startDate: '2199-01-07',
  timezone: 'Europe/Berlin',
  targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
}

/** Returns the two-step actions that can be tried in a world without stores, by operation. */
export const plannedActions = ({
  ids,
  approval,
  regression,
  email,
  group,
}: PlannedWorld): Record<string, Reported> => ({
  changeAppFromConfiguration: { ...ids.app, body: 'name: Other\nappGroup: Shops\n' },
  deleteAppByConfiguration: { ...ids.app, force: true },
  createAppFromConfiguration: { body: 'name: Fresh\nplatform: android\n' },
  addDestinationFromConfiguration: { ...ids.app, body: 'name: White label\n' },
  createGroup: { body: { name: 'New', userActions: ['SubmitForReview'], userEmails: [email] } },
  updateUserGroups: { body: { users: [{ email, groupIds: [group] }] } },
  updateGroup: { ...ids.group, body: { userActions: ['SubmitForReview'] } },
  deleteGroup: ids.group,
  createRelease: {
    ...ids.app,
    body: { version: '9.0.0', targetKickoffAt: '2999-01-01T00:00:00Z' },
  },
  updateRelease: {
    ...ids.release('1.1.0'),
    body: { targetKickoffAt: '2999-01-01T00:00:00Z' },
  },
  deleteRelease: ids.release('1.1.0'),
  skipRelease: { ...ids.release('1.1.0'), body: { force: true } },
  kickOffRelease: ids.release('1.0.0'),
  completeRelease: ids.release('1.0.0'),
  updateChecklistItem: { ...ids.app, checklistItemId: approval, body: { fourEyes: true } },
  updateChecklistItemStatus: {
    ...ids.release('1.1.0'),
    checklistItemId: approval,
    body: { status: 'approved', breakGlass: { reason: 'There is no time.' } },
  },
  deleteRegressionItems: { ...ids.app, body: { ids: [regression] } },
  createFixRequest: {
    appId: ids.fix.appId,
    releaseId: ids.fix.releaseId,
    body: { title: 'It lags' },
  },
  approveFixRequest: { ...ids.fix, body: {} },
  requestTriageIssueFix: { ...ids.issue, body: { releaseId: ids.fix.releaseId } },
  updateFixRequestFormFieldsSettings: { appId: ids.fix.appId, body: { requiredApprovals: 1 } },
  createBucket: { ...ids.app, body: { name: 'Nightly', orgWideAccessEnabled: true } },
  updateBucket: { ...ids.bucket, body: { orgWideAccessEnabled: true } },
  updateBucketBuild: { ...ids.build, body: { status: 'expired' } },
  deleteBucketBuild: ids.build,
  createInstallLink: { ...ids.bucket, body: {} },
  updateInstallLink: { ...ids.link, body: { expiresAt: '2999-01-01T00:00:00Z' } },
  deleteInstallLink: ids.link,
  setScheduleCadence: { ...ids.app, body: CADENCE },
  setAutomation: { ...ids.app, body: { type: 'kickoffOnTargetDate', enabled: true } },
  setAutomationPause: { ...ids.app, body: { paused: true, resumeAt: '2999-01-01T00:00:00Z' } },
  createCalendarFeed: { body: {} },
  revokeCalendarFeed: ids.feed,
  setRolloutPolicy: {
    ...ids.app,
    body: { policy: { ladder: [{ percentage: 100, hours: 0 }] } },
  },
  setNotification: {
    ...ids.app,
    body: { type: 'release.kickoffReminder', leadTimeMinutes: 60 },
  },
  createWebhookEndpoint: { body: { url: 'https://other.example/hook' } },
  updateWebhookEndpoint: { ...ids.hook, body: { url: 'https://other.example/hook' } },
  deleteWebhookEndpoint: ids.hook,
  redeliverWebhook: ids.delivery,
  recoverWebhooks: { ...ids.hook, body: { since: '2026-01-01T00:00:00Z' } },
})
