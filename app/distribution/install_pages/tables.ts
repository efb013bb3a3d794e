import { instant, json, optional, table, text } from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'

/** Links by which testers install: to a build, or to whatever is newest in a bucket. */
export const installLinks = table('install_links', {
  id: text(),
  organizationId: text(),
  bucketId: text(),
  /** Null for the newest build of the bucket, whichever that is. */
  buildId: optional(text()),
  /** The tester it was made for; null for whoever has it. */
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
