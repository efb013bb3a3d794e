import { stringify } from 'yaml'
import { toDocument } from '../document.js'
import type { AppConfiguration } from '../model.js'

/** The configuration as a YAML file: the same configuration gives the same bytes. */
export function toYaml(app: AppConfiguration): string {
  return stringify(toDocument(app), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    version: '1.2',
    schema: 'core',
  })
}
