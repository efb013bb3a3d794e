import type { Module } from '#foundation/api/module'
import { followHints } from './callbacks/hint_kind.js'
import { keepHooks, removeHook } from './callbacks/keep_hooks.js'
import { pruneCalls } from './chores.js'
import { IntegrationsDoctor } from './commands/integrations_doctor.js'
import { IntegrationsLog } from './commands/integrations_log.js'
import { IntegrationsRotateKeys } from './commands/integrations_rotate_keys.js'
import { MakeIntegration } from './commands/make_integration.js'
import { ProviderAuthorize } from './commands/provider_authorize.js'
import { ProviderCallback } from './commands/provider_callback.js'
import { ProviderCheck } from './commands/provider_check.js'
import { ProviderConnect } from './commands/provider_connect.js'
import { ProviderDisconnect } from './commands/provider_disconnect.js'
import { ProviderList } from './commands/provider_list.js'
import { ProviderPlugins } from './commands/provider_plugins.js'
import { ProviderRotate } from './commands/provider_rotate.js'
import { removeFolder } from './connections/folder_wish.js'
import { problemMembers, problems } from './problems.js'
import { operations } from './routes.js'

/** Plugins of providers, what organizations are connected to, and what apps use of it. */
export const integrations: Module = {
  name: 'integrations',
  operations,
  problems,
  problemMembers,
  tags: { Integrations: 'What providers send by themselves, and how they are connected.' },
  commands: [
    ProviderPlugins,
    ProviderConnect,
    ProviderAuthorize,
    ProviderList,
    ProviderCheck,
    ProviderRotate,
    ProviderDisconnect,
    ProviderCallback,
    IntegrationsDoctor,
    IntegrationsLog,
    IntegrationsRotateKeys,
    MakeIntegration,
  ],
  work: [pruneCalls, removeFolder, followHints, keepHooks, removeHook],
}
