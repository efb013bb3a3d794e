import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { Actor } from '#foundation/core/principal'
import { personName } from '#organizations/queries/people'
import { findPerson, hasRoleBasedAccess } from '#organizations/queries/find_person'
import { ITEM_ACTION } from '#releases/engine/item_statuses'
import { owns, type OwnedItem } from '../demand_item_action.js'

/** The person that `userEmail` names. @throws invalid_input for someone who is not of the organization */
export async function demandPerson(scope: Scope, email: string) {
  const person = await findPerson(scope, email)
  if (person) return person
  throw refuseField('/userEmail', 'unknown_user', `The organization has no user ${email}.`)
}

/**
 * The person on whose behalf the status of an approval is set. The key that names them needs
 * the user action itself: to own the item lets it speak for itself only. Where the organization
 * has role-based access the person needs the action through a group, or to own the item.
 *
 * @param email in lower case.
 * @throws invalid_input for someone who is not of the organization, action_missing
 */
export async function findVoter(
  scope: Scope,
  item: OwnedItem,
  pilotId: string | null,
  email: string
): Promise<Actor> {
  const action = ITEM_ACTION[item.kind]
  if (!scope.can(action)) {
    throw refuse('action_missing', {
      detail: `To speak for ${email} the key needs the user action ${action}.`,
      members: { missingActions: [action] },
    })
  }
  const person = await demandPerson(scope, email)
  const actor: Actor = { type: 'user', id: person.id, name: personName(person) }
  if (person.actions.has(action) || !(await hasRoleBasedAccess(scope))) return actor
  const permissions = { ...scope.permissions, groupIds: person.groupIds }
  if (owns({ actor, permissions }, item.owners, pilotId)) return actor
  throw refuse('action_missing', {
    detail: `${email} needs the user action ${action}, or to own the item.`,
    members: { missingActions: [action] },
  })
}
