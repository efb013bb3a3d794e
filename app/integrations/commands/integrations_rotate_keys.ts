import { from } from '#foundation/core/database/from'
import { TenantCommand } from '#organizations/commands/tenant_command'
import { ResealCredentials } from '../actions/reseal_credentials.js'

export class IntegrationsRotateKeys extends TenantCommand {
  static override commandName = 'integrations:rotate-keys'
  static override description = 'Re-encrypt all credentials under the first CREDENTIALS_KEY'

  protected async work() {
    const secrets = await this.app.container.make('integrations.secrets')
    const rows: { id: string }[] = await from(this.database, 'organizations').select('id')
    const document = { resealed: 0, unreadable: [] as string[] }
    for (const { id } of rows) {
      const done = await this.inTransaction(await this.principalOf(id), (scope) =>
        new ResealCredentials(scope, secrets).handle()
      )
      document.resealed += done.resealed.length
      document.unreadable.push(...done.unreadable)
    }
    const { resealed, unreadable } = document
    const failed = unreadable.length > 0
    const rest = failed ? ` Not readable, rotate them: ${unreadable.join(', ')}.` : ''
    return { document, text: `${resealed} re-encrypted.${rest}`, failed }
  }
}
