import { Type } from '@sinclair/typebox'
import { AppStoreBuildEntity } from '#builds/entities'
import {
  ActorEntity,
  count,
  described,
  entity,
  flag,
  id,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  enumOf,
} from '#foundation/core/schemas'
import { MAX_REJECTION_LENGTHS } from './derive/seen.js'

const ApplePhasedRelease = entity('ApplePhasedRelease', 'A phased release in the App Store.', {
  state: enumOf(['INACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETE'], 'State as reported by the store.'),
  currentDayNumber: nullable(
    Type.Integer({
      description: 'Day of the phased release; null before it begins.',
      minimum: 1,
      maximum: 7,
    })
  ),
  percentage: percentage(
    'Share of users offered the automatic update: 1, 2, 5, 10, 20, 50 or 100 %.'
  ),
  startDate: nullable(instant('When the rollout began, in UTC; null until then.')),
  totalPauseDuration: count('Days paused so far, out of 30 allowed.'),
})

const AppleAppStoreData = entity('AppleAppStoreData', 'A version as reported by Apple.', {
  appStoreState: nonEmpty('State of the version as reported by the store.', 64),
  releaseType: enumOf(
    ['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'],
    'Release method after approval: manual, immediate, or not before a set time.'
  ),
  earliestReleaseDate: nullable(instant('Earliest release time, in UTC; null unless `SCHEDULED`.')),
  buildNumber: nullable(nonEmpty('Build number; null until a build is selected.', 64)),
  phasedRelease: nullable(described('Phased release; null if none.', ApplePhasedRelease)),
})

const GooglePlayVersionState = entity(
  'GooglePlayVersionState',
  'A release on a Google Play track.',
  {
    status: nonEmpty('Status of the release on its track, as reported by the store.', 64),
    versionCodes: list('Version codes in the release.', nonEmpty('A version code.', 20), 100),
    releaseName: nullable(text('Name in the store; null if none.', 200)),
  }
)

const GoogleStagedRollout = entity('GoogleStagedRollout', 'A Google Play staged rollout.', {
  status: enumOf(['inProgress', 'halted', 'completed'], 'Status as reported by the store.'),
  userFraction: nullable(
    Type.Number({
      description: 'Fraction of users, 0 to 1; null once completed.',
      minimum: 0,
      maximum: 1,
    })
  ),
  percentage: percentage('Share of users, in percent.'),
})

const GooglePlayStoreData = entity('GooglePlayStoreData', 'A version as reported by Google Play.', {
  track: nonEmpty('Track, such as `production`.', 100),
  versionState: described('The release on that track.', GooglePlayVersionState),
  stagedRollout: nullable(described('Staged rollout; null if none.', GoogleStagedRollout)),
  inAppUpdatePriority: nullable(
    Type.Integer({
      description: 'Update urgency, 0 to 5; null if not set.',
      minimum: 0,
      maximum: 5,
    })
  ),
  reviewStatus: enumOf(
    ['notSubmitted', 'inReview', 'approved', 'rejected'],
    'Status of the store’s review.'
  ),
})

export const AppStoreDataType = named('AppStoreDataType', {
  ...enumOf(['apple', 'google']),
  description: 'Vendor of the store.',
})

/** The data of a version in a store. */
export const AppStoreVersionData = entity(
  'AppStoreVersionData',
  'A version as reported by a store.',
  {
    type: described('Vendor of the store; `apple` or `google` has its data.', AppStoreDataType),
    version: nonEmpty('Version as the store spells it.', 64),
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    apple: Type.Optional(
      nullable(described('Data from Apple; absent or null for other stores.', AppleAppStoreData))
    ),
    google: Type.Optional(
      nullable(
        described('Data from Google Play; absent or null for other stores.', GooglePlayStoreData)
      )
    ),
    rejection: nullable(
      object(
        'Reason for the rejection; null if not rejected, or if only the store’s console has it.',
        {
          reason: nonEmpty('Short reason given by the store.', MAX_REJECTION_LENGTHS.reason),
          details: nullable(
            nonEmpty('Further details from the store; null if none.', MAX_REJECTION_LENGTHS.details)
          ),
        }
      )
    ),
    updatedAt: instant('When the store was last read, in UTC.'),
  }
)

export const StoreReleaseStepData = entity(
  'StoreReleaseStepData',
  'Data of a step that happens in a store: submission, review, release or rollout.',
  {
    appStoreVersion: nullable(
      described('Version in the store; null until the store has it.', AppStoreVersionData)
    ),
    selectedBuild: nullable(
      described('Build to ship; null until one is selected.', AppStoreBuildEntity)
    ),
  }
)

