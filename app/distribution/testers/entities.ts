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
  'A download of a build, by an install link or with an API key.',
  {
    id: id('Id of the download.'),
    buildDistroBuildId: id('Id of the build.'),
    version: nullable(nonEmpty('Version of the build; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number; null if the build does not report it.', 64)),
    tester: nullable(
      object('Who it was; null if the link was public, or it was done with a key.', {
        id: id('Id of the user.'),
        email: email('E-mail address of the user.'),
        name: nullable(nonEmpty('Name of the user; null if none is known.', 200)),
      })
    ),
    installLinkId: nullable(
      id('Id of the link, which may be gone since; null for a download with a key.')
    ),
    apiKey: nullable(
      object('The API key it was done with; null for one by a link.', {
        id: id('Id of the key.'),
        name: nonEmpty('Name of the key.', 100),
      })
    ),
    device: nullable(text('What the device says it is; null if unknown.', 200)),
    downloadedAt: instant('When the download began, in UTC.'),
  }
)
export type BuildDownloadEntity = Static<typeof BuildDownloadEntity>

const updateAvailable = flag(
  'Whether that build is newer than the one asked with; true if none was given.'
)

export const LatestBuildEntity = entity('LatestBuild', 'The newest build of a bucket.', {
  updateAvailable,
  build: described('The build.', BuildDistroBuildEntity),
})
export type LatestBuildEntity = Static<typeof LatestBuildEntity>

export const AppUpdateEntity = entity(
  'AppUpdate',
  'The answer to an app that asks whether there is a newer build of it.',
  {
    updateAvailable,
    version: nullable(nonEmpty('Version of the newest build; null if unknown.', 64)),
    buildNumber: nullable(nonEmpty('Build number of the newest build; null if unknown.', 64)),
    testerNotes: nullable(text('What testers should look at; null without notes.', 10_000)),
    createdAt: instant('When the newest build came into the bucket, in UTC.'),
    url: url('Address of the page that installs it.'),
  }
)
export type AppUpdateEntity = Static<typeof AppUpdateEntity>
