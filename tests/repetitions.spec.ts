import { test } from '@japa/runner'
import sharp from 'sharp'
import { ANSWER_TYPE, answerTo } from '#distribution/devices/tests/support'
import { pageToken } from '#distribution/install_pages/install_tokens'
import { makeFixPaths } from '#fixes/tests/support'
import { isWrite } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { makeApp, makeUser } from './support/app_fixture.js'
import type { ApiAnswer, ApiOptions } from './support/api.js'
import { CUSTOM_BUILD, installIntegration } from './support/custom_integrations.js'
import { form } from './support/form.js'
import { snapshot } from './support/snapshot.js'
import { makeWorld } from './support/world.js'

/*
 * A write that changes nothing costs nothing: whatever can be asked for twice is asked for
 * twice here, and the second time no row of the organization differs afterwards: no event, no
 * entry, no time of a last change. An operation that cannot be repeated says why.
 */

/** A write as it is sent, and what is read with a tag that must stay. */
interface Write {
  method: 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  options?: ApiOptions
  tagged?: string
  /** What it answers, where that is not 200. */
  status?: number
}

const put = (path: string, json?: unknown, tagged?: string): Write => ({
  method: 'PUT',
  path,
  options: { json },
  tagged,
})

const required = { standard: { required: true } }

