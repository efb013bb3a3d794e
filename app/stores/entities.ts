import { Type } from '@sinclair/typebox'
import { AppStoreBuildEntity } from '#builds/entities'
import {
  count,
  entity,
  here,
  id,
  instant,
  list,
  named,
  nonEmpty,
  nullable,
  percentage,
  text,
  words,
} from '#foundation/core/schemas'

export const ApplePhasedRelease = entity('ApplePhasedRelease', 'A phased release of Apple.', {
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

export const AppleAppStoreData = entity('AppleAppStoreData', 'What Apple says of a version.', {
  appStoreState: nonEmpty('State of the version, in the words of the store.', 64),
  releaseType: words(
    ['MANUAL', 'AFTER_APPROVAL', 'SCHEDULED'],
    'How it goes to users once approved: by hand, at once, or not before a time.'
  ),
  earliestReleaseDate: nullable(instant('Not before this time, in UTC; null unless `SCHEDULED`.')),
  buildNumber: nullable(nonEmpty('Build number of its build; null until one is chosen.', 64)),
  phasedRelease: nullable(here('Its phased release; null without one.', ApplePhasedRelease)),
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

export const GooglePlayStoreData = entity(
  'GooglePlayStoreData',
  'What Google Play says of a version.',
  {
    track: nonEmpty('Track it is on, such as `production`.', 100),
    versionState: here('The release on that track.', GooglePlayVersionState),
    stagedRollout: nullable(here('Its staged rollout; null without one.', GoogleStagedRollout)),
    inAppUpdatePriority: nullable(
      Type.Integer({
        description: 'How urgently apps should update, 0 to 5; null where none was given.',
        minimum: 0,
        maximum: 5,
      })
    ),
    reviewStatus: words(
      ['notSubmitted', 'inReview', 'approved', 'rejected'],
      'How far the review of the store is.'
    ),
  }
)

const AppStoreDataType = named('AppStoreDataType', {
  ...words(['apple', 'google']),
  description: 'Whose store it is.',
})

/** What a store says of a version. */
export const AppStoreVersionData = entity(
  'AppStoreVersionData',
  'What a store says of a version.',
  {
    type: here('Whose store it is: which of `apple` and `google` is there.', AppStoreDataType),
    version: nonEmpty('Version as the store has it.', 64),
    destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
    apple: Type.Optional(
      nullable(here('What Apple says; absent or null for other stores.', AppleAppStoreData))
    ),
    google: Type.Optional(
      nullable(here('What Google Play says; absent or null for other stores.', GooglePlayStoreData))
    ),
    updatedAt: instant('When the store was last read, in UTC.'),
  }
)

export const StoreReleaseStepData = entity(
  'StoreReleaseStepData',
  'Data of a step that happens in a store: submission, review, release or rollout.',
  {
    appStoreVersion: nullable(
      here('The version in the store; null until it is known there.', AppStoreVersionData)
    ),
    selectedBuild: nullable(
      here('The build that ships; null until one is chosen.', AppStoreBuildEntity)
    ),
  }
)
