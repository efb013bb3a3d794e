import type { CIBuildEntity } from '#builds/entities'
import type { Actor } from '#foundation/core/principal'
import {
  flag,
  instant,
  json,
  optional,
  table,
  text,
  integer,
} from '#foundation/core/database/table'
import type { BucketRetention, BucketRule } from './settings.js'
import type { ArchiveContents, ArchiveMetadata } from '#app-archives/metadata'
import type {
  BucketStatus,
  BucketType,
  BuildSource,
  BuildStatus,
  FileKind,
  MetadataStatus,
  PermissionLevel,
} from './vocabulary.js'

/** A group or a user, by id: names may change. */
export interface BucketMemberRow {
  type: 'group' | 'user'
  id: string
  permissionLevel: PermissionLevel
}

/** A rule as it is stored, with the id that clients see. */
export interface BucketRuleRow extends BucketRule {
  id: string
}

/** Collections of builds for testers. */
export const buckets = table('buckets', {
  id: text(),
  organizationId: text(),
  appId: text(),
  name: text(),
  type: text<BucketType>(),
  status: text<BucketStatus>(),
  orgWideAccessEnabled: flag(),
  notificationsEnabled: flag(),
  publicLinkEnabled: flag(),
  position: integer(),
  members: json<BucketMemberRow[]>(),
  rules: json<BucketRuleRow[]>(),
  /** Null if all builds are kept. */
  retention: optional(json<BucketRetention>()),
  /** Number of its builds. */
  buildCount: integer(),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Builds in a bucket. */
export const distributionBuilds = table('distribution_builds', {
  id: text(),
  organizationId: text(),
  appId: text(),
  bucketId: text(),
  status: text<BuildStatus>(),
  testerNotes: optional(text()),
  /** For an upload: the CI build it comes from, as the uploader described it. */
  ciBuild: optional(json<CIBuildEntity>()),
  /** For a build that a rule added: the id of its CI build, which has the current data. */
  ciBuildId: optional(text()),
  /** The branch of the CI build, for filters. */
  branch: optional(text()),
  version: optional(text()),
  buildNumber: optional(text()),
  source: text<BuildSource>(),
  createdBy: json<Actor>(),
  expiresAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** The artifact of a build, its icon, and files attached to it. */
export const distributionFiles = table('distribution_files', {
  id: text(),
  organizationId: text(),
  buildId: text(),
  kind: text<FileKind>(),
  fileName: text(),
  contentType: text(),
  /** In bytes. */
  size: integer(),
  /** In hexadecimal digits. */
  sha256: text(),
  /** Null before the file is stored, and after an expired build has released it. */
  fileId: optional(text()),
  createdAt: instant(),
})

/** The CI builds that rules added to buckets; kept after the build is deleted from its bucket. */
export const bucketLandings = table('bucket_landings', {
  bucketId: text(),
  ciBuildId: text(),
  organizationId: text(),
  landedAt: instant(),
})

/** The data read from the artifacts of builds; it outlives the file. */
export const buildReadings = table('build_readings', {
  buildId: text(),
  organizationId: text(),
  status: text<MetadataStatus>(),
  /** Why it could not be read. */
  failure: optional(text()),
  metadata: optional(json<ArchiveMetadata>()),
  /** Null also for files that older versions of the service read. */
  contents: optional(json<ArchiveContents>()),
  /** The time at which reading succeeded or failed. */
  readAt: optional(instant()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    buckets: typeof buckets
    distribution_builds: typeof distributionBuilds
    distribution_files: typeof distributionFiles
    bucket_landings: typeof bucketLandings
    build_readings: typeof buildReadings
  }
}
