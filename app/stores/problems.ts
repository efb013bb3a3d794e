import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { id, list, nonEmpty, nullable, object, percentage } from '#foundation/core/schemas'

export const problems = {
  steps_incomplete: [
    409,
    'Required steps are not complete',
    'The problem lists them. Repeat with submitWithIncompleteSteps=true to submit anyway.',
  ],
  no_build_selected: [409, 'No build is selected', 'Select one, or wait until the store has it.'],
  build_unusable: [409, 'The build cannot be submitted', 'The detail says why; select another.'],
  store_busy: [409, 'A request to the store is under way', 'Wait for its outcome.'],
  not_in_review: [
    409,
    'The store is not reviewing it',
    'Only a version waiting for review or in review can be withdrawn; on the App Store, also one waiting for its release.',
  ],
  review_files_unsupported: [
    409,
    'This store accepts no files for its review',
    'Only the App Store accepts files for its reviewers.',
  ],
  not_approved: [409, 'The store has not approved it', 'Release it after its approval.'],
  release_paired: [
    409,
    'The release goes out with another one',
    'A release has one pair, and goes out with it as a whole. Part the pair first.',
  ],
  platforms_alike: [
    409,
    'Both releases go to the same kind of store',
    'A pair has one release for iOS and one for Android.',
  ],
  already_out: [
    409,
    'One of the releases is out',
    'Only releases that are not out yet can be joined.',
  ],
  goes_out_by_itself: [
    409,
    'It goes out automatically after its approval',
    'Withdraw it, join them, and submit it again.',
  ],
  managed_publishing_needed: [
    409,
    'A pair needs managed publishing',
    'Turn it on in the Play Console under Publishing overview, and repeat with managedPublishing=true.',
  ],
  rollout_not_running: [409, 'No rollout is under way', 'The rollout has not begun, or is over.'],
  rollout_no_predecessor: [
    409,
    'There is no earlier version to serve',
    'Google Play halts a completed rollout only if it can serve an earlier version.',
  ],
  ladder_changed: [
    409,
    'It was submitted with another first share',
    'The problem has both. Repeat with force=true to release it as submitted, change the ladder back, or ship another version.',
  ],
  rollout_by_store: [
    409,
    'The store sets the percentage itself',
    'An Apple phased release can only be paused, resumed or completed.',
  ],
  rollout_stopped: [
    409,
    'The rollout is stopped',
    'Resume the rollout first; it can grow after that.',
  ],
  rollout_only_grows: [
    409,
    'The rollout is already further along',
    'Users who have a version keep it: halt the rollout instead.',
  ],
} as const satisfies ProblemDeclarations

/** The most characters of the text about what a step lacks. */
export const MAX_MISSING = 20_000

const share = (description: string) => nullable(percentage(description))

export const problemMembers = {
  ladder: Type.Optional(
    object('With `ladder_changed`: first share of the rollout.', {
      submitted: share('Share of users at submission; null for the store’s setting.'),
      wanted: share('Current first share of the ladder; null for the store’s setting.'),
    })
  ),
  incompleteSteps: Type.Optional(
    list(
      'With `steps_incomplete`: the incomplete required steps.',
      object('An incomplete step.', {
        stepId: id('Id of the step.'),
        stepConfigId: id('Id of the step in the workflow of the app.'),
        name: nonEmpty('Name of the step.', 210),
        missing: nonEmpty('Explanation of what is missing.', MAX_MISSING),
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
