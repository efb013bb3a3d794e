import { flag, instant, integer, json, optional, table, text } from '../../core/database/table.js'

/** The data that a client announced about a file that arrives in several requests. */
export interface AnnouncedFile {
  fileName: string | null
  contentType: string
  /** In hexadecimal digits; null if its uploader did not state it. */
  sha256: string | null
  /** Like the part `data` of a form; null if absent. */
  data: unknown
}

/** Uploads that arrive in several requests; the size of the part file is what has arrived. */
export const resumableUploads = table('resumable_uploads', {
  id: text(),
  organizationId: text(),
  /** The operation that receives the whole file. */
  operation: text(),
  /** Its path parameters. */
  params: json<Record<string, string>>(),
  /** In bytes. */
  length: integer(),
  file: json<AnnouncedFile>(),
  /** The parsed `Upload-Metadata`, which is returned unchanged. */
  metadata: optional(json<Record<string, string | null>>()),
  /** The path of the resulting entity. */
  location: optional(text()),
  createdAt: instant(),
  expiresAt: instant(),
  finishedAt: optional(instant()),
  /** The request that holds the lease, if several processes share the upload; null without one. */
  holder: optional(text()),
  /** The end of the holder's lease; the holder renews it. */
  heldUntil: optional(instant()),
  /** True if another request waits for the holder to end. */
  isAwaited: flag(),
  /** True while the holder processes the whole file. */
  isFinishing: flag(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    resumable_uploads: typeof resumableUploads
  }
}
