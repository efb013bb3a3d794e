import type { Scope } from '#foundation/core/scope'
import type { Actor } from '#foundation/core/principal'

/** Says whether two actors are the same. */
type SameActor = (a: Actor, b: Actor) => boolean

/**
 * Returns a function that compares actors. A key and the keys it was rotated from or into are the
 * same actor: rotating a key creates no new actor.
 */
export async function sameActor(scope: Scope): Promise<SameActor> {
  const rows: { id: string; rotated_from: string }[] = await scope
    .table('api_keys')
    .whereNotNull('rotated_from')
    .select('id', 'rotated_from')
  const former = new Map(rows.map((row) => [row.id, row.rotated_from]))
  const first = ({ type, id }: Actor) => {
    let key = id
    while (type === 'apiKey' && key !== null && former.has(key)) key = former.get(key)!
    return key
  }
  return (a, b) => a.type === b.type && first(a) === first(b)
}
