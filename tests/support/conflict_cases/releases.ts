import { makeItem, recordFacts, setItem, type Train } from '#releases/tests/helpers/release_world'
import { VERSION, type Case } from './case.js'

const EVERY_STATUS_BUT_APPROVED = ['notStarted', 'inProgress', 'rejected', 'blocked']

const runOf = async ({ step, path }: Train, type: 'metadata' | 'approvals') =>
  `${path(VERSION)}/stepRun/${(await step(VERSION, type)).stepRunId}`

const recordSubmission = (train: Train) =>
  recordFacts(train, VERSION, async (_scope, model) => {
    model.submittedAt = '2026-01-01T00:00:00.000Z'
  })

/** Conflicts about releases and decisions on their steps. */
export const RELEASE_CONFLICTS: Case[] = [
  {
    code: 'version_taken',
    what: 'creating a release of a version there is',
    cause: ({ admin, app }) => admin.post(`/app/${app}/release`, { version: VERSION }),
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'version_taken',
    what: 'changing a version to that of a completed release',
    async cause({ admin, app, path }) {
      await admin.put(`${path(VERSION)}/kickoff`)
      await admin.put(`${path(VERSION)}/complete`)
      await admin.post(`/app/${app}/release`, { version: '2.0.0' })
      return admin.put(path('2.0.0'), { version: VERSION })
    },
    currentStatus: 'completed',
    allowedActions: ['edit'],
  },
  {
    code: 'release_completed',
    what: 'skipping a completed release',
    async cause({ admin, path }) {
      await admin.put(`${path(VERSION)}/kickoff`)
      await admin.put(`${path(VERSION)}/complete`)
      return admin.put(`${path(VERSION)}/skip`)
    },
    currentStatus: 'completed',
    allowedActions: ['edit'],
  },
  {
    code: 'release_skipped',
    what: 'kicking off a skipped release',
    async cause({ admin, path }) {
      await admin.put(`${path(VERSION)}/skip`)
      return admin.put(`${path(VERSION)}/kickoff`)
    },
    currentStatus: 'skipped',
    allowedActions: ['unskip', 'delete', 'changeVersion', 'edit'],
  },
  {
    code: 'release_not_skipped',
    what: 'un-skipping an active release',
    cause: ({ admin, path }) => admin.put(`${path(VERSION)}/unskip`),
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
      await admin.put(`${path(VERSION)}/kickoff`)
      return admin.put(path(VERSION), { version: '2.0.0' })
    },
    currentStatus: 'active',
    allowedActions: ['complete', 'skip', 'delete', 'edit'],
  },
  {
    code: 'release_submitted',
    what: 'deleting a recordSubmission release',
    async cause(train) {
      await recordSubmission(train)
      return train.admin.delete(train.path(VERSION))
    },
    currentStatus: 'active',
    allowedActions: ['kickoff', 'complete', 'skip', 'changeVersion', 'edit'],
  },
  {
    code: 'release_submitted',
    what: 'changing the texts of a recordSubmission release',
    async cause(train) {
      await recordSubmission(train)
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
      await setItem(train, VERSION, itemId, 'rejected')
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
      await setItem(train, VERSION, itemId, 'approved')
      return train.admin.put(`${train.path(VERSION)}/checklistItem/${itemId}/status`, {
        status: 'approved',
        breakGlass: { reason: 'The approvers are asleep.' },
      })
    },
    currentStatus: 'approved',
    allowedActions: EVERY_STATUS_BUT_APPROVED,
  },
]