/** Something of everything, and every write that may change nothing, by operation. */
async function repeatable(): Promise<{
  send(write: Write): Promise<ApiAnswer<any>>
  organizationId: string
  writes: Record<string, Write[]>
}> {
  const world = await makeWorld()
  const { admin, organizationId } = world
  const org = `/org/${organizationId}`
  const appId = await makeApp(world, {
    steps: [
      { type: 'kickoff', releaseTypes: required },
      { type: 'regressionTesting', releaseTypes: required },
      { type: 'screenshots', releaseTypes: required },
      { type: 'metadata', releaseTypes: required },
      { type: 'approvals', releaseTypes: required },
      { type: 'submission', releaseTypes: required },
    ],
  })
  const app = `/app/${appId}`
  const make = async (path: string, json: object) => (await admin.post(path, json)).body.id
  const release = (version: string) => `${app}/release/${appId}:${version}`
  const detail = (version: string) => `/v2/app/${appId}/releases/${appId}:${version}`
  for (const version of ['1.0.0', '1.1.0', '1.2.0', '1.3.0']) {
    await make(`${app}/release`, { version })
  }
  const { fix, issue, kickedOff } = await makeFixPaths(world)
  const otherFix = `${kickedOff}/fixRequest/${await make(`${kickedOff}/fixRequest`, { title: 'Lag' })}`
  const email = 'ada@acme.example'
  const ada = await makeUser(world, email)
  const group = await make(`${org}/group`, { name: 'Crew', userActions: ['EditRelease'] })
  const hook = await make(`${org}/webhookEndpoint`, { url: 'https://acme.example/hook' })
  const checklist = await make(`${app}/checklistItem`, { title: 'Ask', stepType: 'submission' })
  const approval = await make(`${app}/approval`, { title: 'Legal', requiredApprovals: 2 })
  const regression = await make(`${app}/regressionItem`, { title: 'Log in' })
  const { body: steps } = await admin.get(`${release('1.1.0')}/steps`)
  const run = (type: string) => steps.find((step: { type: string }) => step.type === type).stepRunId
  const item = (id: string) => `${release('1.1.0')}/checklistItem/${id}`
  const shown = (id: string) => `${app}/checklistItem/${id}?releaseId=${appId}:1.1.0`
  const bucket = `${app}/bucket/${await make(`${app}/bucket`, { name: 'Beta', publicLinkEnabled: true })}`
  const linkId = await make(`${bucket}/installLink`, {})
  const link = `${bucket}/installLink/${linkId}`
  const uploaded = form({ file: 'the build', fileName: 'Acme.ipa' })
  const { id: build } = (await admin.post(`${bucket}/build`, undefined, uploaded)).body
  const ci = `${app}/integration/${await installIntegration(world, appId, 'generic-ci')}/build`
  const other = JSON.stringify({ ...CUSTOM_BUILD, buildIdentifier: 'other' })
  const sent = form({ file: 'another build', fileName: 'Acme.ipa' }, other)
  const { id: ciBuild } = (await admin.post(ci, undefined, sent)).body
  const picture = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#2563eb' },
  })
    .png()
    .toBuffer()
  const icon = form({ file: picture, fileName: 'icon.png', contentType: 'image/png' })
  const yaml = (raw: string) => ({ raw, headers: { 'content-type': 'application/yaml' } })
  const verdict = { status: 'passed', comment: 'Well.', url: 'https://tests.acme.example/7' }
  const endpoint = {
    url: 'https://acme.example/hook',
    description: 'Of the crew',
    events: ['release.created'],
    appIds: [appId],
    platforms: ['ios'],
    headers: { 'X-Crew': 'one' },
    timeoutSeconds: 10,
    maxPerSecond: 5,
    asymmetric: true,
  }

  return {
    organizationId,
    send: ({ method, path, options }) => admin.send<any>(method, path, options),
    writes: {
      changeAppFromConfiguration: [
        {
          method: 'PATCH',
          path: `${app}/app/config`,
          options: yaml(
            'name: Other\nappGroup: Shops\nappSettings: {versionFiles: [a, b]}\n' +
              'tagSettings: {release: {pattern: "v{version}"}}\nappUsers: [new@acme.example]\n' +
              'appStoreReleaseSettings: {releaseMethod: automatic}\n' +
              'buildDistro: {buckets: {Nightly: {type: custom}}}'
          ),
          tagged: app,
        },
      ],
      setScheduleCadence: [
        put(
          `${app}/scheduleCadence`,
          { startDate: '2026-11-02', targets: [{ kickoff: { dayOffset: 0, time: '10:00' } }] },
          `${app}/scheduleCadence`
        ),
      ],
      updateLifecycleFreezes: [
        put(
          `${app}/lifecycleFreezes`,
          {
            freezes: [
              {
                name: 'Holidays',
                startAt: '2999-12-21T00:00:00+01:00',
                endAt: '2999-12-28T00:00:00Z',
                phases: ['release', 'kickoff'],
              },
            ],
          },
          `${app}/lifecycleFreezes`
        ),
      ],
      setAutomation: [
        put(`${app}/automations`, { type: 'kickoffOnTargetDate', enabled: true }),
        put(`${app}/automations`, {
          type: 'kickoffOnTargetDate',
          enabled: false,
          releaseId: `${appId}:1.3.0`,
        }),
      ],
      setAutomationPause: [
        put(`${app}/automations/pause`, { paused: true, resumeAt: '2999-01-01T00:00:00Z' }),
        put(`${app}/automations/pause`, { paused: true, releaseId: `${appId}:1.3.0` }),
      ],
      setNotification: [
        put(`${app}/notifications`, { type: 'release.kickoffReminder', leadTimeMinutes: 60 }),
      ],
      approveFixRequest: [put(`${fix}/approve`, { comment: 'Yes.' }, fix)],
      rejectFixRequest: [put(`${otherFix}/reject`, { comment: 'No.' }, otherFix)],
      updateTriageIssue: [
        put(issue, { title: 'Crash', description: 'Always.', status: 'ignored' }, issue),
      ],
      updateFixRequestFormFieldsSettings: [
        put(
          `${app}/fixRequestFormFieldsSettings`,
          {
            requiredApprovals: 2,
            fourEyes: false,
            fields: [{ id: 'risk', label: 'Risk', type: 'select', options: ['low', 'high'] }],
          },
          `${app}/fixRequestFormFieldsSettings`
        ),
      ],
      updateBucket: [
        {
          method: 'PATCH',
          path: bucket,
          options: {
            json: {
              name: 'Gamma',
              orgWideAccessEnabled: true,
              members: [{ name: 'Crew', permissionLevel: 'tester' }],
              rules: [{ type: 'Branch', branch: 'main' }],
            },
          },
          tagged: bucket,
        },
      ],
      registerTesterDevice: [
        {
          method: 'POST',
          path: `/install/${pageToken(linkId)}/device`,
          options: { raw: answerTo(linkId), headers: { 'content-type': ANSWER_TYPE } },
          status: 301,
        },
      ],
      updateInstallLink: [
        {
          method: 'PATCH',
          path: link,
          options: { json: { expiresAt: '2999-01-01T01:00:00+01:00' } },
          tagged: link,
        },
      ],
      updateBucketBuild: [
        {
          method: 'PATCH',
          path: `${bucket}/build/${build}`,
          options: { json: { testerNotes: 'Try it', expiresAt: '2999-01-01T01:00:00+01:00' } },
          tagged: `${bucket}/build/${build}`,
        },
      ],
      uploadCustomCIBuild: [
        {
          method: 'POST',
          path: ci,
          options: form({ file: 'the build', fileName: 'Acme.ipa' }, JSON.stringify(CUSTOM_BUILD)),
        },
      ],
      attachCustomCIBuildFile: [
        {
          method: 'POST',
          path: `${ci}/${ciBuild}/additionalFiles`,
          options: form({ file: 'symbols', fileName: 'dSYMs.zip' }),
        },
      ],
      updateUserGroups: [put(`${org}/users/groups`, { users: [{ email, groupIds: [group] }] })],
      updateGroup: [
        put(
          `${org}/group/${group}`,
          { name: 'Crew one', userActions: ['EditRelease', 'SelectBuild'], userEmails: [email] },
          `${org}/group/${group}`
        ),
      ],
      uploadAppIcon: [{ method: 'POST', path: `${app}/icon`, options: icon, tagged: app }],
      updateRelease: [
        put(
          release('1.0.0'),
          {
            version: '1.0',
            releaseType: 'release',
            releaseName: 'Winter',
            releaseDescription: 'Snow',
            releasePilotId: ada,
            targetKickoffAt: '2030-01-01T00:00:00Z',
            targetSubmitAt: '2030-01-02T00:00:00+01:00',
            targetReleaseAt: null,
          },
          detail('1.0.0')
        ),
      ],
      kickOffRelease: [put(`${release('1.0.0')}/kickoff`, undefined, detail('1.0.0'))],
      completeRelease: [put(`${release('1.0.0')}/complete`, undefined, detail('1.0.0'))],
      skipRelease: [put(`${release('1.3.0')}/skip`, { reason: 'Folded' }, detail('1.3.0'))],
      updateReleaseMetadata: [
        put(
          `${release('1.1.0')}/metadata`,
          { entries: [{ key: 'a', value: 1 }] },
          `${release('1.1.0')}/metadata`
        ),
        put(`${release('1.2.0')}/metadata`, { entries: [] }, detail('1.2.0')),
      ],
      updateReleaseRegressionStatus: [
        put(`${release('1.1.0')}/regressionStatus`, verdict, detail('1.1.0')),
        put(`${release('1.1.0')}/regressionStatus`, { status: 'passed' }, detail('1.1.0')),
      ],
      updateStepRunRegressionStatus: [
        put(
          `${release('1.1.0')}/step/${run('regressionTesting')}/regressionStatus`,
          { ...verdict, comment: null },
          `${release('1.1.0')}/stepRun/${run('regressionTesting')}`
        ),
      ],
      updateStepRunMetadata: [
        put(
          `${release('1.1.0')}/stepRun/${run('metadata')}/metadata`,
          { localizations: [{ locale: 'en-US', whatsNew: 'Faster.' }] },
          `${release('1.1.0')}/stepRun/${run('metadata')}`
        ),
      ],
      updateStepRunApproval: [
        put(
          `${release('1.1.0')}/stepRun/${run('metadata')}/approval`,
          { approved: true, comment: 'Fine.' },
          `${release('1.1.0')}/stepRun/${run('metadata')}`
        ),
        put(
          `${release('1.1.0')}/stepRun/${run('approvals')}/approval`,
          { approved: false },
          `${release('1.1.0')}/stepRun/${run('approvals')}`
        ),
      ],
      updateStepTypeApproval: [
        put(
          `${release('1.1.0')}/approval/screenshots`,
          { approved: true, comment: 'Nice.' },
          detail('1.1.0')
        ),
      ],
      updateChecklistItem: [
        put(
          `${app}/checklistItem/${approval}`,
          {
            title: 'Law',
            description: 'Ask them.',
            releaseTypes: ['point', 'major', 'minor'],
            owners: [{ type: 'user', id: email }, { type: 'releasePilot' }],
            required: true,
            notifyOnCompletion: false,
            requiredApprovals: 3,
            fourEyes: false,
            placement: { position: 4 },
          },
          `${app}/checklistItem/${approval}`
        ),
        put(`${app}/checklistItem/${checklist}`, {
          placement: { stepType: 'submission', position: 0 },
        }),
      ],
      updateChecklistItemStatus: [
        put(`${item(checklist)}/status`, { status: 'complete', comment: 'Yes.' }, shown(checklist)),
        put(`${item(regression)}/status`, { status: 'failed' }, shown(regression)),
        put(`${item(approval)}/status`, { status: 'approved', comment: 'Yes.' }, shown(approval)),
        put(`${item(approval)}/status`, { status: 'inProgress' }, shown(approval)),
        put(
          `${item(approval)}/status`,
          { status: 'approved', breakGlass: { reason: 'There is no time.' } },
          shown(approval)
        ),
        put(`${item(approval)}/status`, { status: 'blocked', comment: 'No.' }, shown(approval)),
      ],
      updateChecklistItemComment: [
        put(`${item(checklist)}/comment`, { comment: 'Why?' }, shown(checklist)),
        put(`${item(checklist)}/comment`, { comment: null }, shown(checklist)),
      ],
      updateRegressionItems: [
        put(`${app}/regressionItems/batch`, {
          releaseId: `${appId}:1.1.0`,
          items: [{ id: regression, status: 'blocked', comment: 'Stuck.' }],
        }),
      ],
      updateWebhookEndpoint: [
        ...[endpoint, { headers: null }, { enabled: false }, { enabled: true }].map((json) => ({
          method: 'PATCH' as const,
          path: `${org}/webhookEndpoint/${hook}`,
          options: { json },
          tagged: `${org}/webhookEndpoint/${hook}`,
        })),
      ],
    },
  }
}

