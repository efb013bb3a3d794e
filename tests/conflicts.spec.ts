import { test } from '@japa/runner'
import { sendFile } from '#distribution/tests/support'
import { allProblems } from '#foundation/core/problems/catalog'
import { Problem } from '#foundation/core/problems/problem'
import { CreateKey } from '#organizations/actions/create_key'
import { RevokeKey } from '#organizations/actions/revoke_key'
import { RotateKey } from '#organizations/actions/rotate_key'
import {
  makeItem,
  makeTrain,
  recordFacts,
  setItem,
  type Train,
} from '#releases/tests/helpers/release_world'
import { assertDeclared } from './support/contract.js'
import { CONFLICTS } from './support/conflicts.js'
import type { Api, ApiAnswer } from './support/api.js'
import { makeWorld } from './support/world.js'

/*
 * A 409 that stems from a status says what the status is and what can be done with the thing.
 * Every 409 of the whole test run is held against `support/conflicts.ts`; here each code is
 * caused, and what it says is right.
 */

const V = '1.0.0'

/** A release with a step of every kind that people decide on. */
const release = () =>
  makeTrain([V], {
    steps: [{ type: 'kickoff' }, { type: 'metadata' }, { type: 'approvals' }],
  })

const runOf = async ({ step, path }: Train, type: 'metadata' | 'approvals') =>
  `${path(V)}/stepRun/${(await step(V, type)).stepRunId}`

const submitted = (train: Train) =>
  recordFacts(train, V, async (_scope, model) => {
    model.submittedAt = '2026-01-01T00:00:00.000Z'
  })

/** The paths of a new bucket and of a build in it. */
async function bucketWithBuild(admin: Api, app: string) {
  const { body } = await admin.post(`/app/${app}/bucket`, { name: 'Beta' })
  const bucket = `/app/${app}/bucket/${body.id}`
  const uploaded = await sendFile(admin, `${bucket}/build`)
  return { bucket, build: `${bucket}/build/${uploaded.body.id}` }
}

interface Case {
  code: string
  what: string
  cause(train: Train): Promise<ApiAnswer<any>>
  currentStatus: string
  allowedActions: string[]
}

const EVERY_STATUS_BUT_APPROVED = ['notStarted', 'inProgress', 'rejected', 'blocked']

