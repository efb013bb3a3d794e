import { flag, instant, integer, json, optional, table, text } from '../../core/database/table.js'

/** The announcement of a client about a file that arrives in several requests. */
export interface AnnouncedFile {
  fileName: string | null
  contentType: string
  /** In hexadecimal digits; null if its uploader did not state it. */
  sha256: string | null
  /** As the part `data` of a form; null without any. */
  data: unknown
}

/** Uploads that arrive in several requests; the file itself shows how much of each is there. */
export const resumableUploads = table('resumable_uploads', {
  id: text(),
  organizationId: text(),
  /** The operation that the whole file is given to. */
  operation: text(),
  /** Its path parameters. */
  params: json<Record<string, string>>(),
  /** In bytes. */
  length: integer(),
  file: json<AnnouncedFile>(),
  /** The parsed `Upload-Metadata`, which is returned unchanged. */
  metadata: optional(json<Record<string, string | null>>()),
  /** The path of what the file became. */
  location: optional(text()),
  createdAt: instant(),
  expiresAt: instant(),
  finishedAt: optional(instant()),
  /** The request that is at it, where several processes may be; null while none is. */
  holder: optional(text()),
  /** When the holder counts as dead unless it is heard of before. */
  heldUntil: optional(instant()),
  /** Somebody waits for the holder to end. */
  isAwaited: flag(),
  /** The holder makes of the whole file what it was uploaded for. */
  isFinishing: flag(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    resumable_uploads: typeof resumableUploads
  }
}
