import { stringify } from 'yaml'
import { toDocument } from '../document.js'
import type { AppConfiguration } from '../model.js'

/** Writes the configuration as a YAML file. Equal configurations give equal bytes. */
export function toYaml(app: AppConfiguration): string {
  return stringify(toDocument(app), {
    lineWidth: 0,
    aliasDuplicateObjects: false,
    version: '1.2',
    schema: 'core',
  })
}
