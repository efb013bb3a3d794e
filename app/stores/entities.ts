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
