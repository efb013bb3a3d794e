import { ProviderPlugins } from './commands/provider_plugins.js'
import { ProviderConnect } from './commands/provider_connect.js'
import { ProviderAuthorize } from './commands/provider_authorize.js'
import { ProviderList } from './commands/provider_list.js'
import { ProviderCheck } from './commands/provider_check.js'
import { ProviderFind } from './commands/provider_find.js'
import { ProviderRotate } from './commands/provider_rotate.js'
import { ProviderDisconnect } from './commands/provider_disconnect.js'
import { ProviderCallback } from './commands/provider_callback.js'
import { IntegrationsDoctor } from './commands/integrations_doctor.js'
import { IntegrationsLog } from './commands/integrations_log.js'
import { IntegrationsRotateKeys } from './commands/integrations_rotate_keys.js'
import { MakeIntegration } from './commands/make_integration.js'

/** The console commands of the module. */
export const commands = [
  ProviderPlugins,
  ProviderConnect,
  ProviderAuthorize,
  ProviderList,
  ProviderCheck,
  ProviderFind,
  ProviderRotate,
  ProviderDisconnect,
  ProviderCallback,
  IntegrationsDoctor,
  IntegrationsLog,
  IntegrationsRotateKeys,
  MakeIntegration,
]
