import { flags } from '@adonisjs/core/ace'
import { plain } from '#foundation/core/text'
import { RotateKey } from '../actions/rotate_key.js'
import { KeyCommand } from './key_command.js'
import { expiryOption, durationOption } from './options.js'

export class KeyRotate extends KeyCommand {
  static override commandName = 'key:rotate'
  static override description =
    'Create a new key with the permissions of another one, which expires after an overlap'

  @flags.string({ description: 'How long both keys work: 90m, 24h or 7d', default: '24h' })
  declare overlap: string

  @flags.string({
    description:
      'When the new key expires: a date, a duration such as 90d, or never; a year by default',
  })
  declare expires: string | undefined

  protected async work() {
    const overlapMs = durationOption('overlap', this.overlap)
    const document = await this.inTransaction(await this.ofKey(), (scope) =>
      new RotateKey(scope).handle({
        keyId: this.keyId,
        overlapMs,
        expiresAt: expiryOption(this.expires, scope.now),
      })
    )
    return {
      document,
      text: `Key ${document.id} (${plain(document.name)}), shown this once:\n\n  ${document.key}\n\nThe former key expires at ${document.previousExpiresAt}.`,
    }
  }
}
