import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import type { CallbackAddress } from '../callbacks/callback_url.js'
import { planHook } from '../callbacks/hook_kinds.js'
import { hookSecret, makesSecret } from '../callbacks/hook_secrets.js'
import { integrationsOfConnection } from '../queries/app_integrations.js'
import { pluginOfConnection } from '../queries/find_connection.js'

/**
 * Issues a new secret for signing a provider's callbacks; the previous one stays valid for a day.
 */
export class IssueHookSecret {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /**
   * @returns the secret, which is never shown again
   * @throws not_found; plugin_missing if the provider signs with no such secret
   */
  async handle(
    address: CallbackAddress,
    connection: { id: string; pluginId: string }
  ): Promise<string> {
    const { scope, secrets } = this
    const { id: connectionId } = connection
    const plugin = pluginOfConnection(connection)
    if (!makesSecret(plugin)) {
      const { name } = plugin.manifest
      const detail = plugin.webhooks
        ? `${name} signs with its own secret, which is among the credentials.`
        : 'The plugin accepts no webhooks.'
      throw refuse('plugin_missing', { detail })
    }
    const secret = await hookSecret(scope, secrets, address, true)
    if (address.of === 'connection') {
      // A plugin that creates its own webhooks sends the new secret to the provider.
      for (const integration of await integrationsOfConnection(scope, connectionId)) {
        await planHook(scope, integration)
      }
    }
    await recordAudit(scope, {
      action: `${address.of}.callbackSecretIssued`,
      subject: address.id,
      data: { connection: connectionId },
    })
    return secret
  }
}
