import type { SecretBox } from '#foundation/core/secret_box'
import type { TakeCallback } from './callbacks/take_callback.js'
import type { ConnectionFolders } from './connections/connection_folders.js'
import type { PageFolders } from './connections/connection_errors.js'
import type { FinishAuthorization } from './oauth/finish_authorization.js'
import type { LastResponses } from './last_answers.js'
import type { PluginCaller } from './plugins/plugin_caller.js'
import type { CallLog } from './port/call_log.js'
import type { HttpPort } from '#provider-port/http_port'

/** Bindings of `providers/integrations_provider.ts`. */
declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    'integrations.secrets': SecretBox
    'integrations.log': CallLog
    'integrations.answers': LastResponses
    'integrations.port': HttpPort
    'integrations.caller': PluginCaller
    'integrations.folders': ConnectionFolders
    'integrations.pageFolders': PageFolders
    'integrations.callbacks': TakeCallback
    'integrations.authorizations': FinishAuthorization
  }
}
