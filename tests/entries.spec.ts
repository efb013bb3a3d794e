import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import sharp from 'sharp'
import { operations } from '#foundation/api/operation/registry'
import type { ApiOptions } from './support/api.js'
import { makeApp, makeUser } from './support/app_fixture.js'
import { form } from './support/form.js'
import { makeWorld, type World } from './support/world.js'

/*
 * Everything that is written leaves its trace: which entries each operation that writes adds to
 * the timelines of releases and of the app, and to the audit of the organization, in that order.
 * Actors and titles are looked at for all of them, data in the specs of the modules.
 */

interface Write {
  send: (path: Paths) => [method: string, path: string, options?: ApiOptions]
  /** Of the release or releases it is about, each type once, in the order they came. */
  release?: string[]
  app?: string[]
  audit?: string[]
  /** Why it leaves none. */
  none?: string
}

type Paths = Awaited<ReturnType<typeof makePaths>>

const json = (body: object): ApiOptions => ({ json: body })
const yaml = (raw: string): ApiOptions => ({
  raw,
  headers: { 'content-type': 'application/yaml' },
})
const required = { standard: { required: true } }
const derived = ['release.regressionStatusUpdated', 'releaseStep.statusChanged']

/** An organization with something of everything. */
async function makePaths(world: World) {
  const { admin, organizationId } = world
  const org = `/org/${organizationId}`
  const appId = await makeApp(world, {
    steps: ['kickoff', 'regressionTesting', 'screenshots', 'metadata', 'approvals'].map((type) => ({
      type: type as 'kickoff',
      releaseTypes: required,
    })),
  })
  const app = `/app/${appId}`
  const make = async (path: string, body: object) => {
    const { status, text, body: made } = await admin.post(path, body)
    if (status >= 300) throw new Error(text)
    return made.id as string
  }
  for (const version of ['1.0.0', '1.1.0']) await make(`${app}/release`, { version })
  const id = `${appId}:1.0.0`
  const release = `${app}/release/${id}`
  await makeUser(world, 'ada@acme.example')
  const steps = (await admin.get(`${release}/steps`)).body
  const picture = await sharp({
    create: { width: 8, height: 8, channels: 3, background: '#2563eb' },
  })
    .png()
    .toBuffer()
  const endpoint = await make(`${org}/webhookEndpoint`, { url: 'https://acme.example/hook' })
  const hook = `${org}/webhookEndpoint/${endpoint}`
  const bucket = `${app}/bucket/${await make(`${app}/bucket`, { name: 'Beta' })}`
  const uploaded = form({ file: 'the build', fileName: 'Acme.ipa' })
  const { id: build } = (await admin.post(`${bucket}/build`, undefined, uploaded)).body
  return {
    org,
    app,
    id,
    release,
    next: `${app}/release/${appId}:1.1.0`,
    group: await make(`${org}/group`, { name: 'Crew', userActions: [] }),
    bucket,
    build: `${bucket}/build/${build}`,
    file: form({ file: 'a build', fileName: 'Acme.ipa' }),
    approval: await make(`${app}/approval`, { title: 'Legal', requiredApprovals: 2 }),
    regression: await make(`${app}/regressionItem`, { title: 'Log in' }),
    hook,
    delivery: await make(`${hook}/ping`, {}),
    run: (type: string) => steps.find((step: { type: string }) => step.type === type).stepRunId,
    icon: form({ file: picture, fileName: 'icon.png', contentType: 'image/png' }),
  }
}

const WRITES: Record<string, Write[]> = {
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
      release: ['app.configurationChanged'],
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

/** What there is of events and audit, by id; the events in the order of their timelines. */
async function traces(world: World) {
  const of = (table: string) => db.from(table).where('organization_id', world.organizationId)
  const events: any[] = await of('events')
    .orderBy('release_id')
    .orderBy('position')
    .orderBy('sequence')
  return { events, audit: (await of('audit_entries')) as any[] }
}

async function demandDone(world: World, paths: Paths, { send }: Write) {
  const [method, path, options] = send(paths)
  const { status, text } = await world.admin.send(method, path, options)
  if (status >= 300) throw new Error(`${method} ${path}: ${text}`)
}

const typesOf = (events: readonly { type: string }[]) => [
  ...new Set(events.map(({ type }) => type)),
]

test.group('Every write leaves its trace', () => {
  for (const [operation, list] of Object.entries(WRITES)) {
    test(operation, async ({ assert }) => {
      const world = await makeWorld()
      const paths = await makePaths(world)
      if (operation === 'unskipRelease') await demandDone(world, paths, WRITES.skipRelease[0])
      for (const [index, write] of list.entries()) {
        const before = await traces(world)
        await demandDone(world, paths, write)
        const after = await traces(world)
        const known = new Set([...before.events, ...before.audit].map(({ id }) => id))
        const events = after.events.filter(({ id }) => !known.has(id))
        const audit = after.audit.filter(({ id }) => !known.has(id))
        const ofReleases = events.filter((event) => event.release_id !== null)
        const ofApp = events.filter((event) => event.release_id === null)
        const said = `${operation} ${index}`
        const { release = [], app = [], audit: audited = [] } = write
        assert.deepEqual(typesOf(ofReleases), release, said)
        assert.deepEqual(typesOf(ofApp), app, said)
        assert.deepEqual(
          audit.map(({ action }) => action),
          audited,
          said
        )
        if (!write.none) assert.isNotEmpty([...release, ...app, ...audited], said)
        for (const { actor, title } of events) {
          assert.containsSubset(JSON.parse(actor), { type: 'apiKey', name: 'admin' })
          assert.isNotEmpty(title)
        }
      }
    })
  }

  test('there is no other operation that writes', async ({ assert }) => {
    const writing = operations.all().filter(({ method }) => method !== 'GET')
    assert.sameMembers(
      Object.keys(WRITES),
      writing.map(({ id }) => id)
    )
  })
})
