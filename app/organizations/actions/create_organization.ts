import type { Database } from '@adonisjs/lucid/database'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { into } from '#foundation/core/database/from'
import { transact } from '#foundation/core/database/transact'
import type { Clock } from '#foundation/core/clock'
import { newId } from '#foundation/core/ids'
import type { Actor, Tenant } from '#foundation/core/principal'
import { defaultGroups } from '../vocabulary.js'

const SERVICE: Actor = { type: 'system', id: null, name: 'service' }

export interface CreateOrganizationInput {
  name: string
  requireIfMatch?: boolean
  actor?: Actor
}

/** Creates an organization with its default groups. */
export class CreateOrganization {
  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  handle(input: CreateOrganizationInput): Promise<Tenant> {
    return transact(this.database, (client) => this.within(client, input))
  }

  /** Creates an organization in the transaction of a caller that creates more than that. */
  async within(
    client: QueryClientContract,
    input: CreateOrganizationInput,
    id = newId('org')
  ): Promise<Tenant> {
    const now = this.clock.now()
    await into(client, 'organizations').insert({
      id,
      name: input.name,
      role_based_access_enabled: false,
      add_new_users_to_all_apps: false,
      require_if_match: input.requireIfMatch ?? false,
      created_at: now,
      updated_at: now,
    })
    await into(client, 'groups').multiInsert(
      defaultGroups.map((group) => ({
        id: newId('grp'),
        organization_id: id,
        name: group.name,
        name_key: group.name.toLowerCase(),
        is_default: true,
        user_actions: JSON.stringify(group.userActions),
        created_at: now,
        updated_at: now,
      }))
    )
    await into(client, 'audit_entries').insert({
      id: newId('aud'),
      organization_id: id,
      action: 'organization.created',
      actor: JSON.stringify(input.actor ?? SERVICE),
      subject: id,
      data: JSON.stringify({ name: input.name }),
      created_at: now,
    })
    return { id, name: input.name, requireIfMatch: input.requireIfMatch ?? false }
  }
}
