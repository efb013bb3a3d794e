import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { Principal } from '#foundation/core/principal'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import type { Plugin } from '#plugin-kit/plugin'
import { requireFreeAlias } from '../actions/connect_provider.js'
import { requireValidBrowserConnection } from '../connections/connection_errors.js'
import type { PluginCaller } from '../plugins/plugin_caller.js'
import { redirectUriOf } from './answer_path.js'
import { BeginAuthorization, type AuthorizationStart } from './begin_authorization.js'
import { BrowserSetups, type BrowserInput } from './browser_setup.js'

interface Dependencies {
  unitOfWork: Pick<UnitOfWork, 'inTransaction'>
  secrets: SecretBox
  caller: PluginCaller
}

/**
 * Begins a connection in a browser: a person grants access by OAuth, or has the provider create
 * the credentials.
 * @throws invalid_input; conflict for a plugin that is not connected that way; name_taken;
 * ProviderError if something has to be prepared at the provider first
 */
export async function beginBrowserConnection(
  { unitOfWork, secrets, caller }: Dependencies,
  principal: Principal,
  plugin: Plugin,
  input: BrowserInput
): Promise<AuthorizationStart> {
  requireValidBrowserConnection(plugin, input)
  const inTransaction = <Result>(work: (scope: Scope) => Promise<Result>) =>
    unitOfWork.inTransaction(principal, work)
  const { alias, connectionId } = input
  // The alias is checked first, so that nobody grants access that cannot be stored.
  if (alias !== null && connectionId === null)
    await inTransaction((scope) => requireFreeAlias(scope, alias))
  if (plugin.setup)
    return new BrowserSetups({ caller, secrets, inTransaction }).begin(principal, plugin, input)
  const { manifest } = plugin
  const redirectUri = redirectUriOf(input.serviceUrl)
  return inTransaction((scope) =>
    new BeginAuthorization(scope, secrets).handle({ ...input, manifest, redirectUri })
  )
}
