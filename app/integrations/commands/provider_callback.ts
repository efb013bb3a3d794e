import { args, flags } from '@adonisjs/core/ace'
import { refuse } from '#foundation/core/problems/problem'
import { IssueHookSecret } from '../actions/issue_hook_secret.js'
import { callbackUrl } from '../callbacks/callback_url.js'
import { findConnection, pluginOfConnection } from '../queries/find_connection.js'
import { findHook } from '../queries/find_hook.js'
import { findIntegration } from '../queries/find_installation.js'
import { ProviderCommand } from './provider_command.js'

export class ProviderCallback extends ProviderCommand {
  static override commandName = 'provider:callback'
  static override description =
    'Show where the provider of an integration sends its webhooks, and issue their secret'

  @args.string({ description: 'Id of the integration (int_…), as GET …/integrations lists it' })
  declare integration: string

  @flags.boolean({
    description: 'Make a new secret and show it once; the one before is good for a day',
  })
  declare issue: boolean

  protected async work() {
    const of = await this.ofOrganization()
    const reading = this.readScope(of)
    const integration = await findIntegration(reading, this.integration)
    const { manifest, webhooks } = pluginOfConnection(
      await findConnection(reading, integration.connectionId)
    )
    if (!webhooks) {
      throw refuse('plugin_missing', { detail: `The plugin ${manifest.id} takes no webhooks.` })
    }
    const secrets = await this.secrets()
    const secret = this.issue
      ? await this.inTransaction(of, (scope) =>
          new IssueHookSecret(scope, secrets).handle(integration)
        )
      : null
    const hook = await findHook(this.readScope(of), integration.id)
    const url = callbackUrl(integration.id)
    const document = {
      id: integration.id,
      plugin: manifest.id,
      url,
      hasSecret: hook !== null,
      madeAt: hook?.ensuredAt ?? null,
      receivedAt: hook?.receivedAt ?? null,
      ...(secret === null ? {} : { secret }),
    }
    const lines = [
      url ??
        `There is no address while PUBLIC_URL is not set: /integration/${integration.id}/callback`,
      ...(secret === null ? [] : [`Secret, shown this once: ${secret}`]),
      ...(hook ? [] : ['It has no secret yet: --issue makes one.']),
      hook?.receivedAt ? `Something came last at ${hook.receivedAt}.` : 'Nothing has come yet.',
    ]
    return { document, text: lines.join('\n') }
  }
}