/** A phased or staged rollout, in terms that fit every store. */
export const PhasedReleaseData = entity(
  'PhasedReleaseData',
  'A phased or staged rollout in store-neutral terms.',
  {
    enabled: flag('Whether the version is rolled out in phases or stages.'),
    status: enumOf(
      ['notStarted', 'active', 'paused', 'halted', 'completed', 'replaced'],
      'Status of the rollout; `replaced` if a higher version superseded it below 100 %.'
    ),
    replacedBy: Type.Optional(
      nullable(
        nonEmpty('Version that superseded it; null if unknown, absent unless `replaced`.', 64)
      )
    ),
    percentage: percentage(
      'Share of users offered the version, in percent; for a replaced one, its last share.'
    ),
    day: nullable(
      Type.Integer({
        description: 'Day of an App Store phased release; null if none is counted.',
        minimum: 1,
        maximum: 7,
      })
    ),
    startedAt: nullable(instant('When the rollout began, in UTC; null until then.')),
    automated: flag('Whether the service raises the percentage itself.'),
  }
)

const counts = {
  total: count('Number of cases counted.'),
  bad: count('Number of failed cases.'),
}

/** The measurements of a version by a monitoring service. */
export const MonitoringStatisticEntity = entity(
  'MonitoringStatisticEntity',
  'A measurement of a version by a monitoring service.',
  {
    metric: nonEmpty('Name of the metric, such as `crashFreeSessions`.', 100),
    value: nullable(
      Type.Number({ description: 'Measured value, in percent for shares; null without data.' })
    ),
    previousValue: nullable(
      Type.Number({ description: 'Value of the previous version; null without data.' })
    ),
    delta: nullable(
      Type.Number({ description: '`value` minus `previousValue`; null if either is missing.' })
    ),
    threshold: nullable(
      object('Condition for a healthy value; null if none.', {
        operator: nonEmpty('Comparison operator, such as `>=`.', 2),
        value: Type.Number({ description: 'Value to compare with.' }),
      })
    ),
    healthy: nullable(flag('Whether `verdict` is `healthy`; null if `notEnoughData`.')),
    buildNumber: nullable(nonEmpty('Build that was measured; null for all.', 64)),
    environment: nullable(nonEmpty('Environment of the measurement; null if not stated.', 200)),
    measuredAt: instant('When the data was requested, in UTC.'),
    late: nullable(
      object('Delay of the data; null if it extends to about `measuredAt`.', {
        until: instant('End of the data, in UTC.'),
        message: nonEmpty('Human-readable message.', 1000),
      })
    ),
    verdict: enumOf(
      ['healthy', 'unhealthy', 'notEnoughData'],
      'Verdict on the numbers; too little data never counts as healthy.'
    ),
    sample: object('Sample behind `value`.', counts),
    designEffect: nullable(
      object('Divisor of the counts, as cases of one user are correlated; null if none.', {
        value: Type.Number({ description: '1 if the counts are independent.', minimum: 1 }),
        estimated: flag('Whether it was estimated from the daily figures of the previous version.'),
      })
    ),
    greatestDrop: nullable(
      Type.Number({
        description: 'Upper confidence bound of the drop, in percentage points; null without data.',
      })
    ),
    allowedPercentage: nullable(
      Type.Number({
        description: 'Greatest share of users that this permits, in percent; null without data.',
      })
    ),
    previousSample: nullable(
      object('Sample behind `previousValue`; null without a previous version.', counts)
    ),
  }
)

/** A change of a flag during the rollout of a version. */
export const FlagChangeEntity = entity(
  'FlagChangeEntity',
  'A change of an experimentation-service flag during the rollout of a version.',
  {
    key: nonEmpty('Key of the flag in code.', 300),
    name: nonEmpty('Name of the flag.', 1000),
    what: enumOf(
      ['switchedOn', 'switchedOff', 'changed', 'added', 'removed'],
      'Kind of change; `changed` if its value or audience is different.'
    ),
    at: instant('When it was switched in Tarmac, or seen changed at its provider, in UTC.'),
    by: nullable(
      described('Who switched it in Tarmac; null if it changed at its provider.', ActorEntity)
    ),
  }
)

/** The data of runs of rollout steps. */
export const RolloutStepRunData = entity('RolloutStepRunData', 'Data of a run of a rollout step.', {
  phased: described('Status of the rollout.', PhasedReleaseData),
  adoption: nullable(
    percentage('Share of users who have the version, in percent; null without data.')
  ),
  health: list(
    'Health of the version; empty without a monitoring service.',
    MonitoringStatisticEntity,
    1000
  ),
  flagChanges: list(
    'Flags changed during the rollout, newest first; they may explain the numbers.',
    FlagChangeEntity,
    200
  ),
})

/** The data of runs of submission steps. */
export const SubmissionStepRunData = entity(
  'SubmissionStepRunData',
  'Data of a run of a submission step.',
  {
    selectedBuilds: list(
      'Builds to submit, one per destination; empty while none is selected.',
      AppStoreBuildEntity,
      100
    ),
    submittedAt: nullable(instant('When the release was submitted, in UTC; null until then.')),
    submissionId: nullable(
      nonEmpty('Id of the submission in the store; null until it has one.', 200)
    ),
  }
)
