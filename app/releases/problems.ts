import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import {
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  enumOf,
} from '#foundation/core/schemas'
import { IN_STORE_STATES, ITEM_STATUSES } from './vocabulary.js'

export const problems = {
  version_taken: [409, 'The version is taken', 'An app has one release per version.'],
  release_completed: [409, 'The release is completed', 'A completed release does not change.'],
  release_skipped: [409, 'The release is skipped', 'Un-skip it first.'],
  release_not_skipped: [409, 'The release is not skipped', 'Only a skipped one is un-skipped.'],
  release_live: [
    409,
    'The release is in review or live',
    'The problem lists what stores have. Stop or withdraw it, or repeat with force=true.',
  ],
  release_submitted: [409, 'The release was submitted', 'A submitted release stays on record.'],
  release_not_kicked_off: [409, 'The release is not kicked off', 'Kick it off first.'],
  release_kicked_off: [
    409,
    'The release was kicked off',
    'Its version and kind can no longer change.',
  ],
  release_active: [409, 'A release is active', 'Finish it or repeat with force=true.'],
  step_type_mismatch: [409, 'The step is of another type', 'The operation does not fit it.'],
  step_run_superseded: [409, 'The step run is not the current one', 'Use the current run.'],
  too_many_open_releases: [409, 'Too many releases are open', 'Finish or skip one first.'],
  too_many_links: [409, 'The release has too many links', 'Revoke one first.'],
  too_many_steps: [409, 'A release would hold too many steps', 'The detail names it.'],
  cherry_pick_in: [409, 'The cherry-pick is already in', 'Revert the commit, or leave it.'],
  cherry_picks_open: [
    409,
    'Requested cherry-picks are not in',
    'Bring them in by hand, dismiss them with a reason, or repeat with force=true.',
  ],
  approvals_missing: [409, 'Required approvals are missing', 'The problem lists their items.'],
} as const satisfies ProblemDeclarations

const inStore = object('Status of one release in one store.', {
  releaseId: id('Id of the release.'),
  version: nonEmpty('Version of the release.', 32),
  destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
  state: enumOf(
    IN_STORE_STATES,
    'Status in the store; `asked` while a call to the store is pending, `completed` once live to all users.'
  ),
  percentage: percentage('Share of users who are offered the release.'),
  since: nullable(instant('When the status was observed, in UTC; null if it was not.')),
  message: nonEmpty('What happens to the release if the service stops acting on it.', 1000),
})

export const problemMembers = {
  inStores: Type.Optional(
    list(
      'With `release_live`: status in stores of the release, and of others that not all users have.',
      inStore,
      100
    )
  ),
  currentStepRunId: Type.Optional(id('With `step_run_superseded`: id of the run to use instead.')),
  items: Type.Optional(
    list(
      'With `approvals_missing`: the missing required approvals.',
      object('A missing approval.', {
        id: id('Id of the approval.'),
        title: nonEmpty('Title of the approval.', 200),
        status: enumOf(ITEM_STATUSES, 'Status in the release.'),
      }),
      10_000
    )
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    releases: typeof problems
  }
}
