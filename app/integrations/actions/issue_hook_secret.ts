import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import type { CallbackAddress } from '../callbacks/callback_url.js'
import { planHook } from '../callbacks/hook_kinds.js'
import { hookSecret } from '../callbacks/hook_secrets.js'
import { integrationsOfConnection } from '../queries/app_integrations.js'

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
   * @throws not_found
   */
  async handle(address: CallbackAddress, connectionId: string): Promise<string> {
    const { scope, secrets } = this
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
