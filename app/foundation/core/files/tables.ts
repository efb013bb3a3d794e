import { flag, instant, integer, table, text } from '../database/table.js'

/** Files on Drive that rows name; an organization keeps the same content once. */
export const storedFiles = table('stored_files', {
  id: text(),
  organizationId: text(),
  /** In hexadecimal digits. */
  sha256: text(),
  /** In bytes. */
  size: integer(),
  /** The key in Drive. */
  key: text(),
  /** Number of rows that name the file; without any it is deleted. */
  holders: integer(),
  /** True if the file is missing or corrupted: the next upload of its content replaces it. */
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
