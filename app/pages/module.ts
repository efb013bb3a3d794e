import type { Module } from '#foundation/api/module'
import { organizationExtensions } from '#organizations/extensions'
import { pruneKept } from './session/chores.js'
import { problems } from './problems.js'
import { organizationExtension } from './session/organization_extension.js'
import { deviceOperations } from './session/device_operations.js'
import { operations } from './session/operations.js'

/** The web interface: pages that call the operations as the person who is signed in. */
export const pages: Module = {
  name: 'pages',
  operations: [...operations, ...deviceOperations],
  problems,
  commands: () => import('./commands.js'),
  work: [pruneKept],
  extensions: [organizationExtensions.extend(organizationExtension)],
}
