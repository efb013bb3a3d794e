import type { Scope } from '#foundation/core/scope'
import type { ItemOwner } from '../entities.js'

const IDS_PER_STATEMENT = 1000

/** Name of whoever pilots the release, as an owner. */
export const RELEASE_PILOT: ItemOwner = { type: 'releasePilot', id: null, name: 'Release pilot' }

/** A person's name, or the address where none is known. */
export const personName = (user: { name: string | null; email: string }) => user.name ?? user.email

/**
 * Stored owners with their present names; one who is gone keeps the name of the time. At
 * most two queries, none where nobody owns anything.
 */
export async function withPresentNames(
  scope: Scope,
  lists: readonly (readonly ItemOwner[])[]
): Promise<ItemOwner[][]> {
  const all = lists.flat()
  const idsOf = (type: ItemOwner['type']) => [
    ...new Set(all.flatMap((owner) => (owner.type === type && owner.id ? owner.id : []))),
  ]
  const names = new Map<string, string>()
  for (const ids of chunked(idsOf('user'))) {
    const rows: { id: string; name: string | null; email: string }[] = await scope
      .table('users')
      .whereIn('id', ids)
      .select('id', 'name', 'email')
    for (const row of rows) names.set(row.id, personName(row))
  }
  for (const ids of chunked(idsOf('group'))) {
    const rows: { id: string; name: string }[] = await scope
      .table('groups')
      .whereIn('id', ids)
      .select('id', 'name')
    for (const row of rows) names.set(row.id, row.name)
  }
  return lists.map((owners) =>
    owners.map(({ type, id, name }) => ({ type, id, name: (id && names.get(id)) || name }))
  )
}

export function chunked<Value>(values: readonly Value[], size = IDS_PER_STATEMENT): Value[][] {
  const chunks: Value[][] = []
  for (let start = 0; start < values.length; start += size) {
    chunks.push(values.slice(start, start + size))
  }
  return chunks
}
