import { pruneAgenda, pruneSpent } from './chores.js'
import { OpenapiWrite } from './openapi_write.js'
import { WorkCommand } from './work.js'
import type { Module } from '../api/module.js'
import { operations } from './routes.js'

/** Descriptions and probes of the service itself. */
export const service: Module = {
  name: 'foundation',
  operations,
  tags: { Service: 'Descriptions and probes of the service itself.' },
  parameters: { code: { description: 'A problem code.', example: 'not_found' } },
  commands: [OpenapiWrite, WorkCommand],
  work: [pruneSpent, pruneAgenda],
}
