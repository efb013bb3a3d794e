import type { Scope } from '#foundation/core/scope'
import { groupsOf, peopleOf, personName } from '#organizations/queries/people'
import type { ItemOwner } from '../entities.js'

/** Name of whoever pilots the release, as an owner. */
export const RELEASE_PILOT: ItemOwner = { type: 'releasePilot', id: null, name: 'Release pilot' }

/** Stored owners with their current names; one who is gone keeps the name of the time. */
export async function withCurrentNames(
  scope: Scope,
  lists: readonly (readonly ItemOwner[])[]
): Promise<ItemOwner[][]> {
  const all = lists.flat()
  const idsOf = (type: ItemOwner['type']) =>
    all.flatMap((owner) => (owner.type === type && owner.id ? owner.id : []))
  const [people, groups] = await Promise.all([
    peopleOf(scope, idsOf('user')),
    groupsOf(scope, idsOf('group')),
  ])
  const nameOf = ({ type, id, name }: ItemOwner) => {
    const person = type === 'user' && id ? people.get(id) : undefined
    if (person) return personName(person)
    const group = type === 'group' && id ? groups.get(id) : undefined
    return group?.name ?? name
  }
  return lists.map((owners) =>
    owners.map((owner) => ({ type: owner.type, id: owner.id, name: nameOf(owner) }))
  )
}
