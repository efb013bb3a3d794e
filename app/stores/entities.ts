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
  words,
} from '#foundation/core/schemas'
import { LONGEST } from './derive/seen.js'

const ApplePhasedRelease = entity('ApplePhasedRelease', 'A phased release of Apple.', {
  state: words(['INACTIVE', 'ACTIVE', 'PAUSED', 'COMPLETE'], 'State, in the words of the store.'),
  currentDayNumber: nullable(
    Type.Integer({
      description: 'Day of the ladder; null before it begins.',
      minimum: 1,
      maximum: 7,
    })
  ),
  percentage: percentage(
    'Share of users it is offered to by itself: 1, 2, 5, 10, 20, 50 or 100 %.'
  ),
  startDate: nullable(instant('When it began, in UTC; null before.')),
  totalPauseDuration: count('Days it has been paused, of 30 allowed.'),
})

const AppleAppStoreData = entity('AppleAppStoreData', 'What Apple says of a version.', {
  appStoreState: nonEmpty('State of the version, in the words of the store.', 64),
  releaseType: words(
    ['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'],
    'How it goes to users once approved: by hand, at once, or not before a time.'
  ),
  earliestReleaseDate: nullable(instant('Not before this time, in UTC; null unless `SCHEDULED`.')),
  buildNumber: nullable(nonEmpty('Build number of its build; null until one is chosen.', 64)),
  phasedRelease: nullable(described('Its phased release; null without one.', ApplePhasedRelease)),
})

const GooglePlayVersionState = entity(
  'GooglePlayVersionState',
  'A release on a track of Google Play.',
  {
    status: nonEmpty('Status of the release on its track, in the words of the store.', 64),
    versionCodes: list('Version codes it holds.', nonEmpty('A version code.', 20), 100),
    releaseName: nullable(text('Its name in the store; null without one.', 200)),
  }
)

const GoogleStagedRollout = entity('GoogleStagedRollout', 'A staged rollout of Google Play.', {
  status: words(['inProgress', 'halted', 'completed'], 'Status, in the words of the store.'),
  userFraction: nullable(
    Type.Number({
      description: 'Fraction of users, 0 to 1; null once completed.',
      minimum: 0,
      maximum: 1,
    })
  ),
  percentage: percentage('The same in percent.'),
})

const GooglePlayStoreData = entity('GooglePlayStoreData', 'What Google Play says of a version.', {
  track: nonEmpty('Track it is on, such as `production`.', 100),
  versionState: described('The release on that track.', GooglePlayVersionState),
  stagedRollout: nullable(described('Its staged rollout; null without one.', GoogleStagedRollout)),
  inAppUpdatePriority: nullable(
    Type.Integer({
      description: 'How urgently apps should update, 0 to 5; null if none was given.',
      minimum: 0,
      maximum: 5,
    })
  ),
  reviewStatus: words(
    ['notSubmitted', 'inReview', 'approved', 'rejected'],
    'How far the review of the store is.'
  ),
})

export const AppStoreDataType = named('AppStoreDataType', {
  ...words(['apple', 'google']),
  description: 'Whose store it is.',
})

/** The data of a version in a store. */
export const AppStoreVersionData = entity(
  'AppStoreVersionData',
  'What a store says of a version.',
  {
    type: described('Whose store it is: which of `apple` and `google` is there.', AppStoreDataType),
    version: nonEmpty('Version as the store has it.', 64),
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    apple: Type.Optional(
      nullable(described('What Apple says; absent or null for other stores.', AppleAppStoreData))
    ),
    google: Type.Optional(
      nullable(
        described('What Google Play says; absent or null for other stores.', GooglePlayStoreData)
      )
    ),
    rejection: nullable(
      object('Why it was rejected; null if it was not, or the store says why in its console.', {
        reason: nonEmpty('In short, as the store says it.', LONGEST.reason),
        details: nullable(nonEmpty('All else that it says; null without any.', LONGEST.details)),
      })
    ),
    updatedAt: instant('When the store was last read, in UTC.'),
  }
)

export const StoreReleaseStepData = entity(
  'StoreReleaseStepData',
  'Data of a step that happens in a store: submission, review, release or rollout.',
  {
    appStoreVersion: nullable(
      described('The version in the store; null until it is known there.', AppStoreVersionData)
    ),
    selectedBuild: nullable(
      described('The build that ships; null until one is chosen.', AppStoreBuildEntity)
    ),
  }
)

