import { test } from '@japa/runner'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { sendFile } from '#distribution/tests/support'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { Fixtures } from '#tests/support/fixtures'
import { makeWorld } from '#tests/support/world'

/*
 * All errors of a body are reported at once: a member of the wrong shape never hides a rule that
 * another member breaks. Every operation with rules beyond shapes has a case; the test client
 * fails an operation with such rules that declares no `check`.
 */

type Get = Fixtures['get']

interface Case {
  /** Returns the body, or the part `data` of an upload. */
  body(get: Get): Promise<object>
  /** The errors, first of the shape and then of a rule. */
  errors: readonly string[]
}

const caseOf = (body: object, errors: readonly string[]): Case => ({
  body: async () => body,
  errors,
})

const NOBODY = 'nobody@acme.example'
const PAST = '2020-01-01T00:00:00Z'
/** A period that ends before it starts. */
const REVERSED_PERIOD = ['2030-01-02T00:00:00Z', '2030-01-01T00:00:00Z'] as const
const item = caseOf({ title: 5, owners: [{ type: 'group', id: 'grp_0' }] }, [
  '/title string',
  '/owners/0/id unknown_owner',
])
const bucket = caseOf(
  {
    name: 5,
    members: [{ name: 'Nobody', permissionLevel: 'admin' }, { name: 'QA' }, { id: 7 }],
    rules: [{ type: 'PR', branch: 'main' }, { type: 'x' }, { type: 'Branch', branch: 5 }],
    automations: [{ type: 'expireOldBuilds', enabled: 'x', config: {} }],
  },
  [
    '/name string',
    '/members/1/permissionLevel required',
    '/members/2/id string',
    '/members/2/permissionLevel required',
    '/rules/1/type enum',
    '/rules/2/branch string',
    '/automations/0/enabled boolean',
    '/members/0 unknown',
    '/rules/0/baseBranch required',
    '/rules/0/branch not_allowed',
    '/automations/0/config required',
  ]
)
const endpoint = caseOf({ url: 5, events: ['*', 'release.created'] }, [
  '/url string',
  '/events events',
])
const trustRule = caseOf({ appId: 'nowhere', provider: 5, refs: ['main'], groupIds: ['grp_0'] }, [
  '/provider enum',
  '/issuer required',
  '/audience required',
  '/repository required',
  '/workflow required',
  '/appId unknown_app',
  '/groupIds/0 unknown_group',
  '/refs/0 ref',
])
const verdict = caseOf({ comment: 5, userEmail: NOBODY }, [
  '/comment string',
  '/userEmail unknown_user',
])

const policy = caseOf({ policy: { timezone: 'Mars', ladder: [{ percentage: 'all', hours: 1 }] } }, [
  '/policy/ladder/0/percentage number',
  '/policy/timezone timezone',
])

const cadence = caseOf({ enabled: 'x', timezone: 'Mars/Base', startDate: '2026-02-30' }, [
  '/enabled boolean',
  '/startDate date',
  '/timezone timezone',
  '/targets required',
])

