import type { Scope } from '#foundation/core/scope'
import type { Actor } from '#foundation/core/principal'
import { spokenFor } from '#organizations/queries/spoken_for'
import { ITEM_ACTION } from '#releases/vocabulary'
import { owns, type OwnedItem } from '../release_items/demand_item_action.js'

/**
 * The person on whose behalf the status of an approval is set. To own the item lets a key speak
 * for itself only; a person whom it names may own the item in place of the user action.
 *
 * @param email in lower case.
 * @throws invalid_input for someone who is not of the organization, action_missing
 */
export function findVoter(
  scope: Scope,
  item: OwnedItem,
  pilotId: string | null,
  email: string
): Promise<Actor> {
  return spokenFor(scope, ITEM_ACTION[item.kind], email, {
    or: {
      what: 'own the item',
      has: (actor, { groupIds }) =>
        owns({ actor, permissions: { ...scope.permissions, groupIds } }, item.owners, pilotId),
    },
  })
}
