import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { recordAudit } from '#organizations/audit'
import { planHook } from '../callbacks/hook_kinds.js'
import { hookSecret } from '../callbacks/hook_secrets.js'

/** Makes the secret that a provider signs what it sends with; the one before is good for a day. */
export class IssueHookSecret {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /**
   * @returns the secret, which nothing shows again
   * @throws not_found
   */
  async handle(integration: { id: string; connectionId: string }): Promise<string> {
    const { scope, secrets } = this
    const secret = await hookSecret(scope, secrets, integration.id, true)
    // A plugin that makes its webhook itself tells its provider.
    await planHook(scope, integration)
    await recordAudit(scope, {
      action: 'integration.callbackSecretIssued',
      subject: integration.id,
      data: { connection: integration.connectionId },
    })
    return secret
  }
}
