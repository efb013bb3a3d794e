import { args, flags } from '@adonisjs/core/ace'
import { UsageError } from '#foundation/console/usage_error'
import type { Principal } from '#foundation/core/principal'
import { parseKey } from '../key_format.js'
import { TenantCommand } from './tenant_command.js'

/** A command about one key, given by its id or, by somebody who found a key, by the key itself. */
export abstract class KeyCommand extends TenantCommand {
  @args.string({ description: 'Id of the key, or the key itself' })
  declare key: string

  @flags.string({ description: 'Id or name of the organization the key must belong to' })
  declare org: string | undefined

  protected get keyId(): string {
    return parseKey(this.key)?.id ?? this.key
  }

  /** Returns the console principal of the key's organization. @throws UsageError */
  protected async ofKey(): Promise<Principal> {
    const principal = await this.principalOwning('api_keys', this.keyId, this.org)
    if (!principal) throw new UsageError('There is no such key.')
    return principal
  }
}
