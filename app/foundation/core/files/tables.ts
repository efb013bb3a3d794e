import { flag, instant, integer, table, text } from '../database/table.js'

/** Files on Drive that rows name: the same content of an organization is kept once. */
export const storedFiles = table('stored_files', {
  id: text(),
  organizationId: text(),
  /** In hexadecimal digits. */
  sha256: text(),
  /** In bytes. */
  size: integer(),
  /** The key in Drive. */
  key: text(),
  /** Number of rows that name it; the file is deleted with the last of them. */
  holders: integer(),
  /** It is missing or corrupted: the next upload of the content takes its place. */
  lost: flag(),
  createdAt: instant(),
})

/** The identity of this service where it shares a resource with others: a single row. */
export const serviceIdentity = table('service_identity', { id: text() })

declare module '#foundation/core/database/table' {
  interface Tables {
    stored_files: typeof storedFiles
    service_identity: typeof serviceIdentity
  }
}
