import app from '@adonisjs/core/services/app'
import { of, select } from '#foundation/core/database/statement'
import type { Tenant, Tenants } from '#foundation/core/principal'
import Organization from '../models/organization.js'
import { organizations } from '../tables.js'

/** Finds the organizations with an id or a name. Names need not be unique. */
export async function findTenants(idOrName: string): Promise<Tenant[]> {
  const rows = await Organization.query()
    .where('id', idOrName)
    .orWhere('name', idOrName)
    .orderBy('id')
  return rows.map(tenantOf)
}

const BY_ID = select(
  of(organizations, 'o', ['id', 'name', 'requireIfMatch']),
  'from organizations o where o.id = :id'
)

/** Finds organizations by id, for work that no request triggers. */
export const tenants: Tenants = {
  async find(id) {
    const selects = await app.container.make('selects')
    const [found] = await selects.rows(BY_ID, { id })
    return found ?? null
  },
}

function tenantOf({ id, name, requireIfMatch }: Organization): Tenant {
  return { id, name, requireIfMatch }
}