const CASES: Case[] = [
  {
    code: 'version_taken',
    what: 'creating a release of a version there is',
    cause: ({ admin, app }) => admin.post(`/app/${app}/release`, { version: V }),
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'version_taken',
    what: 'changing a version to that of a completed release',
    async cause({ admin, app, path }) {
      await admin.put(`${path(V)}/kickoff`)
      await admin.put(`${path(V)}/complete`)
      await admin.post(`/app/${app}/release`, { version: '2.0.0' })
      return admin.put(path('2.0.0'), { version: V })
    },
    currentStatus: 'completed',
    allowedActions: ['edit'],
  },
  {
    code: 'release_completed',
    what: 'skipping a completed release',
    async cause({ admin, path }) {
      await admin.put(`${path(V)}/kickoff`)
      await admin.put(`${path(V)}/complete`)
      return admin.put(`${path(V)}/skip`)
    },
    currentStatus: 'completed',
    allowedActions: ['edit'],
  },
  {
    code: 'release_skipped',
    what: 'kicking off a skipped release',
    async cause({ admin, path }) {
      await admin.put(`${path(V)}/skip`)
      return admin.put(`${path(V)}/kickoff`)
    },
    currentStatus: 'skipped',
    allowedActions: ['unskip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'release_not_skipped',
    what: 'un-skipping an active release',
    cause: ({ admin, path }) => admin.put(`${path(V)}/unskip`),
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'release_not_kicked_off',
    what: 'completing an upcoming release',
    async cause({ admin, app, path }) {
      await admin.post(`/app/${app}/release`, { version: '2.0.0' })
      return admin.put(`${path('2.0.0')}/complete`)
    },
    currentStatus: 'upcoming',
    allowedActions: ['kickoff', 'skip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'release_kicked_off',
    what: 'changing the version after the kickoff',
    async cause({ admin, path }) {
      await admin.put(`${path(V)}/kickoff`)
      return admin.put(path(V), { version: '2.0.0' })
    },
    currentStatus: 'active',
    allowedActions: ['complete', 'skip', 'delete', 'edit'],
  },
  {
    code: 'release_submitted',
    what: 'deleting a submitted release',
    async cause(train) {
      await submitted(train)
      return train.admin.delete(train.path(V))
    },
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'changeVersion', 'edit'],
  },
  {
    code: 'release_submitted',
    what: 'changing the texts of a submitted release',
    async cause(train) {
      await submitted(train)
      const localizations = [{ locale: 'en-US', whatsNew: 'New' }]
      return train.admin.put(`${await runOf(train, 'metadata')}/metadata`, { localizations })
    },
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'changeVersion', 'edit'],
  },
  {
    code: 'release_active',
    what: 'deleting an app with an active release',
    cause: ({ admin, app }) => admin.delete(`/app/${app}/app/config`),
    currentStatus: 'active',
    allowedActions: ['complete', 'skip', 'force'],
  },
  {
    code: 'approvals_missing',
    what: 'approving a step whose approvals are missing',
    async cause(train) {
      await makeItem(train, { kind: 'approval', stepType: 'approvals' })
      return train.admin.put(`${await runOf(train, 'approvals')}/approval`, { approved: true })
    },
    currentStatus: 'notStarted',
    allowedActions: ['withdrawApproval'],
  },
  {
    code: 'approvals_missing',
    what: 'approving a step whose approvals are missing, that was set back',
    async cause(train) {
      const itemId = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
      await setItem(train, V, itemId, 'rejected')
      const approval = `${await runOf(train, 'approvals')}/approval`
      await train.admin.put(approval, { approved: false })
      return train.admin.put(approval, { approved: true })
    },
    currentStatus: 'blocked',
    allowedActions: [],
  },
  {
    code: 'conflict',
    what: 'breaking the glass of an approved item',
    async cause(train) {
      const itemId = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
      await setItem(train, V, itemId, 'approved')
      return train.admin.put(`${train.path(V)}/checklistItem/${itemId}/status`, {
        status: 'approved',
        breakGlass: { reason: 'The approvers are asleep.' },
      })
    },
    currentStatus: 'approved',
    allowedActions: EVERY_STATUS_BUT_APPROVED,
  },
  {
    code: 'file_gone',
    what: 'downloading an expired build',
    async cause({ admin, app }) {
      const { build } = await bucketWithBuild(admin, app)
      await admin.patch(build, { status: 'expired' })
      return admin.get(`${build}/download`)
    },
    currentStatus: 'expired',
    allowedActions: ['update', 'delete'],
  },
  {
    code: 'conflict',
    what: 'attaching a file to an expired build',
    async cause({ admin, app }) {
      const { build } = await bucketWithBuild(admin, app)
      await admin.patch(build, { status: 'expired' })
      return sendFile(admin, `${build}/additionalFiles`)
    },
    currentStatus: 'expired',
    allowedActions: ['update', 'delete'],
  },
  {
    code: 'conflict',
    what: 'uploading into an archived bucket',
    async cause({ admin, app }) {
      const { bucket } = await bucketWithBuild(admin, app)
      await admin.patch(bucket, { status: 'archived' })
      return sendFile(admin, `${bucket}/build`)
    },
    currentStatus: 'archived',
    allowedActions: ['update'],
  },
  {
    code: 'fix_request_closed',
    what: 'approving a rejected fix request',
    async cause({ admin, path }) {
      await admin.put(`${path(V)}/kickoff`)
      const { body } = await admin.post(`${path(V)}/fixRequest`, { title: 'It crashes' })
      const request = `${path(V)}/fixRequest/${body.id}`
      await admin.put(`${request}/reject`)
      return admin.put(`${request}/approve`)
    },
    currentStatus: 'rejected',
    allowedActions: [],
  },
  {
    code: 'fix_requested',
    what: 'requesting a fix twice',
    async cause({ admin, app, path }) {
      await admin.put(`${path(V)}/kickoff`)
      const { body } = await admin.post(`/app/${app}/triageIssue`, { title: 'It crashes' })
      const fix = () =>
        admin.post(`/app/${app}/triageIssue/${body.id}/requestFix`, { releaseId: `${app}:${V}` })
      await fix()
      return fix()
    },
    currentStatus: 'fixRequested',
    allowedActions: ['update'],
  },
  {
    code: 'default_group',
    what: 'changing a default group',
    async cause({ admin, world }) {
      const { body } = await admin.get(`/org/${world.organizationId}/group`)
      const { id } = body.find((group: { isDefault: boolean }) => group.isDefault)
      return admin.delete(`/org/${world.organizationId}/group/${id}`)
    },
    currentStatus: 'default',
    allowedActions: [],
  },
  {
    code: 'endpoint_disabled',
    what: 'recovering a disabled endpoint',
    async cause({ admin, world }) {
      const path = `/org/${world.organizationId}/webhookEndpoint`
      const { body } = await admin.post(path, { url: 'http://127.0.0.1:9/', events: ['*'] })
      await admin.patch(`${path}/${body.id}`, { enabled: false })
      return admin.post(`${path}/${body.id}/recover`, { since: '2026-01-01T00:00:00Z' })
    },
    currentStatus: 'disabled',
    allowedActions: ['enable', 'redeliver'],
  },
]

