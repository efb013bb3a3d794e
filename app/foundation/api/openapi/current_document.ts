import { readFileSync } from 'node:fs'
import app from '@adonisjs/core/services/app'
import { eventCatalog } from '../../core/events/catalog.js'
import { operations } from '../operation/registry.js'
import { buildDocument } from './document.js'

let document: Record<string, unknown> | undefined

/** Returns the OpenAPI document of this service, built on first use. */
export function currentDocument(): Record<string, unknown> {
  if (!document) {
    const { version } = JSON.parse(readFileSync(app.makePath('package.json'), 'utf8'))
    document = buildDocument(operations.ofApi(), eventCatalog.all(), version)
  }
  return document
}
