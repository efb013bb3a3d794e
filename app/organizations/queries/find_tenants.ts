import type { Tenant } from '#foundation/core/principal'
import Organization from '../models/organization.js'

/** The organizations with an id or a name; names need not be unique. */
export async function findTenants(idOrName: string): Promise<Tenant[]> {
  const rows = await Organization.query()
    .where('id', idOrName)
    .orWhere('name', idOrName)
    .orderBy('id')
  return rows.map(({ id, name, requireIfMatch }) => ({ id, name, requireIfMatch }))
}
