import { later } from '#foundation/core/clock'
import { DAY, HOUR } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { MAX_OPEN_RELEASES } from '#workflow/bounds'
import db from '@adonisjs/lucid/services/db'
import { makeApprovalWorld } from '#checklists/tests/helpers/approvals'
import { makeItem, setItem } from '#releases/tests/helpers/release_world'
import { makeUser } from '#tests/support/app_fixture'
import { drafted, kickedOff, runOf, V, type Case } from './case.js'

const why = { code: null } as const

/** Cases about the state of a release, rights, and what holds its automations. */
export const IN_RELEASES: readonly Case[] = [
  {
    what: 'kicking off without the right to',
    async block() {
      const { world, blocked } = await drafted()
      return blocked('manage_release', 'kick_off', {}, await world.keyed())
    },
    code: 'action_missing',
    missing: /the right to do this/,
    who: /An admin of the organization/,
  },
  {
    what: 'kicking off an app that the key may not change',
    async block() {
      const { world, blocked } = await drafted()
      const groups = ['Release Management']
      return blocked(
        'manage_release',
        'kick_off',
        {},
        await world.keyed({ groups, appRestricted: true })
      )
    },
    code: 'app_scope_missing',
    missing: /the right to change this app/,
    who: /An admin of the organization/,
  },
  {
    what: 'kicking off what the train has passed by',
    async block() {
      const { admin, at, blocked } = await drafted()
      await admin.put(`${at}/skip`)
      return blocked('manage_release', 'kick_off')
    },
    code: 'release_skipped',
    missing: /a place on the train/,
    who: /Whoever creates releases/,
  },
  {
    what: 'kicking off what is over',
    async block() {
      const { admin, at, blocked } = await kickedOff()
      await admin.put(`${at}/complete`)
      return blocked('manage_release', 'kick_off')
    },
    code: 'release_completed',
    missing: /an open release/,
    who: /The release pilot/,
  },
  {
    what: 'ending by hand what was never kicked off',
    async block() {
      const { admin, app, blocked } = await drafted()
      await admin.post(`/app/${app}/release`, { version: '2.0.0' })
      return blocked('manage_release', 'complete', { releaseId: `${app}:2.0.0` })
    },
    code: 'release_not_kicked_off',
    missing: /the decision on the release that is ahead on the train .*the kickoff/,
    who: /from whoever makes releases/,
  },
  {
    what: 'another version after the kickoff',
    async block() {
      return (await kickedOff()).blocked('manage_release', 'update', { body: { version: '2.0.0' } })
    },
    code: 'release_kicked_off',
    missing: /a release that was not kicked off/,
    who: /The release pilot/,
  },
  {
    what: 'a version that there is',
    async block() {
      const { world, admin, its } = await drafted()
      const args = { action: 'create', appId: its.appId, body: { version: V } }
      return { world, asker: admin, tool: 'manage_release', args }
    },
    code: 'version_taken',
    missing: /a version that no release/,
    who: /The person you work for/,
  },
  {
    what: 'one more release than may be open',
    async block() {
      const { world, admin, app } = await drafted()
      const [row] = await db.from('releases').where('app_id', app)
      const copies = Array.from({ length: MAX_OPEN_RELEASES - 1 }, (_, index) => ({
        ...row,
        id: `${row.id}_${index}`,
        version: `1.${index + 1}.0`,
        version_minor: index + 1,
        status: 'upcoming',
      }))
      await db.table('releases').multiInsert(copies)
      const args = { action: 'create', appId: app, body: { version: '3.0.0' } }
      return { world, asker: admin, tool: 'manage_release', args }
    },
    code: 'too_many_open_releases',
    missing: /room: .*open releases/,
    who: /Ask their pilots/,
  },
  {
    what: 'taking a skip back that there is not',
    block: async () => (await drafted()).blocked('manage_release', 'unskip'),
    code: 'release_not_skipped',
    missing: /nothing: it is on the train/,
    who: /tell whoever asked/,
  },
  {
    what: 'a release that is gone',
    block: async () =>
      (await drafted()).blocked('manage_release', 'kick_off', { releaseId: 'app:9.9.9' }),
    code: 'not_found',
    missing: /Look up the id/,
    who: /with a tool that lists/,
  },
  {
    what: 'a hotfix of an app without version control',
    async block() {
      const { world, admin, its } = await kickedOff()
      const body = {
        version: '1.0.1',
        releaseType: 'hotfix',
        baseTag: { name: 'v1' },
        createBranch: true,
      }
      const args = { action: 'create', appId: its.appId, body }
      return { world, asker: admin, tool: 'manage_release', args }
    },
    code: 'integration_missing',
    missing: /an integration/,
    who: /Whoever manages the integrations/,
  },
  {
    what: 'submitting what has no store',
    block: async () => (await kickedOff()).blocked('submit_to_store', 'submit', { body: {} }),
    code: 'integration_missing',
    missing: /an integration/,
    who: /Whoever manages the integrations/,
  },
  {
    what: 'approving a step whose approvals are missing',
    async block() {
      const train = await kickedOff()
      await makeUser(train.world, 'ada@acme.example', ['Approvers'])
      await makeItem(train, { kind: 'approval', stepType: 'approvals', title: 'Delete it all' })
      const stepRunId = await runOf(train, 'approvals')
      return train.blocked('approve', 'run', { stepRunId, body: { approved: true } })
    },
    code: 'approvals_missing',
    isPlanted: true,
    missing: /1 more approval of the approval item \w+, for the step "approvals 3"/,
    who: /from whoever holds UpdateApprovalItemStatus or the group Approvers/,
  },
  {
    what: 'approving a step with a rejected approval',
    async block() {
      const train = await kickedOff()
      const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
      await setItem(train, V, item, 'rejected')
      const stepRunId = await runOf(train, 'approvals')
      return train.blocked('approve', 'run', { stepRunId, body: { approved: true } })
    },
    code: 'approvals_missing',
    missing: /1 more approval of the approval item/,
    who: /from whoever holds UpdateApprovalItemStatus/,
  },
  {
    what: 'approving what one made oneself',
    async block() {
      const { world, admin, app, releaseId, item } = await makeApprovalWorld()
      const { id } = await item('approval', { fourEyes: true })
      const its = { appId: app, releaseId, checklistItemId: id }
      const args = { action: 'item', ...its, body: { status: 'approved' } }
      return { world, asker: admin, tool: 'approve', args }
    },
    code: 'four_eyes',
    missing: /another person/,
    who: /Somebody other than its author/,
  },
  {
    what: 'approving a step that takes no approval',
    async block() {
      const train = await kickedOff()
      const stepRunId = await runOf(train, 'submission')
      return train.blocked('approve', 'run', { stepRunId, body: { approved: true } })
    },
    code: 'step_type_mismatch',
    missing: /a step that this fits/,
    who: /Find it with find_releases/,
  },
  {
    what: 'approving once more against the rules',
    async block() {
      const train = await kickedOff()
      const item = await makeItem(train, { kind: 'approval', stepType: 'approvals' })
      await setItem(train, V, item, 'approved')
      const body = { status: 'approved', breakGlass: { reason: 'They are asleep.' } }
      return train.blocked('approve', 'item', { checklistItemId: item, body })
    },
    code: 'conflict',
    missing: /what the detail names/,
    who: /ask whoever is responsible for it/,
  },
  {
    what: 'an item of a release that is over',
    async block() {
      const train = await kickedOff()
      const item = await makeItem(train, { kind: 'regression', stepType: 'regressionTesting' })
      await train.admin.put(`${train.at}/complete`)
      return train.blocked('set_items', 'set_status', {
        checklistItemId: item,
        body: { status: 'passed' },
      })
    },
    code: 'release_completed',
    missing: /an open release/,
    who: /The release pilot/,
  },
  {
    what: 'a change that somebody made before',
    block: async () =>
      (await drafted()).blocked('manage_release', 'update', {
        body: { releaseName: 'Winter' },
        ifMatch: '"other"',
      }),
    code: 'precondition_failed',
    missing: /Read it again/,
    who: /decide again/,
  },
  {
    what: 'a plan of something else',
    block: async () =>
      (await kickedOff()).blocked('manage_release', 'complete', { plan: 'a plan' }),
    code: 'plan_unknown',
    missing: /without `plan`/,
    who: /Call again/,
  },
  {
    what: 'a member that nobody knows',
    block: async () =>
      (await drafted()).blocked('manage_release', 'update', { body: { relaseName: 'Winter' } }),
    code: 'invalid_input',
    missing: /Correct what `errors` names/,
    who: /manage_release/,
  },
  {
    what: 'the train is at another release',
    async block() {
      const { admin, app, blocked } = await drafted()
      await admin.post(`/app/${app}/release`, { version: '2.0.0' })
      return blocked('why_not_moving', 'ask', { releaseId: `${app}:2.0.0` })
    },
    ...why,
    missing: /the decision on the release that is ahead on the train \(release [\w-]+:1\.0\.0\)/,
    who: /from whoever makes releases/,
  },
  {
    what: 'a freeze holds the kickoff',
    async block() {
      const { admin, app, at, blocked } = await drafted()
      const now = clock.now()
      const freezes = [
        { name: 'Holidays', startAt: now, endAt: later(now, DAY), phases: ['kickoff'] },
      ]
      const kickoff = { type: 'kickoffOnTargetDate', enabled: true }
      await admin.put(`/app/${app}/automations`, kickoff)
      await admin.put(at, { targetKickoffAt: later(now, HOUR) })
      const { status, text } = await admin.put(`/app/${app}/lifecycleFreezes`, { freezes })
      if (status !== 200) throw new Error(text)
      return blocked('why_not_moving', 'ask')
    },
    ...why,
    missing: /the decision on what holds the automation, such as a freeze/,
    who: /from whoever holds EditAutomations/,
  },
  {
    what: 'automations are paused',
    async block() {
      const { admin, app, at, blocked } = await drafted()
      await admin.put(`/app/${app}/automations`, { type: 'kickoffOnTargetDate', enabled: true })
      await admin.put(at, { targetKickoffAt: later(clock.now(), HOUR) })
      await admin.put(`/app/${app}/automations/pause`, { paused: true })
      return blocked('why_not_moving', 'ask')
    },
    ...why,
    missing: /the decision on what holds the automation, such as a freeze or a pause/,
    who: /from whoever holds EditAutomations/,
  },
]
