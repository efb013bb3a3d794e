import type { Module } from '#foundation/api/module'
import { armedAutomations } from '#foundation/api/execution/armed_automations'
import { recordingRules } from '#foundation/core/database/recording_rules'
import { problems } from './problems.js'
import { operations } from './routes.js'
import { armedAutomationTexts } from './armed_automations.js'
import { planRecordingRules } from './recording_rules.js'

/** Agents: the operations as tools of the Model Context Protocol. */
export const agents: Module = {
  name: 'agents',
  operations,
  problems,
  tags: { Agents: 'The agent protocol (MCP).' },
  extensions: [
    recordingRules.extend(planRecordingRules),
    armedAutomations.extend({ textsOf: armedAutomationTexts }),
  ],
  commands: () => import('./commands.js'),
}
