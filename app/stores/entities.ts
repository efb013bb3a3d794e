import { Type } from '@sinclair/typebox'
import { AppStoreBuildEntity } from '#builds/entities'
import { instant, named, nullable, words } from '#foundation/core/schemas'

export const ApplePhasedRelease = named(
  'ApplePhasedRelease',
  Type.Object({
    state: words(['INACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETE']),
    currentDayNumber: nullable(Type.Integer({ minimum: 1, maximum: 7 })),
    percentage: Type.Number({ minimum: 0, maximum: 100 }),
    startDate: nullable(instant()),
    totalPauseDuration: Type.Integer({ minimum: 0, description: 'Days.' }),
  })
)

export const AppleAppStoreData = named(
  'AppleAppStoreData',
  Type.Object({
    appStoreState: Type.String(),
    releaseType: words(['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED']),
    earliestReleaseDate: nullable(instant()),
    buildNumber: nullable(Type.String()),
    phasedRelease: nullable(ApplePhasedRelease),
  })
)

export const GooglePlayStoreData = named(
  'GooglePlayStoreData',
  Type.Object({
    track: Type.String(),
    versionState: named(
      'GooglePlayVersionState',
      Type.Object({
        status: Type.String(),
        versionCodes: Type.Array(Type.String()),
        releaseName: nullable(Type.String()),
      })
    ),
    stagedRollout: nullable(
      named(
        'GoogleStagedRollout',
        Type.Object({
          status: words(['inProgress', 'halted', 'completed']),
          userFraction: nullable(Type.Number({ minimum: 0, maximum: 1 })),
          percentage: Type.Number({ minimum: 0, maximum: 100 }),
        })
      )
    ),
    inAppUpdatePriority: nullable(Type.Integer({ minimum: 0, maximum: 5 })),
    reviewStatus: words(['notSubmitted', 'inReview', 'approved', 'rejected']),
  })
)

/** What a store says of a version. */
export const AppStoreVersionData = named(
  'AppStoreVersionData',
  Type.Object({
    type: named('AppStoreDataType', words(['apple', 'google'])),
    version: Type.String(),
    destinationId: nullable(Type.String()),
    apple: Type.Optional(nullable(AppleAppStoreData)),
    google: Type.Optional(nullable(GooglePlayStoreData)),
    updatedAt: instant(),
  })
)

export const StoreReleaseStepData = named(
  'StoreReleaseStepData',
  Type.Object({
    appStoreVersion: nullable(AppStoreVersionData),
    selectedBuild: nullable(AppStoreBuildEntity),
  })
)

/** A phased or staged rollout in the words of no store. */
export const PhasedReleaseData = named(
  'PhasedReleaseData',
  Type.Object({
    enabled: Type.Boolean({ description: 'Whether the version goes out in phases or stages.' }),
    status: words(['notStarted', 'active', 'paused', 'halted', 'completed']),
    percentage: Type.Number({
      minimum: 0,
      maximum: 100,
      description: 'Share of the users who can have the version, in percent.',
    }),
    day: nullable(
      Type.Integer({
        minimum: 1,
        maximum: 7,
        description: 'Day of a phased release of Apple; null where no days are counted.',
      })
    ),
    startedAt: nullable(instant({ description: 'When it began; null before.' })),
    automated: Type.Boolean({ description: 'Whether the service raises the percentage itself.' }),
  })
)

/** What a monitoring service measured of a version. */
export const MonitoringStatisticEntity = named(
  'MonitoringStatisticEntity',
  Type.Object({
    metric: Type.String({ description: 'Name of what is measured, such as `crashFreeSessions`.' }),
    value: nullable(Type.Number({ description: 'In percent for shares; null without data.' })),
    previousValue: nullable(
      Type.Number({ description: 'Of the version before; null without data.' })
    ),
    delta: nullable(
      Type.Number({ description: '`value` less `previousValue`; null where one is missing.' })
    ),
    threshold: nullable(
      Type.Object(
        {
          operator: Type.String({ description: 'How the value is compared, such as `>=`.' }),
          value: Type.Number({ description: 'What it is compared with.' }),
        },
        { description: 'When it counts as healthy; null where nobody said.' }
      )
    ),
    healthy: nullable(
      Type.Boolean({ description: 'Whether the threshold is met; null without one or a value.' })
    ),
    buildNumber: nullable(Type.String({ description: 'Build it was measured of; null for all.' })),
    environment: nullable(
      Type.String({ description: 'Environment it was measured in; null where none is told.' })
    ),
    measuredAt: instant({ description: 'When it was asked for.' }),
  })
)

/** Of runs of rollout steps. */
export const RolloutStepRunData = named(
  'RolloutStepRunData',
  Type.Object({
    phased: PhasedReleaseData,
    adoption: nullable(
      Type.Number({
        minimum: 0,
        maximum: 100,
        description: 'Share of the users who have the version, in percent; null without data.',
      })
    ),
    health: Type.Array(MonitoringStatisticEntity, {
      description: 'How the version does; empty without a monitoring service.',
    }),
  })
)

/** Of runs of submission steps. */
export const SubmissionStepRunData = named(
  'SubmissionStepRunData',
  Type.Object({
    selectedBuilds: Type.Array(AppStoreBuildEntity, {
      description: 'The builds to submit, one per destination; empty while none is chosen.',
    }),
    submittedAt: nullable(instant({ description: 'When it was submitted; null before.' })),
    submissionId: nullable(
      Type.String({ description: 'Id the store gave the submission; null before.' })
    ),
  })
)
