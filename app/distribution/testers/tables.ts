import { instant, optional, table, text } from '#foundation/core/database/table'

/** Words that builds are found by. */
export const buildTags = table('build_tags', {
  buildId: text(),
  tag: text(),
  organizationId: text(),
  /** Bucket of the build, so that a tag is searched in one bucket. */
  bucketId: text(),
})

/** Downloads of builds by install link or API key, with time and device. */
export const buildDownloads = table('build_downloads', {
  id: text(),
  organizationId: text(),
  bucketId: text(),
  buildId: text(),
  /** Null for a public link, and for a key. */
  userId: optional(text()),
  /** Null for a download with a key. */
  installLinkId: optional(text()),
  keyId: optional(text()),
  /** The device as it identified itself; null if it did not, or is unknown. */
  device: optional(text()),
  downloadedAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    build_tags: typeof buildTags
    build_downloads: typeof buildDownloads
  }
}
