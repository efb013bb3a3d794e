import type { Module } from '#foundation/api/module'
import { parameters } from './parameters.js'
import { problems, problemMembers } from './problems.js'
import { operations } from './routes.js'

/** Organizations with their people, groups and keys. */
export const organizations: Module = {
  name: 'organizations',
  operations,
  problems,
  problemMembers,
  parameters,
  tags: { Organization: 'The organization, its apps and its groups.' },
  commands: () => import('./commands.js'),
}
