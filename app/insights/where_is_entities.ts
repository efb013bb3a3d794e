import { Type, type Static } from '@sinclair/typebox'
import { APP_PLATFORMS } from '#apps/vocabulary'
import {
  described,
  entity,
  id,
  instant,
  list,
  nonEmpty,
  nullable,
  object,
  percentage,
  text,
  url,
  words,
} from '#foundation/core/schemas'
import { ReleaseStatusSchema } from '#releases/entities'
import { RELEASE_PHASES } from '#releases/vocabulary'

const ReleaseWithChange = entity('ReleaseWithChange', 'A release that has a change.', {
  releaseId: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
  version: nonEmpty('Version of the release.', 32),
  status: described('Status of the release.', ReleaseStatusSchema),
  phase: words(RELEASE_PHASES, 'How far the release has come.'),
  how: words(
    ['brought', 'before'],
    'Whether the change came with this release, or an earlier one brought it.'
  ),
  kickedOffAt: nullable(instant('When its branch was cut, in UTC; null before.')),
  releasedAt: nullable(instant('Since when users get it, in UTC; null before.')),
})

const BuildWithChange = entity('BuildWithChange', 'A build that was made with a change.', {
  id: id('Id of the CI build; of one that was uploaded into a bucket, as its entity there has it.'),
  buildIdentifier: nonEmpty('Number or id of the build in the CI system.', 200),
  releaseId: nullable(
    nonEmpty('Id of its release, `<appId>:<version>`; null for a build of a working branch.', 240)
  ),
  branch: nonEmpty('Branch that was built.', 256),
  commitHash: nonEmpty('Commit that was built.', 64),
  buildStatus: nonEmpty('What the build has come to.', 32),
  createdAt: instant('Since when it is known, in UTC.'),
  buckets: list(
    'Buckets that testers get it from now, of those the key may see.',
    object('A bucket.', {
      id: id('Id of the bucket.'),
      name: nonEmpty('Name of the bucket.', 200),
      since: instant('Since when it has the build, in UTC.'),
    }),
    200
  ),
})

const ShareWithChange = object('What share of users has the change now.', {
  stores: list(
    'By store: how many of its users are offered a version that has it.',
    object('A store.', {
      destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
      storeType: nullable(nonEmpty('Kind of the store; null if the app names none.', 32)),
      offered: percentage('Share of users, by how far rollouts have come.'),
    }),
    100
  ),
  adopted: nullable(
    percentage(
      'Share of what guards of rollouts counted in the last day, such as sessions, that came of versions with it; null if nothing was counted.'
    )
  ),
  since: nullable(instant('Since when any user has it, in UTC; null while nobody has.')),
})

const AppWithChange = entity('AppWithChange', 'Where a change is in one app.', {
  appId: nonEmpty('Id of the app.', 200),
  platform: words(APP_PLATFORMS, 'The platform it runs on.'),
  commits: list(
    'The commits that are the change, as far as they were seen.',
    object('A commit.', {
      hash: nonEmpty('Hash of the commit.', 64),
      message: text('Message of the commit.', 10_000),
      author: text('Author of the commit.', 320),
      committedAt: instant('When it was committed, in UTC.'),
    }),
    200
  ),
  pullRequests: list(
    'The pull requests that they say they came by.',
    object('A pull request.', {
      number: Type.Integer({ description: 'Number in its repository.', minimum: 1 }),
      title: nullable(text('Title of the pull request; null if its host reports none.', 1000)),
      url: nullable(url('Address of the pull request; null if its host reports none.')),
      author: nullable(text('Author, as the host names them; null if it reports none.', 320)),
      mergedAt: nullable(instant('When it was merged, in UTC; null if the host reports nothing.')),
    }),
    200
  ),
  releases: list('Releases that have it, the newest version first.', ReleaseWithChange, 10_000),
  builds: list(
    'Builds that were made with it, of releases and working branches, the newest first.',
    BuildWithChange,
    400
  ),
  share: ShareWithChange,
})

export const WhereIsEntity = entity('WhereIsEntity', 'Where a change is.', {
  commit: nullable(nonEmpty('The commit that was asked for; null for another.', 64)),
  pullRequest: nullable(
    Type.Integer({
      description: 'The pull request that was asked for; null for another.',
      minimum: 1,
    })
  ),
  ticket: nullable(nonEmpty('The ticket that was asked for; null for another.', 200)),
  apps: list(
    'The app, and the others of its group that the asker sees and that have seen the change.',
    AppWithChange,
    200
  ),
})
export type WhereIsEntity = Static<typeof WhereIsEntity>
