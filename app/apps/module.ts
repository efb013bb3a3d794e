import type { Module } from '#foundation/api/module'
import { fileNames } from '#foundation/core/files/file_names'
import { organizationExtensions } from '#organizations/extensions'
import { fetchIcon } from './icons/fetch_icon.js'
import { iconNames } from './icons/icon_names.js'
import { organizationExtension } from './organization_extension.js'
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
  extensions: [organizationExtensions.extend(organizationExtension), fileNames.extend(iconNames)],
}
