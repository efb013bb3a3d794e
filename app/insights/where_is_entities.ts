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
  enumOf,
} from '#foundation/core/schemas'
import { ReleaseStatusSchema } from '#releases/entities'
import { RELEASE_PHASES } from '#releases/vocabulary'

const ReleaseWithChange = entity('ReleaseWithChange', 'A release that contains the change.', {
  releaseId: nonEmpty('Id of the release, `<appId>:<version>`.', 240),
  version: nonEmpty('Version of the release.', 32),
  status: described('Status of the release.', ReleaseStatusSchema),
  phase: enumOf(RELEASE_PHASES, 'Current phase of the release.'),
  how: enumOf(
    ['introduced', 'before'],
    'Whether this release or an earlier one introduced the change.'
  ),
  kickedOffAt: nullable(instant('When the branch was cut, in UTC; null until then.')),
  releasedAt: nullable(instant('When it was released to users, in UTC; null until then.')),
})

const BuildWithChange = entity('BuildWithChange', 'A build that contains the change.', {
  id: id('Id of the CI build; for one uploaded to a bucket, as in its entity there.'),
  buildIdentifier: nonEmpty('Number or id of the build in the CI system.', 200),
  releaseId: nullable(
    nonEmpty('Id of the release, `<appId>:<version>`; null for a build of a working branch.', 240)
  ),
  branch: nonEmpty('Branch that was built.', 256),
  commitHash: nonEmpty('Commit that was built.', 64),
  buildStatus: nonEmpty('Status of the build.', 32),
  createdAt: instant('When the build became known, in UTC.'),
  buckets: list(
    'Buckets visible to the key that now offer it to testers.',
    object('A bucket.', {
      id: id('Id of the bucket.'),
      name: nonEmpty('Name of the bucket.', 200),
      since: instant('When the bucket got the build, in UTC.'),
    }),
    200
  ),
})

const ShareWithChange = object('Share of users who have the change now.', {
  stores: list(
    'Share of users offered a version with the change, by store.',
    object('A store.', {
      destinationId: nullable(id('Id of the destination; null for the first store of the app.')),
      storeType: nullable(nonEmpty('Kind of store; null if the app names none.', 32)),
      offered: percentage('Share of users, according to rollouts.'),
    }),
    100
  ),
  adopted: nullable(
    percentage(
      'Share of cases, such as sessions, counted by guards in the last day that came from versions with it; null if none were.'
    )
  ),
  since: nullable(instant('When the first users got it, in UTC; null if none has.')),
})

const AppWithChange = entity('AppWithChange', 'Where a change is in one app.', {
  appId: nonEmpty('Id of the app.', 200),
  platform: enumOf(APP_PLATFORMS, 'Platform of the app.'),
  commits: list(
    'Known commits of the change.',
    object('A commit.', {
      hash: nonEmpty('Hash of the commit.', 64),
      message: text('Message of the commit.', 10_000),
      author: text('Author of the commit.', 320),
      committedAt: instant('When it was committed, in UTC.'),
    }),
    200
  ),
  pullRequests: list(
    'Pull requests named by the commits.',
    object('A pull request.', {
      number: Type.Integer({ description: 'Number in the repository.', minimum: 1 }),
      title: nullable(text('Title of the pull request; null if not reported.', 1000)),
      url: nullable(url('URL of the pull request; null if not reported.')),
      author: nullable(text('Author, as named by the host; null if not reported.', 320)),
      mergedAt: nullable(instant('When it was merged, in UTC; null if not reported.')),
    }),
    200
  ),
  releases: list('Releases that contain it, newest version first.', ReleaseWithChange, 10_000),
  builds: list(
    'Builds that contain it, of releases and working branches, newest first.',
    BuildWithChange,
    400
  ),
  share: ShareWithChange,
})

export const WhereIsEntity = entity('WhereIsEntity', 'Where a change is.', {
  commit: nullable(nonEmpty('The requested commit; null if none was.', 64)),
  pullRequest: nullable(
    Type.Integer({
      description: 'The requested pull request; null if none was.',
      minimum: 1,
    })
  ),
  ticket: nullable(nonEmpty('The requested ticket; null if none was.', 200)),
  apps: list(
    'The app and others of its group, as far as they are visible and contain the change.',
    AppWithChange,
    200
  ),
})
export type WhereIsEntity = Static<typeof WhereIsEntity>