test.group('409', () => {
  for (const { code, what, cause, currentStatus, allowedActions } of CASES) {
    test(`${code} of ${what} says what there is and what can be done`, async ({ assert }) => {
      const { status, body } = await cause(await release())
      assert.equal(status, 409)
      assert.deepEqual(
        [body.code, body.currentStatus, body.allowedActions],
        [code, currentStatus, allowedActions]
      )
    })
  }

  test('has a decision for every code, and a case for each that has a status', ({ assert }) => {
    const codes = [...allProblems()].flatMap(([code, [status]]) => (status === 409 ? code : []))
    assert.sameMembers(Object.keys(CONFLICTS), codes)
    const withStatus = codes.filter((code) => CONFLICTS[code] === 'status')
    const caused = new Set(CASES.map(({ code }) => code))
    assert.deepEqual(
      withStatus.filter((code) => !caused.has(code)),
      []
    )
  })

  test('without what its code has to say is found out', ({ assert }) => {
    const answer = {
      method: 'PUT',
      path: '/app/acme/release/acme:1.0.0/skip',
      status: 409,
      contentType: 'application/problem+json',
    }
    const bodyOf = (code: string, more = {}) => ({
      type: '/problems/a',
      title: 'No',
      status: 409,
      detail: 'No.',
      instance: 'urn:request:a',
      code,
      requestId: 'a',
      error: 'No.',
      errors: [],
      ...more,
    })
    const standing = { currentStatus: 'completed', allowedActions: [] }
    const told = (code: string, more = {}) =>
      assertDeclared({ ...answer, body: bodyOf(code, more) })
    assert.equal(told('release_completed', standing), 'skipRelease')
    assert.throws(() => told('release_completed'), /does not say/)
    assert.throws(() => told('release_completed', { currentStatus: 'completed' }), /says one/)
    assert.throws(() => told('name_taken', standing), /says a currentStatus/)
  })
})

test.group('A key that cannot be rotated', () => {
  for (const [status, allowedActions] of [
    ['revoked', []],
    ['expired', ['revoke']],
  ] as const) {
    test(`says that it is ${status}`, async ({ assert }) => {
      const world = await makeWorld()
      const refused = await world
        .write(async (scope) => {
          const expiresAt = status === 'expired' ? scope.now : null
          const { id } = await new CreateKey(scope).handle({ name: 'old', expiresAt })
          if (status === 'revoked') await new RevokeKey(scope).handle(id)
          return new RotateKey(scope).handle({ keyId: id })
        })
        .catch((problem: Problem) => problem)
      assert.instanceOf(refused, Problem)
      const { code, extras } = refused as Problem
      assert.deepEqual(
        [code, extras.currentStatus, extras.allowedActions],
        ['conflict', status, allowedActions]
      )
    })
  }
})