const CASES: Record<string, Case> = {
  createChecklistItem: {
    ...item,
    body: async (get) => ({ ...(await item.body(get)), stepType: 'regressionTesting' }),
  },
  createApprovalItem: item,
  createRegressionItem: item,
  updateChecklistItem: item,
  updateChecklistItemStatus: caseOf({ status: 'approved', comment: 5 }, [
    '/comment string',
    '/status illegal_status',
  ]),
  createRelease: caseOf({ version: 5, releasePilotId: NOBODY }, [
    '/version string',
    '/releasePilotId unknown_user',
  ]),
  updateRelease: caseOf({ releaseName: 5, releasePilotId: NOBODY }, [
    '/releaseName string',
    '/releasePilotId unknown_user',
  ]),
  updateReleaseMetadata: caseOf(
    {
      entries: [
        { key: 'a', value: {} },
        { key: 'b', value: 1 },
        { key: 'b', value: 2 },
      ],
    },
    ['/entries/0/value scalar', '/entries/2/key unique']
  ),
  createFixRequest: caseOf({ title: 5, requesterEmail: NOBODY }, [
    '/title string',
    '/requesterEmail unknown_user',
  ]),
  approveFixRequest: verdict,
  rejectFixRequest: verdict,
  updateFixRequestFormFieldsSettings: caseOf(
    {
      requiredApprovals: 'x',
      fields: [{ id: 'impact', label: 'Impact', type: 'select', options: [] }],
    },
    ['/requiredApprovals number', '/fields/0/options required']
  ),
  ignoreFeatureReadinessItems: caseOf({ items: [{ id: 5, ignored: true }], itemIds: ['wi_1'] }, [
    '/items/0/id string',
    '/itemIds one_of',
  ]),
  generateReleaseNotes: caseOf({ tone: 5, locale: 'nowhere!' }, ['/tone string', '/locale locale']),
  setRolloutPolicy: policy,
  foreseeRollouts: policy,
  createTriageIssue: caseOf(
    { title: 5, metrics: { firstSeenAt: REVERSED_PERIOD[0], lastSeenAt: REVERSED_PERIOD[1] } },
    ['/title string', '/metrics/lastSeenAt period']
  ),
  requestTriageIssueFix: {
    body: async (get) => ({
      releaseId: await get('kickedOffId'),
      title: 5,
      formFields: [{ fieldId: 'x' }],
    }),
    errors: ['/title string', '/formFields/0/fieldId unknown_field'],
  },
  createBucket: bucket,
  updateBucket: bucket,
  updateBucketBuild: caseOf({ testerNotes: 5, expiresAt: PAST }, [
    '/testerNotes string',
    '/expiresAt in_the_past',
  ]),
  createInstallLink: caseOf({ buildDistroBuildId: 5, email: NOBODY, expiresAt: PAST }, [
    '/buildDistroBuildId string',
    '/email unknown_user',
    '/expiresAt in_the_past',
  ]),
  uploadCustomCIBuild: caseOf(
    { ...CUSTOM_BUILD, branch: 5, version: 'one', releaseId: 'nowhere:1.0.0' },
    ['/data/branch string', '/data/version version', '/data/releaseId unknown']
  ),
  setAutomation: caseOf({ type: 'tagOnRelease', enabled: 'x', config: { runAfterFreeze: true } }, [
    '/enabled boolean',
    '/config/runAfterFreeze scheduled_only',
  ]),
  setAutomationPause: caseOf({ paused: 'x', resumeAt: PAST }, [
    '/paused boolean',
    '/resumeAt past',
  ]),
  updateLifecycleFreezes: caseOf(
    {
      freezes: [
        { name: 5, startAt: REVERSED_PERIOD[0], endAt: REVERSED_PERIOD[1], phases: ['submit'] },
      ],
    },
    ['/freezes/0/name string', '/freezes/0/endAt period']
  ),
  setScheduleCadence: cadence,
  foreseeSchedule: cadence,
  createCalendarFeed: caseOf({ appId: 'nowhere', userId: 5 }, [
    '/userId string',
    '/appId unknown_app',
  ]),
  setNotification: caseOf({ type: 'release.created', enabled: 'x', leadTimeMinutes: 60 }, [
    '/enabled boolean',
    '/leadTimeMinutes not_a_reminder',
  ]),
  connectProvider: caseOf({ alias: 5, settings: { region: 'mars' } }, [
    '/alias string',
    '/credentials/token invalid',
    '/settings/region invalid',
  ]),
  authorizeProvider: caseOf({ alias: 5, browser: 'x', settings: { region: 'mars' } }, [
    '/alias string',
    '/settings/region invalid',
  ]),
  createGroup: caseOf({ name: 5, userActions: [], userEmails: [NOBODY] }, [
    '/name string',
    '/userEmails/0 unknown_user',
  ]),
  updateGroup: caseOf({ name: 5, userEmails: [NOBODY] }, [
    '/name string',
    '/userEmails/0 unknown_user',
  ]),
  updateUserGroups: caseOf({ users: [{ email: 5, groupIds: [] }], email: NOBODY }, [
    '/users/0/email string',
    '/users ambiguous',
  ]),
  createApiKey: caseOf(
    { name: 5, admin: true, groupIds: ['grp_0'], appIds: ['nowhere'], expiresAt: PAST },
    [
      '/name string',
      '/appIds not_for_admin',
      '/groupIds/0 unknown_group',
      '/appIds/0 unknown_app',
      '/expiresAt in_the_past',
    ]
  ),
  rotateApiKey: caseOf({ overlapHours: 'x', expiresAt: PAST }, [
    '/overlapHours number',
    '/expiresAt in_the_past',
  ]),
  createTrustRule: trustRule,
  updateTrustRule: trustRule,
  createUser: caseOf({ email: 5, groupIds: ['grp_0'] }, [
    '/email string',
    '/groupIds/0 unknown_group',
  ]),
  updateUser: caseOf({ name: 5, groupIds: ['grp_0'] }, [
    '/name string',
    '/groupIds/0 unknown_group',
  ]),
  createWebhookEndpoint: endpoint,
  updateWebhookEndpoint: endpoint,
}

/** Operations whose rules need more setup: the specs of their modules test them. */
const TESTED_ELSEWHERE = [
  'updateIntegrationAuth',
  'triggerCIWorkflow',
  'updateStepRunMetadata',
  'setSelectedBuilds',
  'replyToAppStoreReview',
  'distributeBetaBuild',
]

/** Their rules make one member depend on another: a malformed member leaves no rule to check. */
const ABOUT_TWO_MEMBERS = ['changeRollout', 'changeStepRunRollout']

const withRules = (operations.all() as AnyOperation[]).filter(({ check }) => check)

test.group('All errors of a body', () => {
  test('has a case for every operation with rules beyond shapes', ({ assert }) => {
    assert.sameMembers(
      withRules.map(({ id }) => id),
      [...Object.keys(CASES), ...TESTED_ELSEWHERE, ...ABOUT_TWO_MEMBERS]
    )
  })

  for (const operation of withRules.filter(({ id }) => id in CASES)) {
    test(`${operation.id} reports errors of shapes and of rules in one answer`, async ({
      assert,
    }) => {
      const { body, errors } = CASES[operation.id]
      const world = await makeWorld()
      const fixtures = new Fixtures(world)
      const path = await fixtures.path(operation.path)
      const given = await body(fixtures.get)
      const events = (await world.events()).length
      const isUpload = (operation.body as { kind?: string } | undefined)?.kind === 'upload'
      const response = isUpload
        ? await sendFile(world.admin, path, { data: given })
        : await world.admin.send<any>(operation.method, path, { json: given })
      assert.equal(response.status, 422, response.text)
      const reported = response.body.errors.map(({ pointer, code }: any) => `${pointer} ${code}`)
      assert.sameMembers(reported, [...errors])
      assert.lengthOf(await world.events(), events)
    })
  }
})
