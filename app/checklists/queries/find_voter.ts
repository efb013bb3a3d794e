import type { Scope } from '#foundation/core/scope'
import type { Actor } from '#foundation/core/principal'
import { actorOnBehalfOf } from '#organizations/queries/on_behalf_of'
import { ITEM_ACTION } from '#releases/vocabulary'
import { owns, type OwnedItem } from '../release_items/require_item_action.js'

/**
 * Finds the person on whose behalf an API key sets the status of an approval. The key itself needs
 * the user action, even if it owns the item. The person needs the user action or has to own the
 * item.
 * @param email in lower case
 * @throws invalid_input if nobody in the organization has that address, action_missing
 */
export function findVoter(
  scope: Scope,
  item: OwnedItem,
  pilotId: string | null,
  email: string
): Promise<Actor> {
  return actorOnBehalfOf(scope, ITEM_ACTION[item.kind], email, {
    or: {
      what: 'own the item',
      has: (actor, { groupIds }) =>
        owns({ actor, permissions: { ...scope.permissions, groupIds } }, item.owners, pilotId),
    },
  })
}
