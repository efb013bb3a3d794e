import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'
import type { Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import type { CIBuildStatus, CiFileKind } from './vocabulary.js'

/** Builds of CI systems, as uploads and polls of the provider report them. */
export const ciBuilds = table('ci_builds', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Null once the app no longer uses the integration. */
  installationId: optional(text()),
  /** The CI system, one of `CIIntegrationId`. */
  integrationId: text(),
  buildIdentifier: text(),
  /** True for a requested build until the CI system reports its own identifier. */
  isRequested: flag(),
  status: text<CIBuildStatus>(),
  branch: text(),
  /** Target branch of the pull request that was built; null for a build of a branch. */
  baseBranch: optional(text()),
  commitHash: text(),
  commitMessage: optional(text()),
  commitAuthor: optional(text()),
  commitUrl: optional(text()),
  url: optional(text()),
  workflowId: text(),
  workflowName: text(),
  startedAt: instant(),
  finishedAt: optional(instant()),
  /** In normal form. */
  version: optional(text()),
  /** Internal id. */
  releaseId: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The provider's identifiers of a file. */
export interface ArtifactSource {
  runId: string
  artifactId: string
}

interface NotedSource extends ArtifactSource {
  /** When the file was reported. It is fetched once per report. */
  notedAt: Instant
}

/** Files of CI builds. */
export const ciBuildFiles = table('ci_build_files', {
  id: text(),
  organizationId: text(),
  buildId: text(),
  kind: text<CiFileKind>(),
  fileName: text(),
  contentType: text(),
  /** In bytes; null if CI does not report it. */
  size: optional(integer()),
  /** In hexadecimal digits; null until the file is stored. */
  sha256: optional(text()),
  /** Null until the file is stored, and after it is deleted. */
  fileId: optional(text()),
  /** Null if the provider has none, or once the file is no longer needed. */
  source: optional(json<NotedSource>()),
  /** Why the file could not be fetched from the provider. */
  failure: optional(text()),
  createdAt: instant(),
})

/** The active build of a release: the newest of the candidate workflow, or one chosen by hand. */
export const releaseCandidates = table('release_candidates', {
  releaseId: text(),
  organizationId: text(),
  ciBuildId: text(),
  /** The newest successful build of that workflow; null until one has succeeded. */
  succeededBuildId: optional(text()),
  /** True if a person chose the build. A newer build then does not replace it. */
  byHand: flag(),
  chosenAt: instant(),
})

/** The builds that runs of candidate steps have had. The one that was activated last counts. */
export const runBuilds = table('run_builds', {
  stepRunId: text(),
  ciBuildId: text(),
  organizationId: text(),
  releaseId: text(),
  activeSince: instant(),
})

/** The branches of releases whose builds are polled, with their CI. */
export const releaseBranchWatches = table('release_branch_watches', {
  releaseId: text(),
  organizationId: text(),
  integrationId: text(),
  branch: text(),
})

/** The apps whose CI is polled for awaited builds, with the CI and the start of polling. */
export const appBuildWatches = table('app_build_watches', {
  appId: text(),
  organizationId: text(),
  integrationId: text(),
  since: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    ci_builds: typeof ciBuilds
    ci_build_files: typeof ciBuildFiles
    release_candidates: typeof releaseCandidates
    run_builds: typeof runBuilds
    release_branch_watches: typeof releaseBranchWatches
    app_build_watches: typeof appBuildWatches
  }
}
