import { readFileSync } from 'node:fs'
import { eventCatalog } from '../../core/events/catalog.js'
import { operations } from '../operation/registry.js'
import { buildDocument } from './document.js'

const { version } = JSON.parse(
  readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')
) as { version: string }

let document: Record<string, unknown> | undefined

/** The OpenAPI document of this service, built once it is asked for. */
export function currentDocument(): Record<string, unknown> {
  document ??= buildDocument(operations.all(), eventCatalog.all(), version)
  return document
}
