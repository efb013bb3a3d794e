import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { id, list, nonEmpty, object } from '#foundation/core/schemas'

export const problems = {
  steps_incomplete: [
    409,
    'Required steps are not complete',
    'The problem lists them. Repeat with submitWithIncompleteSteps=true to submit all the same.',
  ],
  no_build_selected: [409, 'No build is selected', 'Select one, or wait until the store has it.'],
  build_unusable: [409, 'The build cannot be submitted', 'The detail says why; select another.'],
  store_busy: [409, 'The store is being asked already', 'Wait for what becomes of it.'],
  not_in_review: [
    409,
    'The store is not reviewing it',
    'Only what waits for its review, is in it or waits for its release is withdrawn.',
  ],
  withdrawal_unsupported: [
    409,
    'This store lets nothing be withdrawn',
    'Google Play reviews what it has; submit another build instead.',
  ],
  review_files_unsupported: [
    409,
    'This store takes no files for its review',
    'Files for whoever reviews the app are a matter of the App Store.',
  ],
  not_approved: [409, 'The store has not approved it', 'It is released after its approval.'],
  rollout_not_running: [409, 'Nothing is rolled out', 'The rollout has not begun, or is over.'],
  rollout_by_store: [
    409,
    'The store sets the percentage itself',
    'A phased release of Apple is paused, resumed or completed.',
  ],
  rollout_stopped: [
    409,
    'The rollout is stopped',
    'What was paused or halted is resumed first; it grows after that.',
  ],
  rollout_only_grows: [
    409,
    'The rollout is further already',
    'Users who have a version keep it: halt the rollout instead.',
  ],
} as const satisfies ProblemDeclarations

/** Characters that say what a step lacks, at most. */
export const MOST_MISSING = 20_000

export const problemMembers = {
  incompleteSteps: Type.Optional(
    list(
      'With `steps_incomplete`: the required steps that are missing.',
      object('A step that is missing.', {
        stepId: id('Id of the step.'),
        stepConfigId: id('Id of the step in the workflow of the app.'),
        name: nonEmpty('Name of the step.', 210),
        missing: nonEmpty('What is missing, for people.', MOST_MISSING),
      }),
      10_000
    )
  ),
}

declare module '#foundation/core/problems/catalog' {
  interface ModuleProblems {
    stores: typeof problems
  }
}
