import { change, of, select } from '#foundation/core/database/statement'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import type { Tenant } from '#foundation/core/principal'
import type { Kept } from '#plugin-kit/context'
import { providersPrincipal } from '../providers_principal.js'
import { connectionValues } from '../tables.js'

const MAX_NAME_LENGTH = 300
const MAX_VALUE_LENGTH = 200

const VALUE = select(
  of(connectionValues, 'v', ['value']),
  `from connection_values v
   where v.organization_id = :org and v.connection_id = :connectionId and v.name = :name`
)
const KEEP = change(
  `insert into connection_values (organization_id, connection_id, name, value)
   select c.organization_id, c.id, :name, :value from connections c
   where c.organization_id = :org and c.id = :connectionId
   on conflict (organization_id, connection_id, name) do update set value = excluded.value`
)
const FORGET = change(
  `delete from connection_values
   where organization_id = :org and connection_id = :connectionId and name = :name`
)

/** Returns what a plugin keeps for a stored connection. */
export function keptOf(unitOfWork: UnitOfWork) {
  return (organization: Tenant, connectionId: string): Kept => {
    const principal = providersPrincipal(organization)
    const at = (name: string) => ({ connectionId, name: name.slice(0, MAX_NAME_LENGTH) })
    return {
      async get(name) {
        const [row] = await unitOfWork.readScope(principal).rows(VALUE, at(name))
        return row?.value ?? null
      },
      async set(name, value) {
        await unitOfWork.inTransaction(principal, async (scope) => {
          if (value === null) await scope.change(FORGET, at(name))
          else await scope.change(KEEP, { ...at(name), value: value.slice(0, MAX_VALUE_LENGTH) })
        })
      },
    }
  }
}

/** Keeps nothing, for a connection that is not stored yet. */
export const KEEPS_NOTHING: Kept = { get: async () => null, set: async () => {} }
