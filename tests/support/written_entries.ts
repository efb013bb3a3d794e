import { ANSWER_TYPE, answerTo } from '#distribution/devices/tests/support'
import { pageToken } from '#distribution/install_pages/install_tokens'
import type { ApiOptions } from './api.js'
import type { Paths } from './something_of_everything.js'

/** A write of an operation, and the entries it leaves. */
export interface Write {
  send: (path: Paths) => [method: string, path: string, options?: ApiOptions]
  /** Of the release or releases it is about, each type once, in the order they came. */
  release?: string[]
  app?: string[]
  audit?: string[]
  /** Why it leaves none. */
  none?: string
}

const idOf = (path: string) => path.split('/').at(-1)!
const json = (body: object): ApiOptions => ({ json: body })
const yaml = (raw: string): ApiOptions => ({
  raw,
  headers: { 'content-type': 'application/yaml' },
})
const tus = { 'tus-resumable': '1.0.0' }
const part = (offset: string, raw: string): ApiOptions => ({
  raw,
  headers: { ...tus, 'upload-offset': offset, 'content-type': 'application/offset+octet-stream' },
})
const derived = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']

/** Operations that somebody else has to be there for, and the specs that show what they leave. */
export const SHOWN_ELSEWHERE: Record<string, string> = {
  // The provider signs it; it leads to a look, and leaves nothing by itself.
  takeProviderCallback: 'app/integrations/tests/callbacks.spec.ts',
  // A provider takes the credentials.
  updateIntegrationAuth: 'app/integrations/tests/update_auth.spec.ts',
  // A CI system builds.
  triggerCIWorkflow: 'app/builds/tests/trigger_ci.spec.ts',
}

