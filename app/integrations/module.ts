import type { Module } from '#foundation/api/module'
import { followHints } from './callbacks/hint_kind.js'
import { storeHooks, removeHook } from './callbacks/store_hooks.js'
import { pruneCalls } from './chores.js'
import { removeFolder } from './connections/folder_command.js'
import { carryOutInteraction, replyToInteraction } from './interactions/interaction_command.js'
import { problemMembers, problems } from './problems.js'
import { operations } from './routes.js'

/** Plugins of providers, what organizations are connected to, and what apps use of it. */
export const integrations: Module = {
  name: 'integrations',
  operations,
  problems,
  problemMembers,
  parameters: {
    connectionId: {
      description: 'Id of a connection, as `provider:list` shows it.',
      example: 'github:412733905518',
    },
    pluginId: { description: 'Id of a provider plugin.', example: 'github' },
    authorizationState: {
      description: 'The `state` that the browser was sent to the provider with.',
      example: 'q8sZc3VbM2wXy7TtZrVzoYeaPq4mT8cXw2LdRk6N',
    },
  },
  tags: { Integrations: 'Connections with providers, and the webhooks they send.' },
  commands: () => import('./commands.js'),
  work: [
    pruneCalls,
    removeFolder,
    followHints,
    storeHooks,
    removeHook,
    carryOutInteraction,
    replyToInteraction,
  ],
}
