import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ItemOwner } from '../entities.js'
import { ITEM_ACTION, type ItemKind } from '#releases/vocabulary'

/** The fields of an item that determine who may change it. */
export interface OwnedItem {
  kind: ItemKind
  title: string
  owners: readonly ItemOwner[]
}

/** Returns whether the actor owns an item: in person, through a group, or as the pilot. */
export function owns(
  { actor, permissions }: Pick<Scope, 'actor' | 'permissions'>,
  owners: readonly ItemOwner[],
  pilotId: string | null
): boolean {
  return owners.some(({ type, id }) => {
    if (type === 'group') return id !== null && permissions.groupIds.includes(id)
    if (actor.type !== 'user' || actor.id === null) return false
    return actor.id === (type === 'user' ? id : pilotId)
  })
}

/**
 * Requires the user action for the kind of item. The owners of an approval need no user action.
 * @throws action_missing
 */
export function requireItemAction(scope: Scope, item: OwnedItem, pilotId: string | null): void {
  const action = ITEM_ACTION[item.kind]
  if (scope.can(action)) return
  const mayBeOwner = item.kind === 'approval'
  if (mayBeOwner && owns(scope, item.owners, pilotId)) return
  throw refuse('action_missing', {
    detail: `This needs the user action ${action}${mayBeOwner ? ', or ownership of the item' : ''}.`,
    members: { missingActions: [action] },
  })
}
