import { args, flags } from '@adonisjs/core/ace'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { IssueHookSecret } from '../actions/issue_hook_secret.js'
import { callbackPath, callbackUrl, type CallbackAddress } from '../callbacks/callback_url.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { findHook } from '../queries/find_hook.js'
import { findIntegration } from '../queries/find_installation.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderCallback extends ProviderCommand {
  static override commandName = 'provider:callback'
  static override description = 'Show where a provider sends its webhooks, and issue their secret'
  static override help = [
    'A connection has one address, for plugins that make their webhooks themselves and for Apps of a vendor.',
    'An integration (`int_…`) has one for webhooks that are set up by hand.',
    'A secret that was replaced stays valid for a day. A plugin that makes its webhooks itself gives the provider the new one.',
  ]

  @args.string({
    description: 'Id or alias of the connection, or the id of an integration (int_…)',
  })
  declare owner: string

  @flags.boolean({
    description: 'Make a new secret and show it once; the one before stays valid for a day',
  })
  declare issue: boolean

  protected async work() {
    const principal = await this.organizationPrincipal()
    const { address, connection } = await findOwner(this.readScope(principal), this.owner)
    const { manifest, webhooks } = pluginOfConnection(connection)
    if (!webhooks) {
      throw refuse('plugin_missing', { detail: `The plugin ${manifest.id} takes no webhooks.` })
    }
    const secrets = await this.secrets()
    const secret = this.issue
      ? await this.inTransaction(principal, (scope) =>
          new IssueHookSecret(scope, secrets).handle(address, connection.id)
        )
      : null
    const hook = await findHook(this.readScope(principal), address)
    const url = callbackUrl(address)
    const document = {
      ...{ id: address.id, plugin: manifest.id, url, ...hook },
      ...(secret === null ? {} : { secret }),
    }
    const lines = [
      url ?? `There is no address while PUBLIC_URL is not set: ${callbackPath(address)}`,
      ...(secret === null ? [] : [`Secret, shown this once: ${secret}`]),
      // A provider whose manifest declares no webhooks signs with a secret of its own.
      ...(hook.hasSecret || !manifest.webhooks ? [] : ['It has no secret yet: --issue makes one.']),
      ...(hook.failure === null ? [] : [`No webhook could be made: ${hook.failure}`]),
      hook.receivedAt ? `The last webhook came at ${hook.receivedAt}.` : 'No webhook has come yet.',
    ]
    return { document, text: lines.join('\n') }
  }
}

async function findOwner(scope: Scope, owner: string) {
  if (owner.startsWith('int_')) {
    const { id, connectionId } = await findIntegration(scope, owner)
    const address: CallbackAddress = { of: 'integration', id }
    return { address, connection: await findConnection(scope, connectionId) }
  }
  const connection = await findConnection(scope, owner)
  const address: CallbackAddress = { of: 'connection', id: connection.id }
  return { address, connection }
}
