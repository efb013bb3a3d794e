import type { Static } from '@sinclair/typebox'
import {
  entity,
  flag,
  described,
  id,
  instant,
  nonEmpty,
  nullable,
  object,
  email,
  text,
  url,
} from '#foundation/core/schemas'
import { BuildDistroBuildEntity } from '../entities.js'

export const BuildDownloadEntity = entity(
  'BuildDownload',
  'A download of a build through an install link or with an API key.',
  {
    id: id('Id of the download.'),
    buildDistroBuildId: id('Id of the build.'),
    version: nullable(nonEmpty('Version of the build; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number of the build; null if unknown.', 64)),
    tester: nullable(
      object('The tester; null for a public link or an API key.', {
        id: id('Id of the user.'),
        email: email('E-mail address of the user.'),
        name: nullable(nonEmpty('Name of the user; null if unknown.', 200)),
      })
    ),
    installLinkId: nullable(
      id('Id of the link, which may have been deleted since; null for a download with a key.')
    ),
    apiKey: nullable(
      object('API key that was used; null for a download through a link.', {
        id: id('Id of the key.'),
        name: nonEmpty('Name of the key.', 100),
      })
    ),
    device: nullable(text('Device, as it identifies itself; null if unknown.', 200)),
    downloadedAt: instant('When the download began, in UTC.'),
  }
)
export type BuildDownloadEntity = Static<typeof BuildDownloadEntity>

const updateAvailable = flag(
  'Whether that build is newer than the given one; true if none was given.'
)

export const LatestBuildEntity = entity('LatestBuild', 'The newest build of a bucket.', {
  updateAvailable,
  build: described('The build.', BuildDistroBuildEntity),
})
export type LatestBuildEntity = Static<typeof LatestBuildEntity>

export const AppUpdateEntity = entity(
  'AppUpdate',
  'Response to an app that checks for a newer build.',
  {
    updateAvailable,
    version: nullable(nonEmpty('Version of the newest build; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number of the newest build; null if unknown.', 64)),
    testerNotes: nullable(text('Notes for testers; null if there are none.', 10_000)),
    createdAt: instant('When the newest build was added to the bucket, in UTC.'),
    url: url('URL of the page that installs it.'),
  }
)
export type AppUpdateEntity = Static<typeof AppUpdateEntity>
