import type { Module } from '#foundation/api/module'
import { armedExtensions } from '#foundation/api/execution/armed'
import { notings } from '#foundation/core/database/noting'
import { problems } from './problems.js'
import { operations } from './routes.js'
import { armedTexts } from './armed_timers.js'
import { noting } from './touched_tables.js'

/** Agents: the operations as tools of the Model Context Protocol. */
export const agents: Module = {
  name: 'agents',
  operations,
  problems,
  tags: { Agents: 'The agent protocol (MCP).' },
  extensions: [notings.extend(noting), armedExtensions.extend({ textsOf: armedTexts })],
  commands: () => import('./commands.js'),
}
