import { plain } from '#foundation/core/text'
import { RevokeKey } from '../actions/revoke_key.js'
import { KeyCommand } from './key_command.js'

export class KeyRevoke extends KeyCommand {
  static override commandName = 'key:revoke'
  static override description = 'Revoke an API key at once, in every running process'
  static override help = 'The console revokes the last admin key, too, which pages refuse.'

  protected async work() {
    const key = await this.inTransaction(await this.ofKey(), (scope) =>
      new RevokeKey(scope).handle(this.keyId, { evenTheLast: true })
    )
    return {
      document: { id: key.id, name: key.name, revokedAt: key.revokedAt },
      text: `Key ${key.id} (${plain(key.name)}) was revoked at ${key.revokedAt}.`,
    }
  }
}
