import type { Tenant, Tenants } from '#foundation/core/principal'
import Organization from '../models/organization.js'

/** The organizations with an id or a name; names need not be unique. */
export async function findTenants(idOrName: string): Promise<Tenant[]> {
  const rows = await Organization.query()
    .where('id', idOrName)
    .orWhere('name', idOrName)
    .orderBy('id')
  return rows.map(tenantOf)
}

/** Organizations by id, for work that no request asks for. */
export const tenants: Tenants = {
  async find(id) {
    const row = await Organization.find(id)
    return row && tenantOf(row)
  },
}

function tenantOf({ id, name, requireIfMatch }: Organization): Tenant {
  return { id, name, requireIfMatch }
}
