import { appExtensions } from '#apps/extensions'
import type { Module } from '#foundation/api/module'
import { integrationObservers } from '#integrations/callbacks/observers'
import { releaseExtensions } from '#releases/extensions'
import { codePort } from '#releases/ports'
import { observer, readTags } from './backfill/read_tags.js'
import { cutBranch } from './branches/cut_branch.js'
import { requestBranch } from './branches/request_branch.js'
import { mergeBack } from './commits/back_merge.js'
import { bumpVersion } from './commits/bump_version.js'
import { requestKickoffOptions } from './commits/kickoff_options.js'
import { mergePull } from './commits/merge_pull.js'
import { pickCommit } from './commits/pick_commits.js'
import { publishNotes } from './commits/publish_notes.js'
import { tagRelease } from './commits/tag_release.js'
import { versionControlAppExtension, versionControlExtension } from './extensions.js'
import { findRepository } from './repository/app_repository.js'
import { operations } from './routes.js'

/** Branches, tags, cherry-picks and version files of releases in the repositories of apps. */
export const versionControl: Module = {
  name: 'version_control',
  operations,
  work: [
    cutBranch,
    pickCommit,
    bumpVersion,
    tagRelease,
    publishNotes,
    mergeBack,
    mergePull,
    readTags,
  ],
  extensions: [
    codePort.provide({
      isKnown: async (scope, appId) => (await findRepository(scope, appId)) !== null,
      requestBranch,
      requestKickoffOptions,
    }),
    appExtensions.extend(versionControlAppExtension),
    releaseExtensions.extend(versionControlExtension),
    integrationObservers.extend(observer),
  ],
}
