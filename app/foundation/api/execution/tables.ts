import { instant, json, optional, table, text, integer } from '../../core/database/table.js'

/** The first answers of requests with an `Idempotency-Key`, to be repeated. */
export const idempotencyKeys = table('idempotency_keys', {
  organizationId: text(),
  idempotencyKey: text(),
  method: text(),
  route: text(),
  fingerprint: text(),
  /** The recipient of the response; null if not recorded. */
  asker: optional(text()),
  status: integer(),
  headers: json<Record<string, string>>(),
  body: text(),
  createdAt: instant(),
})
