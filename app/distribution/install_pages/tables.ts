import { instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'

/** Links by which testers install one build, or the newest build of a bucket. */
export const installLinks = table('install_links', {
  id: text(),
  organizationId: text(),
  bucketId: text(),
  /** Null for the newest build of the bucket. */
  buildId: optional(text()),
  /** The tester it was made for; null for a public link. */
  userId: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
  /** Null for no end. */
  expiresAt: optional(instant()),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    install_links: typeof installLinks
  }
}
