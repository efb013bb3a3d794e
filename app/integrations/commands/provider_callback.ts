import { args, flags } from '@adonisjs/core/ace'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { IssueHookSecret } from '../actions/issue_hook_secret.js'
import { callbackPath, callbackUrl, type CallbackAddress } from '../callbacks/callback_url.js'
import { makesSecret } from '../callbacks/hook_secrets.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { findHook } from '../queries/find_hook.js'
import { findIntegration } from '../queries/find_installation.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderCallback extends ProviderCommand {
  static override commandName = 'provider:callback'
  static override description = 'Show where a provider sends its webhooks, and issue their secret'
  static override help = [
    'A connection has one address, for plugins that create their own webhooks and for apps of a vendor.',
    'An integration (`int_…`) has one for webhooks that are set up by hand.',
    'A replaced secret stays valid for a day. A plugin that creates its own webhooks sends the new one to the provider.',
  ]

  @args.string({
    description: 'Id or alias of the connection, or the id of an integration (int_…)',
  })
  declare owner: string

  @flags.boolean({
    description: 'Create a new secret and show it once; the previous one stays valid for a day',
  })
  declare issue: boolean

  protected async work() {
    const principal = await this.organizationPrincipal()
    const { address, connection } = await findOwner(this.readScope(principal), this.owner)
    const plugin = pluginOfConnection(connection)
    const { manifest } = plugin
    if (!plugin.webhooks) {
      throw refuse('plugin_missing', { detail: `The plugin ${manifest.id} accepts no webhooks.` })
    }
    const secrets = await this.secrets()
    const secret = this.issue
      ? await this.inTransaction(principal, (scope) =>
          new IssueHookSecret(scope, secrets).handle(address, connection)
        )
      : null
    const hook = await findHook(this.readScope(principal), address)
    const url = callbackUrl(address)
    const document = {
      ...{ id: address.id, plugin: manifest.id, url, ...hook },
      ...(secret === null ? {} : { secret }),
    }
    const lines = [
      url ?? `PUBLIC_URL is not set, so only the path is known: ${callbackPath(address)}`,
      ...(secret === null ? [] : [`Secret, shown only once: ${secret}`]),
      ...(hook.hasSecret || !makesSecret(plugin)
        ? []
        : ['It has no secret yet; --issue creates one.']),
      ...(hook.failure === null ? [] : [`The webhook could not be created: ${hook.failure}`]),
      hook.receivedAt
        ? `The last webhook arrived at ${hook.receivedAt}.`
        : 'No webhook has arrived yet.',
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
