import { Type } from '@sinclair/typebox'
import type { ProblemDeclarations } from '#foundation/core/problems/catalog'
import { id, list, nonEmpty, nullable, object, percentage } from '#foundation/core/schemas'

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
    'Only what waits for its review or is in it is withdrawn, and on the App Store what waits for its release.',
  ],
  review_files_unsupported: [
    409,
    'This store takes no files for its review',
    'Files for whoever reviews the app are a matter of the App Store.',
  ],
  not_approved: [409, 'The store has not approved it', 'It is released after its approval.'],
  release_paired: [
    409,
    'The release goes out with another one',
    'A release has one pair, and goes out with it as a whole. Part the pair first.',
  ],
  platforms_alike: [
    409,
    'They go to stores of one kind',
    'A pair has one for iOS, one for Android.',
  ],
  already_out: [409, 'One of them is out', 'Only releases that wait can go out together.'],
  goes_out_by_itself: [
    409,
    'It goes out by itself after its approval',
    'Withdraw it, join them, and submit it again.',
  ],
  managed_publishing_needed: [
    409,
    'A pair needs managed publishing',
    'Turn it on in the Play Console under Publishing overview, and repeat with managedPublishing=true.',
  ],
  rollout_not_running: [409, 'Nothing is rolled out', 'The rollout has not begun, or is over.'],
  rollout_no_predecessor: [
    409,
    'No version is there to take its place',
    'Google Play halts what all users have only where it can serve the version before.',
  ],
  ladder_changed: [
    409,
    'It was submitted with another first share',
    'The problem has both. Repeat with force=true to release it as submitted, change the ladder back, or ship another version.',
  ],
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
