import { Type, type Static } from '@sinclair/typebox'
import { APP_PLATFORMS } from '#apps/vocabulary'
import {
  described,
  entity,
  list,
  nonEmpty,
  nullable,
  object,
  pageOf,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'
import {
  OwnRelease,
  OwnReleaseStep,
  ReleaseTimelinePhaseSchema,
  releaseId,
} from '#releases/entities'
import { releaseHoldMembers, stepHoldMembers } from '#releases/schemas/why_not_moving_entity'
import { MonitoringStatisticEntity, PhasedReleaseData } from '#stores/entities'

/** Members of a step that are the same as in `listReleaseSteps`. */
export const STEP_MEMBERS = [
  'id',
  'stepConfigId',
  'stepRunId',
  'name',
  'type',
  'status',
  'required',
  'hidden',
  'groupIndex',
  'position',
  'destinationId',
  'statusChangedAt',
] as const

/** Members of a release that are the same as in `getRelease`. */
export const RELEASE_MEMBERS = [
  'id',
  'version',
  'releaseName',
  'releaseType',
  'status',
  'phase',
  'releasePilot',
  'releaseBranch',
  'targetKickoffAt',
  'targetSubmitAt',
  'targetReleaseAt',
  'kickedOffAt',
  'submittedAt',
  'approvedAt',
  'releasedAt',
  'completedAt',
  'readyToSubmit',
  'readyToRelease',
  'regressionStatus',
  'automationsPaused',
  'imported',
] as const

const StepInOverview = entity('StepInOverview', 'A step of a release in an overview.', {
  ...Type.Pick(OwnReleaseStep, [...STEP_MEMBERS]).properties,
  ...stepHoldMembers,
  rollout: nullable(
    object('How far its rollout is; null for a step of another type, and before it begins.', {
      state: described('How far the rollout is.', PhasedReleaseData.properties.status),
      percentage: percentage('Share of users who can have it, in percent.'),
    })
  ),
})

const ReleaseInOverview = entity('ReleaseInOverview', 'A release in an overview.', {
  ...Type.Pick(OwnRelease, [...RELEASE_MEMBERS]).properties,
  steps: list('Its steps, in the order of the workflow.', StepInOverview, 10_000),
  health: nullable(
    described(
      'What the guards of its rollouts find, the worst of it; null if none judges now.',
      MonitoringStatisticEntity.properties.verdict
    )
  ),
  whyNotMoving: object(
    'Why it does not move, as in `whyNotMoving`, without the reasons of its steps.',
    releaseHoldMembers
  ),
})

export const AppInOverview = entity('AppInOverview', 'An app and where it is.', {
  id: nonEmpty('Id of the app.', 200),
  name: nonEmpty('Name of the app.', 100),
  platform: words(APP_PLATFORMS, 'The platform it runs on.'),
  appGroup: nullable(nonEmpty('Label that apps of one product share; null without one.', 100)),
  iconUrl: nullable(text('Address of the icon; null without one.', 2048)),
  liveVersion: nullable(
    nonEmpty(
      'The highest version that was released to users and is not halted; null without one.',
      64
    )
  ),
  release: nullable(
    described(
      'The active release that the train is at, else the next one, else the newest that was completed; null without any.',
      ReleaseInOverview
    )
  ),
  alsoActive: list(
    'Releases that are active beside it, the lowest version first.',
    object('A release in few words.', {
      id: releaseId(),
      version: nonEmpty('Version of the release.', 64),
      releaseType: described('Type of the release.', OwnRelease.properties.releaseType),
      phase: described('How far it is.', ReleaseTimelinePhaseSchema),
    }),
    10_000
  ),
})
export type AppInOverview = Static<typeof AppInOverview>

export const OverviewPage = pageOf(AppInOverview)