/** Every other operation that writes, with the entries it leaves. */
export const WRITES: Record<string, Write[]> = {
  createAppFromConfiguration: [
    {
      send: ({ org }) => ['POST', `${org}/app/config`, yaml('name: New\nplatform: ios')],
      app: ['app.created'],
      audit: ['app.created'],
    },
  ],
  changeAppFromConfiguration: [
    {
      send: ({ app }) => ['PATCH', `${app}/app/config`, yaml('name: Other')],
      app: ['app.configurationChanged'],
      audit: ['app.changed'],
    },
    {
      send: ({ app }) => [
        'PATCH',
        `${app}/app/config`,
        yaml(
          'stepGroups: [{steps: [{archetype: kickoff, releaseTypes: {standard: {required: true}}}]}]'
        ),
      ],
      release: ['app.configurationChanged', 'checklistItem.removed'],
      app: ['app.configurationChanged'],
      audit: ['app.changed'],
    },
  ],
  addDestinationFromConfiguration: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/destination/config`,
        yaml(
          'name: Second\nstepGroups: [{steps: [{name: Beta, archetype: betaTesting, releaseTypes: {standard: {required: true}}}]}]'
        ),
      ],
      release: ['app.configurationChanged'],
      app: ['app.destinationAdded'],
      audit: ['destination.added'],
    },
  ],
  deleteAppByConfiguration: [
    {
      send: ({ app }) => ['DELETE', `${app}/app/config?force=true`],
      audit: ['app.deleted'],
    },
  ],
  uploadAppIcon: [
    { send: ({ app, icon }) => ['POST', `${app}/icon`, icon], app: ['app.iconChanged'] },
  ],
  createBucket: [
    {
      send: ({ app }) => ['POST', `${app}/bucket`, json({ name: 'Nightly' })],
      audit: ['bucket.created'],
    },
  ],
  updateBucket: [
    {
      send: ({ bucket }) => ['PATCH', bucket, json({ name: 'Gamma' })],
      audit: ['bucket.updated'],
    },
  ],
  uploadBucketBuild: [
    {
      send: ({ bucket, file }) => ['POST', `${bucket}/build`, file],
      app: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    },
  ],
  createBucketUpload: [
    {
      send: ({ bucket }) => [
        'POST',
        `${bucket}/uploads`,
        { headers: { ...tus, 'upload-length': '9' } },
      ],
      none: 'Nobody sees an upload before it is whole.',
    },
  ],
  continueBucketUpload: [
    {
      send: ({ upload }) => ['PATCH', upload, part('0', 'the ')],
      none: 'Nobody sees an upload before it is whole.',
    },
    {
      send: ({ upload }) => ['PATCH', upload, part('4', 'build')],
      app: ['buildDistro.newBuildAvailable', 'buildDistro.buildArtifactAvailable'],
    },
  ],
  cancelBucketUpload: [
    {
      send: ({ upload }) => ['DELETE', upload, { headers: tus }],
      none: 'Nobody sees an upload before it is whole.',
    },
  ],
  updateBucketBuild: [
    {
      send: ({ build }) => ['PATCH', build, json({ testerNotes: 'Try it' })],
      audit: ['build.updated'],
    },
  ],
  attachBucketBuildFile: [
    {
      send: ({ build, file }) => ['POST', `${build}/additionalFiles`, file],
      audit: ['build.fileAttached'],
    },
  ],
  deleteBucketBuild: [{ send: ({ build }) => ['DELETE', build], audit: ['build.deleted'] }],
  createInstallLink: [
    {
      send: ({ bucket }) => ['POST', `${bucket}/installLink`, json({})],
      audit: ['installLink.created'],
    },
  ],
  updateInstallLink: [
    {
      send: ({ installLink }) => [
        'PATCH',
        installLink,
        json({ expiresAt: '2999-01-01T00:00:00Z' }),
      ],
      audit: ['installLink.updated'],
    },
  ],
  deleteInstallLink: [
    { send: ({ installLink }) => ['DELETE', installLink], audit: ['installLink.revoked'] },
  ],
  registerTesterDevice: [
    {
      send: ({ installLink }) => [
        'POST',
        `/install/${pageToken(idOf(installLink))}/device`,
        { raw: answerTo(idOf(installLink)), headers: { 'content-type': ANSWER_TYPE } },
      ],
      audit: ['device.registered'],
    },
  ],
  uploadCustomCIBuild: [
    {
      send: ({ ci, customBuild }) => ['POST', `${ci}/build`, customBuild],
      release: ['ciBuild.statusChanged'],
    },
  ],
  attachCustomCIBuildFile: [
    {
      send: ({ ciBuild, file }) => ['POST', `${ciBuild}/additionalFiles`, file],
      audit: ['ciBuild.fileAttached'],
    },
  ],
  postCustomEvents: [
    {
      send: ({ analytics }) => [
        'POST',
        `${analytics}/events`,
        json({ name: 'crashes', value: 1, version: '1.0.0' }),
      ],
      none: 'numbers come in all the time, and are kept as what they are',
    },
  ],
  createGroup: [
    {
      send: ({ org }) => ['POST', `${org}/group`, json({ name: 'Two', userActions: [] })],
      audit: ['group.created'],
    },
  ],
  updateGroup: [
    {
      send: ({ org, group }) => ['PUT', `${org}/group/${group}`, json({ name: 'Crew two' })],
      audit: ['group.updated'],
    },
  ],
  updateUserGroups: [
    {
      send: ({ org, group }) => [
        'PUT',
        `${org}/users/groups`,
        json({ users: [{ email: 'ada@acme.example', groupIds: [group] }] }),
      ],
      audit: ['user.groupsChanged'],
    },
  ],
  deleteGroup: [
    { send: ({ org, group }) => ['DELETE', `${org}/group/${group}`], audit: ['group.deleted'] },
  ],
  createRelease: [
    {
      send: ({ app }) => ['POST', `${app}/release`, json({ version: '2.0.0' })],
      release: ['release.created'],
    },
  ],
  updateRelease: [
    {
      send: ({ release }) => [
        'PUT',
        release,
        json({
          releaseName: 'Winter',
          releasePilotId: 'ada@acme.example',
          targetSubmitAt: '2030-01-01T00:00:00Z',
        }),
      ],
      release: ['release.updated', 'release.targetDateUpdated', 'release.pilotChanged'],
    },
  ],
  deleteRelease: [{ send: ({ next }) => ['DELETE', next], release: ['release.deleted'] }],
  skipRelease: [
    {
      send: ({ next }) => ['PUT', `${next}/skip`, json({ reason: 'Folded' })],
      release: ['release.skipped'],
    },
    {
      send: ({ next }) => ['PUT', `${next}/skip`, json({ reason: 'Folded into 1.2' })],
      release: ['release.skipped'],
    },
  ],
  unskipRelease: [
    { send: ({ next }) => ['PUT', `${next}/unskip`], release: ['release.unskipped'] },
  ],
  kickOffRelease: [
    {
      send: ({ release }) => ['PUT', `${release}/kickoff`],
      release: ['release.kickedOff', 'releaseStep.statusChanged'],
    },
  ],
  completeRelease: [
    { send: ({ release }) => ['PUT', `${release}/complete`], release: ['release.updated'] },
  ],
  updateReleaseMetadata: [
    {
      send: ({ release }) => [
        'PUT',
        `${release}/metadata`,
        json({ entries: [{ key: 'a', value: 1 }] }),
      ],
      release: ['metadata.updated'],
    },
  ],
  updateReleaseRegressionStatus: [
    {
      send: ({ release }) => ['PUT', `${release}/regressionStatus`, json({ status: 'failed' })],
      release: ['step.regressionStatusSet', ...derived],
    },
    {
      send: ({ release }) => [
        'PUT',
        `${release}/regressionStatus`,
        json({ status: 'failed', comment: 'It crashes.' }),
      ],
      release: ['step.commented'],
    },
  ],
  updateStepRunRegressionStatus: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/step/${run('regressionTesting')}/regressionStatus`,
        json({ status: 'passed', url: 'https://tests.acme.example/7' }),
      ],
      release: ['step.regressionStatusSet', ...derived],
    },
  ],
  updateStepRunMetadata: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/metadata`,
        json({ localizations: [{ locale: 'en-US', whatsNew: 'Faster.' }] }),
      ],
      release: ['metadata.updated', 'releaseStep.statusChanged'],
    },
  ],
  updateStepRunApproval: [
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/approval`,
        json({ approved: true }),
      ],
      release: ['step.approved', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release, run }) => [
        'PUT',
        `${release}/stepRun/${run('metadata')}/approval`,
        json({ approved: true, comment: 'Fine.' }),
      ],
      release: ['step.commented'],
    },
  ],
  updateStepTypeApproval: [
    {
      send: ({ release }) => ['PUT', `${release}/approval/screenshots`, json({ approved: true })],
      release: ['step.approved', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release }) => ['PUT', `${release}/approval/screenshots`, json({ approved: false })],
      release: ['step.approvalWithdrawn', 'releaseStep.statusChanged'],
    },
  ],
  createChecklistItem: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/checklistItem`,
        json({ title: 'Ask', stepType: 'metadata' }),
      ],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  createApprovalItem: [
    {
      send: ({ app, id }) => ['POST', `${app}/approval`, json({ title: 'Law', releaseId: id })],
      release: ['checklistItem.added'],
    },
  ],
  createRegressionItem: [
    {
      send: ({ app }) => ['POST', `${app}/regressionItem`, json({ title: 'Pay', position: 0 })],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  createRegressionItems: [
    {
      send: ({ app }) => [
        'POST',
        `${app}/regressionItems/batch`,
        json({ items: [{ title: 'One' }, { title: 'Two' }] }),
      ],
      release: ['checklistItem.added'],
      app: ['checklistItem.added'],
    },
  ],
  updateChecklistItem: [
    {
      send: ({ app, regression }) => [
        'PUT',
        `${app}/checklistItem/${regression}`,
        json({ title: 'Sign in' }),
      ],
      release: ['checklistItem.updated'],
      app: ['checklistItem.updated'],
    },
    {
      send: ({ app, regression }) => [
        'PUT',
        `${app}/checklistItem/${regression}`,
        json({ releaseTypes: ['hotfix'] }),
      ],
      release: ['checklistItem.removed'],
      app: ['checklistItem.updated'],
    },
  ],
  updateChecklistItemStatus: [
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved' }),
      ],
      release: ['checklistItem.statusChanged', 'releaseStep.statusChanged'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', comment: 'Really.' }),
      ],
      release: ['checklistItem.commented'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', breakGlass: { reason: 'There is no time.' } }),
      ],
      release: ['approval.brokenGlass', 'checklistItem.statusChanged', 'releaseStep.statusChanged'],
      audit: ['approval.brokenGlass'],
    },
    {
      send: ({ release, approval }) => [
        'PUT',
        `${release}/checklistItem/${approval}/status`,
        json({ status: 'approved', userEmail: 'ada@acme.example', comment: 'Me too.' }),
      ],
      release: ['approval.given'],
    },
  ],
  updateChecklistItemComment: [
    {
      send: ({ release, regression }) => [
        'PUT',
        `${release}/checklistItem/${regression}/comment`,
        json({ comment: 'Why?' }),
      ],
      release: ['checklistItem.commented'],
    },
  ],
  updateRegressionItems: [
    {
      send: ({ app, id, regression }) => [
        'PUT',
        `${app}/regressionItems/batch`,
        json({ releaseId: id, items: [{ id: regression, status: 'failed' }] }),
      ],
      release: ['checklistItem.statusChanged', ...derived],
    },
  ],
  deleteRegressionItems: [
    {
      send: ({ app, regression }) => [
        'DELETE',
        `${app}/regressionItems/batch`,
        json({ ids: [regression] }),
      ],
      release: ['checklistItem.removed'],
      app: ['checklistItem.removed'],
    },
  ],
  setScheduleCadence: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/scheduleCadence`,
        json({
          startDate: '2026-11-02',
          targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }],
        }),
      ],
      app: ['app.scheduleCadenceChanged'],
    },
  ],
  updateLifecycleFreezes: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/lifecycleFreezes`,
        json({
          freezes: [
            {
              name: 'Holidays',
              startAt: '2026-12-21T00:00:00Z',
              endAt: '2027-01-04T00:00:00Z',
              phases: ['kickoff'],
            },
          ],
        }),
      ],
      app: ['app.lifecycleFreezesChanged'],
    },
  ],
  setAutomation: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/automations`,
        json({ type: 'kickoffOnTargetDate', enabled: true }),
      ],
      app: ['app.automationChanged'],
    },
    {
      send: ({ app, id }) => [
        'PUT',
        `${app}/automations`,
        json({ type: 'kickoffOnTargetDate', enabled: false, releaseId: id }),
      ],
      release: ['release.updated'],
    },
  ],
  setAutomationPause: [
    {
      send: ({ app }) => ['PUT', `${app}/automations/pause`, json({ paused: true })],
      app: ['app.automationsPaused'],
    },
    {
      send: ({ app, id }) => [
        'PUT',
        `${app}/automations/pause`,
        json({ paused: true, releaseId: id }),
      ],
      release: ['release.updated'],
    },
  ],
  setNotification: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/notifications`,
        json({ type: 'release.kickoffReminder', leadTimeMinutes: 60 }),
      ],
      app: ['app.reminderChanged'],
    },
  ],
  updateFixRequestFormFieldsSettings: [
    {
      send: ({ app }) => [
        'PUT',
        `${app}/fixRequestFormFieldsSettings`,
        json({ requiredApprovals: 2 }),
      ],
      app: ['app.fixRequestFormChanged'],
    },
  ],
  createTriageIssue: [
    {
      send: ({ app }) => ['POST', `${app}/triageIssue`, json({ title: 'It crashes' })],
      app: ['triageIssue.created'],
    },
  ],
  createFixRequest: [
    {
      send: ({ kickedOff }) => ['POST', `${kickedOff}/fixRequest`, json({ title: 'It crashes' })],
      release: ['fixRequest.created'],
    },
  ],
  approveFixRequest: [
    {
      send: ({ fix }) => ['PUT', `${fix}/approve`, json({ userEmail: 'ada@acme.example' })],
      release: ['approval.given'],
    },
    { send: ({ fix }) => ['PUT', `${fix}/approve`], release: ['fixRequest.approved'] },
  ],
  rejectFixRequest: [
    { send: ({ fix }) => ['PUT', `${fix}/reject`], release: ['fixRequest.rejected'] },
  ],
  requestTriageIssueFix: [
    {
      send: ({ issue, kickedOff }) => [
        'POST',
        `${issue}/requestFix`,
        json({ releaseId: kickedOff.split('/').at(-1) }),
      ],
      release: ['fixRequest.created'],
      app: ['triageIssue.updated'],
    },
  ],
  updateTriageIssue: [
    {
      send: ({ issue }) => ['PUT', issue, json({ severity: 'low', status: 'ignored' })],
      app: ['triageIssue.updated'],
    },
  ],
  createWebhookEndpoint: [
    {
      send: ({ org }) => ['POST', `${org}/webhookEndpoint`, json({ url: 'https://a.example/' })],
      audit: ['webhookEndpoint.created'],
    },
  ],
  updateWebhookEndpoint: [
    {
      send: ({ hook }) => ['PATCH', hook, json({ description: 'Of the crew' })],
      audit: ['webhookEndpoint.updated'],
    },
  ],
  rotateWebhookSecret: [
    {
      send: ({ hook }) => ['POST', `${hook}/rotateSecret`, json({})],
      audit: ['webhookEndpoint.secretRotated'],
    },
  ],
  deleteWebhookEndpoint: [
    { send: ({ hook }) => ['DELETE', hook], audit: ['webhookEndpoint.deleted'] },
  ],
  createCalendarFeed: [
    {
      send: ({ org, id }) => ['POST', `${org}/calendarFeed`, json({ appId: id.split(':')[0] })],
      audit: ['calendarFeed.created'],
    },
  ],
  revokeCalendarFeed: [
    { send: ({ calendar }) => ['DELETE', calendar], audit: ['calendarFeed.revoked'] },
  ],
  pingWebhookEndpoint: [
    { send: ({ hook }) => ['POST', `${hook}/ping`, json({})], none: 'is in the delivery log' },
  ],
  redeliverWebhook: [
    {
      send: ({ hook, delivery }) => ['POST', `${hook}/delivery/${delivery}/redeliver`],
      none: 'is in the delivery log',
    },
  ],
  recoverWebhooks: [
    {
      send: ({ hook }) => ['POST', `${hook}/recover`, json({ since: '2026-01-01T00:00:00Z' })],
      none: 'is a recovery that can be read',
    },
  ],
}