/** A phased or staged rollout, in terms that fit every store. */
export const PhasedReleaseData = entity(
  'PhasedReleaseData',
  'A phased or staged rollout in the words of no store.',
  {
    enabled: flag('Whether the version goes out in phases or stages.'),
    status: words(
      ['notStarted', 'active', 'paused', 'halted', 'completed', 'replaced'],
      'How far the rollout is; `replaced` where a higher version took its place below 100 %.'
    ),
    replacedBy: Type.Optional(
      nullable(
        nonEmpty(
          'The version that took its place; null if nobody knows, absent unless `replaced`.',
          64
        )
      )
    ),
    percentage: percentage(
      'Share of the users who can have the version, in percent; of a replaced one, who could.'
    ),
    day: nullable(
      Type.Integer({
        description: 'Day of a phased release of Apple; null if no days are counted.',
        minimum: 1,
        maximum: 7,
      })
    ),
    startedAt: nullable(instant('When it began, in UTC; null before.')),
    automated: flag('Whether the service raises the percentage itself.'),
  }
)

const counts = {
  total: count('How many there were.'),
  bad: count('How many of them went wrong.'),
}

/** The measurements of a version by a monitoring service. */
export const MonitoringStatisticEntity = entity(
  'MonitoringStatisticEntity',
  'What a monitoring service measured of a version.',
  {
    metric: nonEmpty('Name of what is measured, such as `crashFreeSessions`.', 100),
    value: nullable(Type.Number({ description: 'In percent for shares; null without data.' })),
    previousValue: nullable(
      Type.Number({ description: 'Of the version before; null without data.' })
    ),
    delta: nullable(
      Type.Number({ description: '`value` less `previousValue`; null if one is missing.' })
    ),
    threshold: nullable(
      object('When it counts as healthy; null if nobody said.', {
        operator: nonEmpty('How the value is compared, such as `>=`.', 2),
        value: Type.Number({ description: 'What it is compared with.' }),
      })
    ),
    healthy: nullable(flag('Whether the threshold is met; null without one or a value.')),
    buildNumber: nullable(nonEmpty('Build it was measured of; null for all.', 64)),
    environment: nullable(nonEmpty('Environment it was measured in; null if none is stated.', 200)),
    measuredAt: instant('When it was asked for, in UTC.'),
    late: nullable(
      object('How late the data is; null if it reaches to about `measuredAt`.', {
        until: instant('To when it reaches, in UTC.'),
        message: nonEmpty('The same for people.', 1000),
      })
    ),
    verdict: words(
      ['healthy', 'unhealthy', 'notEnoughData'],
      'What the numbers prove; not enough data is never healthy.'
    ),
    sample: object('What `value` is of.', counts),
    designEffect: nullable(
      object('What counts are divided by, as those of one user belong together; null for none.', {
        value: Type.Number({ description: '1 for counts that are independent.', minimum: 1 }),
        estimated: flag('Whether it was found in the daily figures of the version before.'),
      })
    ),
    greatestDrop: nullable(
      Type.Number({
        description:
          'Percentage points that the version surely did not drop by more than; null without data.',
      })
    ),
    allowedPercentage: nullable(
      Type.Number({
        description: 'Share of users that it may reach by that, in percent; null without data.',
      })
    ),
    previousSample: nullable(
      object('What `previousValue` is of; null without a version before.', counts)
    ),
  }
)

/** A change of a flag during the rollout of a version. */
export const FlagChangeEntity = entity(
  'FlagChangeEntity',
  'What became of a flag of the experimentation service while a version was rolled out.',
  {
    key: nonEmpty('Key by which the code asks for the flag.', 300),
    name: nonEmpty('Name of the flag.', 1000),
    what: words(
      ['switchedOn', 'switchedOff', 'changed', 'added', 'removed'],
      'What became of it; `changed` where it gives something else, or to others.'
    ),
    at: instant('When it was switched here, or seen to be another at its provider, in UTC.'),
    by: nullable(described('Who switched it here; null if its provider has it so.', ActorEntity)),
  }
)

/** The data of runs of rollout steps. */
export const RolloutStepRunData = entity(
  'RolloutStepRunData',
  'What a run of a rollout step holds.',
  {
    phased: described('How far the rollout is.', PhasedReleaseData),
    adoption: nullable(
      percentage('Share of the users who have the version, in percent; null without data.')
    ),
    health: list(
      'How the version does; empty without a monitoring service.',
      MonitoringStatisticEntity,
      1000
    ),
    flagChanges: list(
      'Flags that changed meanwhile, newest first: they may be why the numbers did.',
      FlagChangeEntity,
      200
    ),
  }
)

/** The data of runs of submission steps. */
export const SubmissionStepRunData = entity(
  'SubmissionStepRunData',
  'What a run of a submission step holds.',
  {
    selectedBuilds: list(
      'The builds to submit, one per destination; empty while none is chosen.',
      AppStoreBuildEntity,
      100
    ),
    submittedAt: nullable(instant('When it was submitted, in UTC; null before.')),
    submissionId: nullable(nonEmpty('Id the store gave the submission; null before.', 200)),
  }
)
