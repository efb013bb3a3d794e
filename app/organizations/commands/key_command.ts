import { args, flags } from '@adonisjs/core/ace'
import { ConsoleCommand } from '#foundation/console/console_command'
import { Mistake } from '#foundation/console/mistake'
import type { Principal } from '#foundation/core/principal'
import { parseKey } from '../key_format.js'

/** A command about one key, named by its id or, as someone who found it would, by itself. */
export abstract class KeyCommand extends ConsoleCommand {
  @args.string({ description: 'Id of the key, or the key itself' })
  declare key: string

  @flags.string({ description: 'Id or name of the organization the key must belong to' })
  declare org: string | undefined

  protected get keyId(): string {
    return parseKey(this.key)?.id ?? this.key
  }

  /** The organization of the key. @throws Mistake */
  protected async ofKey(): Promise<Principal> {
    const row: { organization_id: string } | null = await this.database
      .from('api_keys')
      .where('id', this.keyId)
      .select('organization_id')
      .first()
    const named = this.org === undefined ? null : await this.standingOf(this.org)
    if (!row || (named && named.organization.id !== row.organization_id)) {
      throw new Mistake('There is no such key.')
    }
    return this.standingOf(row.organization_id)
  }
}
