import type { Scope } from '#foundation/core/scope'
import {
  cacheGroups,
  cachePeople,
  groupsOf,
  peopleOf,
  personName,
} from '#organizations/queries/people'
import type { ItemOwner } from '../entities.js'

/** The pilot of a release as an owner. */
export const RELEASE_PILOT: ItemOwner = { type: 'releasePilot', id: null, name: 'Release pilot' }

/** Returns stored owners with their current names. A deleted owner keeps the stored name. */
export async function withCurrentNames(
  scope: Scope,
  lists: readonly (readonly ItemOwner[])[]
): Promise<ItemOwner[][]> {
  const all = lists.flat()
  const [people, groups] = await Promise.all([
    peopleOf(scope, idsOf(all, 'user')),
    groupsOf(scope, idsOf(all, 'group')),
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

/**
 * Caches people and groups that were read along with the owners of an item, so that
 * `withCurrentNames` does not read them again.
 */
export async function cacheOwners(
  scope: Scope,
  owners: readonly ItemOwner[],
  peopleAndGroups: readonly {
    type: 'user' | 'group'
    id: string
    email: string
    name: string | null
  }[]
): Promise<void> {
  const people = peopleAndGroups.filter(({ type }) => type === 'user')
  await cachePeople(scope, idsOf(owners, 'user'), people)
  const groups = peopleAndGroups.flatMap(({ type, id, name }) =>
    type === 'group' ? { id, name: name! } : []
  )
  await cacheGroups(scope, idsOf(owners, 'group'), groups)
}

const idsOf = (owners: readonly ItemOwner[], wanted: ItemOwner['type']) =>
  owners.flatMap(({ type, id }) => (type === wanted && id ? id : []))
