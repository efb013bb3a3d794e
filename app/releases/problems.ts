import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { id, list, nonEmpty, object, words } from '#foundation/core/schemas'
import { ITEM_STATUSES } from './vocabulary.js'

export const problems = {
  version_taken: [409, 'The version is taken', 'An app has one release per version.'],
  release_completed: [409, 'The release is completed', 'A completed release does not change.'],
  release_skipped: [409, 'The release is skipped', 'Un-skip it first.'],
  release_not_skipped: [409, 'The release is not skipped', 'Only a skipped one is un-skipped.'],
  release_submitted: [409, 'The release was submitted', 'A submitted release stays on record.'],
  release_not_kicked_off: [409, 'The release is not kicked off', 'Kick it off first.'],
  release_kicked_off: [409, 'The release was kicked off', 'Its version and kind are settled.'],
  release_active: [409, 'A release is active', 'Finish it or repeat with force=true.'],
  step_type_mismatch: [409, 'The step is of another type', 'The operation does not fit it.'],
  step_run_superseded: [409, 'The step run is not the current one', 'Use the current run.'],
  too_many_open_releases: [409, 'Too many releases are open', 'Finish or skip one first.'],
  too_many_steps: [409, 'A release would hold too many steps', 'The detail names it.'],
  approvals_missing: [409, 'Required approvals are missing', 'The problem lists their items.'],
} as const satisfies ProblemDeclarations

export const problemMembers = {
  currentStepRunId: Type.Optional(id('With `step_run_superseded`: id of the run to use instead.')),
  items: Type.Optional(
    list(
      'With `approvals_missing`: the required approvals that are not given.',
      object('An approval that is missing.', {
        id: id('Id of the approval.'),
        title: nonEmpty('What is to be approved.', 200),
        status: words(ITEM_STATUSES, 'What it has come to in the release.'),
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
