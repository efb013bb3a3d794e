import { Type } from '@sinclair/typebox'
import { ReleaseStepTypeSchema } from '#apps/entities'
import {
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  nonEmpty,
  object,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'
import { CONDITION_CODES } from '../engine/conditions.js'
import {
  ReleaseStatusSchema,
  ReleaseStepStatusSchema,
  ReleaseTimelinePhaseSchema,
  releaseId,
} from '../entities.js'

export const whoSchema = object('Someone who can meet a condition.', {
  type: nonEmpty(
    '`user`, `group`, `releasePilot`, `userAction` (whoever holds it), `service`, `store` or `provider`.',
    32
  ),
  id: Type.Optional(id('Id of the user or group; absent if there is none to name.')),
  name: nonEmpty('Name to show; of a user action, the action.', 320),
})

const condition = entity('ReleaseCondition', 'Something that has to happen first.', {
  code: words(CONDITION_CODES, 'What is missing; stable.'),
  message: nonEmpty('What is missing, for people.', 1000),
  subject: Type.Optional(
    object('What the condition is about; absent for the whole step or release.', {
      type: nonEmpty('Kind of an item, or `step`, `locale`, `release` or `connection`.', 32),
      id: nonEmpty('Id of it; of a locale, its tag.', 240),
      name: text('Name to show.', 1000),
    })
  ),
  who: list('Who can meet it.', whoSchema, 10_000),
  approvalsMissing: Type.Optional(count('How many more people have to approve the subject.')),
})

const stalled = entity(
  'ReleaseStall',
  'Something that does not hold the release up, and somebody should know.',
  {
    code: nonEmpty(
      'Stable code of it: `fix_…` with a code of `waitsFor`, `fix_not_in_build`, `branch_missing`, `red_button`, `rollout_stopped`, `ladder_changed`, `review_restarted`, `withdrawal_failed`, `profile_ended`, `certificate_ended`, `target_api_level`, `chat_untold`.',
      64
    ),
    message: nonEmpty('What it is, for people.', 2000),
    subject: object('What it is about.', {
      type: nonEmpty('`fixRequest`, `branch`, `triageIssue`, `build` or `release`.', 32),
      id: nonEmpty('Id of it; of a branch, its name.', 256),
      name: text('Name to show.', 1000),
    }),
    who: list('Who can do something about it.', whoSchema, 10_000),
  }
)

const next = entity('ReleaseMove', 'Something that happens without a person.', {
  at: instant('When it happens, in UTC.'),
  what: nonEmpty(
    'What happens: `kickoff`, `branch`, `submit`, `release`, a reminder and so on.',
    32
  ),
  message: nonEmpty('What happens, for people.', 1000),
  percentage: Type.Optional(
    percentage('Share of users that it leads to; absent if it changes none.')
  ),
})

/** The members of a step in `whyNotMoving`. */
export const stepHoldMembers = {
  unmet: list('What keeps it from complete; empty when it is.', condition, 100_000),
  warnings: list(
    'What holds although it looks otherwise: a verdict by hand over failed or blocked items, a required step without items.',
    entity('StepWarning', 'Something about a step that looks otherwise.', {
      code: nonEmpty('Stable code of the warning.', 64),
      message: nonEmpty('What it says, for people.', 1000),
    }),
    100
  ),
}

/** The members of a release in `whyNotMoving`. */
export const releaseHoldMembers = {
  release: list('What keeps the release from its next phase.', condition, 10_000),
  warnings: list(
    'What waits for people while the release goes on: fix requests that are not in it, or not in the build that users get, a branch that is gone.',
    stalled,
    2000
  ),
  next: list('What the service and stores do next, earliest first.', next, 1000),
}

const step = object('A step and what keeps it.', {
  stepId: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  name: nonEmpty('Name of the step.', 210),
  type: described('What the step is about.', ReleaseStepTypeSchema),
  status: described('How far the step is.', ReleaseStepStatusSchema),
  required: flag('Whether readiness of the release waits for the step.'),
  ...stepHoldMembers,
})

export const WhyNotMovingEntity = entity(
  'WhyNotMovingEntity',
  'Why a release does not move, who can move it, and what happens by itself.',
  {
    releaseId: releaseId(),
    status: described('Status of the release as it is.', ReleaseStatusSchema),
    phase: described(
      'Phase of the release, with the changes of `ifItem`.',
      ReleaseTimelinePhaseSchema
    ),
    readyToSubmit: flag('Whether every required step before submission is complete.'),
    readyToRelease: flag('Whether every required step is complete and the store has approved.'),
    steps: list('Its steps, in the order of the workflow.', step, 10_000),
    ...releaseHoldMembers,
  }
)
