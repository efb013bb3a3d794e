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
  enumOf,
} from '#foundation/core/schemas'
import { CONDITION_CODES } from '../engine/conditions.js'
import {
  ReleaseStatusSchema,
  ReleaseStepStatusSchema,
  ReleaseTimelinePhaseSchema,
  releaseId,
} from '../entities.js'

export const whoSchema = object('A party that can meet a condition.', {
  type: nonEmpty(
    '`user`, `group`, `releasePilot`, `userAction` (anyone who has it), `service`, `store`, `provider` or `providerRole` (a person at it, such as the Account Holder).',
    32
  ),
  id: Type.Optional(id('Id of the user or group; absent for other types.')),
  name: nonEmpty('Display name; for a user action, the action.', 320),
})

const condition = entity('ReleaseCondition', 'A condition that is not met yet.', {
  code: enumOf(CONDITION_CODES, 'Stable code of the condition.'),
  message: nonEmpty('Human-readable description.', 1000),
  subject: Type.Optional(
    object('Subject of the condition; absent for the whole step or release.', {
      type: nonEmpty('Kind of item, or `step`, `locale`, `release` or `connection`.', 32),
      id: nonEmpty('Id of the subject; for a locale, its tag.', 240),
      name: text('Display name.', 1000),
    })
  ),
  who: list('Who can meet it.', whoSchema, 10_000),
  approvalsMissing: Type.Optional(count('Number of further approvals that the subject needs.')),
})

const stalled = entity(
  'ReleaseStall',
  'A problem that does not block the release, but needs attention.',
  {
    code: nonEmpty(
      'Stable code: `fix_…` with a code of `waitsFor`, `fix_not_in_build`, `branch_missing`, `red_button`, `rollout_stopped`, `ladder_changed`, `review_restarted`, `withdrawal_failed`, `profile_ended`, `certificate_ended`, `target_api_level`, `chat_untold`.',
      64
    ),
    message: nonEmpty('Human-readable description.', 2000),
    subject: object('Subject of the problem.', {
      type: nonEmpty('`fixRequest`, `branch`, `triageIssue`, `build`, `channel` or `release`.', 32),
      id: nonEmpty('Id of the subject; for a branch, its name.', 256),
      name: text('Display name.', 1000),
    }),
    who: list('Who can act on it.', whoSchema, 10_000),
  }
)

const next = entity(
  'ReleaseMove',
  'An upcoming event that happens without a person, or unless a person acts.',
  {
    at: instant('When the event happens, in UTC.'),
    what: nonEmpty(
      'Kind of event: `kickoff`, `branch`, `submit`, `release`, a reminder and so on.',
      32
    ),
    message: nonEmpty('Human-readable description.', 1000),
    percentage: Type.Optional(
      percentage('Resulting share of users; absent if it does not change.')
    ),
    who: Type.Optional(
      list('Who can act on it before; absent if nobody has to.', whoSchema, 10_000)
    ),
  }
)

/** The members of a step in `whyNotMoving`. */
export const stepHoldMembers = {
  unmet: list('Unmet conditions of the step; empty if complete.', condition, 100_000),
  warnings: list(
    'Warnings about misleading statuses: a manual verdict over failed or blocked items, or a required step without items.',
    entity('StepWarning', 'A warning about the status of a step.', {
      code: nonEmpty('Stable code of the warning.', 64),
      message: nonEmpty('Human-readable description.', 1000),
    }),
    100
  ),
}

/** The members of a release in `whyNotMoving`. */
export const releaseHoldMembers = {
  release: list('Unmet conditions for the next phase of the release.', condition, 10_000),
  warnings: list(
    'Problems that need people without blocking the release, such as fix requests missing from the release or its shipped build, or a lost branch.',
    stalled,
    2000
  ),
  next: list('Next events of the service and stores, earliest first.', next, 1000),
}

const step = object('A step and its unmet conditions.', {
  stepId: id('Id of the step within the release.'),
  stepConfigId: id('Id of the step in the workflow of the app.'),
  name: nonEmpty('Name of the step.', 210),
  type: described('Type of the step.', ReleaseStepTypeSchema),
  status: described('Status of the step.', ReleaseStepStatusSchema),
  required: flag('Whether release readiness depends on the step.'),
  ...stepHoldMembers,
})

export const WhyNotMovingEntity = entity(
  'WhyNotMovingEntity',
  'Why a release is not moving, who can move it, and what happens automatically.',
  {
    releaseId: releaseId(),
    status: described('Current status of the release.', ReleaseStatusSchema),
    phase: described(
      'Phase of the release, given the changes of `ifItem`.',
      ReleaseTimelinePhaseSchema
    ),
    readyToSubmit: flag('Whether every required step before submission is complete.'),
    readyToRelease: flag('Whether every required step is complete and the store has approved.'),
    steps: list('Steps of the release, in workflow order.', step, 10_000),
    ...releaseHoldMembers,
  }
)
