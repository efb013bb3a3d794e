import type { Module } from '#foundation/api/module'
import { problems } from './problems.js'
import { operations } from './routes.js'

/** Agents: the operations as tools of the Model Context Protocol. */
export const agents: Module = {
  name: 'agents',
  operations,
  problems,
  tags: { Agents: 'The agent protocol (MCP).' },
  commands: () => import('./commands.js'),
}
