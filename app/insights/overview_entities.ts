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
  enumOf,
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
    object('Progress of the rollout; null for steps of other types and before it begins.', {
      state: described('Status of the rollout.', PhasedReleaseData.properties.status),
      percentage: percentage('Share of users offered the version, in percent.'),
    })
  ),
})

const ReleaseInOverview = entity('ReleaseInOverview', 'A release in an overview.', {
  ...Type.Pick(OwnRelease, [...RELEASE_MEMBERS]).properties,
  steps: list('Steps, in workflow order.', StepInOverview, 10_000),
  health: nullable(
    described(
      'Worst verdict of the guards of its rollouts; null if none is active.',
      MonitoringStatisticEntity.properties.verdict
    )
  ),
  whyNotMoving: object(
    'Why the release is not moving, as in `whyNotMoving`, without the reasons of its steps.',
    releaseHoldMembers
  ),
})

export const AppInOverview = entity('AppInOverview', 'An app and its current release.', {
  id: nonEmpty('Id of the app.', 200),
  name: nonEmpty('Name of the app.', 100),
  platform: enumOf(APP_PLATFORMS, 'Platform of the app.'),
  appGroup: nullable(nonEmpty('Label shared by apps of one product; null if none.', 100)),
  iconUrl: nullable(text('URL of the icon; null if none.', 2048)),
  liveVersion: nullable(
    nonEmpty('Highest version that was released to users and is not halted; null if none.', 64)
  ),
  release: nullable(
    described(
      'The active release of the train, else the next one, else the newest completed one; null if none.',
      ReleaseInOverview
    )
  ),
  alsoActive: list(
    'Other active releases, lowest version first.',
    object('Summary of a release.', {
      id: releaseId(),
      version: nonEmpty('Version of the release.', 64),
      releaseType: described('Type of the release.', OwnRelease.properties.releaseType),
      phase: described('Current phase of the release.', ReleaseTimelinePhaseSchema),
    }),
    10_000
  ),
})
export type AppInOverview = Static<typeof AppInOverview>

export const OverviewPage = pageOf(AppInOverview)
