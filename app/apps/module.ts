import type { Module } from '#foundation/api/module'
import { fileNames } from '#foundation/core/files/file_names'
import { organizationParts } from '#organizations/parts'
import { fetchIcon } from './icons/fetch_icon.js'
import { iconNames } from './icons/icon_names.js'
import { organizationPart } from './organization_part.js'
import { parameters } from './parameters.js'
import { problems } from './problems.js'
import { operations } from './routes.js'

/** Apps: their settings, workflow, destinations, users and icon. */
export const apps: Module = {
  name: 'apps',
  operations,
  problems,
  parameters,
  tags: { App: 'One app and its settings.' },
  work: [fetchIcon],
  extensions: [organizationParts.extend(organizationPart), fileNames.extend(iconNames)],
}