/** Why an operation cannot be asked for twice with nothing changed. */
const UNREPEATABLE: Record<string, string> = {
  createAppFromConfiguration: 'makes another app',
  deleteAppByConfiguration: 'is 404 then',
  addDestinationFromConfiguration: 'is 409 then',
  createBucket: 'is 409 then',
  uploadBucketBuild: 'makes another build',
  attachBucketBuildFile: 'replaces the file',
  deleteBucketBuild: 'is 404 then',
  createInstallLink: 'makes another link',
  deleteInstallLink: 'is 404 then',
  postCustomEvents: 'counts again',
  takeProviderCallback: 'notes when it came',
  updateIntegrationAuth: 'stores another version',
  createGroup: 'is 409 then',
  deleteGroup: 'is 404 then',
  createRelease: 'is 409 then',
  deleteRelease: 'is 404 then',
  unskipRelease: 'is 409 then',
  createChecklistItem: 'makes another item',
  createApprovalItem: 'makes another item',
  createRegressionItem: 'makes another item',
  createRegressionItems: 'makes other items',
  deleteRegressionItems: 'is 422 then',
  createBucketUpload: 'begins another upload',
  continueBucketUpload: 'is 409 then, at another offset',
  cancelBucketUpload: 'is 404 then',
  createFixRequest: 'makes another request',
  requestTriageIssueFix: 'is 409 then',
  createTriageIssue: 'makes another issue',
  triggerCIWorkflow: 'starts another run',
  createWebhookEndpoint: 'makes another endpoint',
  createCalendarFeed: 'makes another address',
  revokeCalendarFeed: 'is 404 then',
  deleteWebhookEndpoint: 'is 404 then',
  pingWebhookEndpoint: 'sends another message',
  rotateWebhookSecret: 'makes another secret',
  redeliverWebhook: 'sends it once more',
  recoverWebhooks: 'starts another job',
}

