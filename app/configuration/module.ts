import type { Module } from '#foundation/api/module'
import { problems } from './problems.js'
import { operations } from './routes.js'

/** Configuration of apps as YAML files. */
export const configuration: Module = {
  name: 'configuration',
  operations,
  problems,
  tags: { 'Configuration file': 'Apps as YAML files.' },
  commands: () => import('./commands.js'),
}
