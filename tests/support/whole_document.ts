import { buildDocument } from '#foundation/api/openapi/document'
import { operations } from '#foundation/api/operation/registry'
import { eventCatalog } from '#foundation/core/events/catalog'

let document: Record<string, unknown> | undefined

/**
 * The OpenAPI document of every operation, with those for pages alone, which the served document
 * does not name: what holds for operations and their answers holds for them, too.
 */
export function wholeDocument(): Record<string, unknown> {
  document ??= buildDocument(operations.all(), eventCatalog.all(), '0.0.0')
  return document
}