const tagOf = async (send: (write: Write) => Promise<ApiAnswer<any>>, path?: string) =>
  path && (await send({ method: 'GET' as never, path })).headers.etag

test.group('A write that changes nothing', () => {
  test('leaves every row and every tag as it was, whatever the operation', async ({ assert }) => {
    const { writes, send, organizationId } = await repeatable()
    for (const [operation, list] of Object.entries(writes)) {
      for (const write of list) {
        const said = `${operation} ${JSON.stringify(write.options?.json ?? '')}`
        const first = await send(write)
        assert.equal(first.status, write.status ?? 200, `${said}: ${first.text}`)
        const tag = await tagOf(send, write.tagged)
        const before = await snapshot([organizationId])
        const again = await send(write)
        assert.equal(again.status, write.status ?? 200, `${said}: ${again.text}`)
        assert.deepEqual(await snapshot([organizationId]), before, said)
        assert.equal(await tagOf(send, write.tagged), tag, said)
      }
    }
  })

  test('is asked of every operation that writes, or cannot be', async ({ assert }) => {
    const { writes } = await repeatable()
    const writing = operations.all().filter(isWrite)
    assert.sameMembers(
      [...Object.keys(writes), ...Object.keys(UNREPEATABLE)],
      writing.map(({ id }) => id)
    )
  })
})
