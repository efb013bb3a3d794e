import { buildDocument } from '#foundation/api/openapi/document'
import { operations } from '#foundation/api/operation/registry'
import { eventCatalog } from '#foundation/core/events/catalog'

let document: Record<string, unknown> | undefined

/**
 * Returns the OpenAPI document of all operations, including those for pages alone, which the served
 * document leaves out: the rules for operations and answers apply to them too.
 */
export function wholeDocument(): Record<string, unknown> {
  document ??= buildDocument(operations.all(), eventCatalog.all(), '0.0.0')
  return document
}
