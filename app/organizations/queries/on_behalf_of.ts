import type { Actor } from '#foundation/core/principal'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findPerson, type Person } from './find_person.js'
import { hasRoleBasedAccess } from './role_based_access.js'
import { personName } from './people.js'

/**
 * Returns the person named by a member of the body.
 * @throws invalid_input when the person is not in the organization
 */
export async function requirePerson(
  scope: Scope,
  email: string,
  pointer = '/userEmail'
): Promise<Person> {
  const person = await findPerson(scope, email)
  if (person) return person
  throw refuseField(pointer, 'unknown_user', `The organization has no user ${email}.`)
}

/**
 * Returns the actor for a person on whose behalf a key acts. The key itself needs the user action.
 * With role-based access, the person also needs the action through a group, or another permission
 * that suffices (docs/decisions/0012-items-approvals-traces).
 *
 * @param email in lower case
 * @throws invalid_input when the person is not in the organization, action_missing
 */
export async function actorOnBehalfOf(
  scope: Scope,
  action: string,
  email: string,
  {
    pointer,
    or,
  }: {
    pointer?: string
    /** Another permission that suffices: its description, and whether the person has it. */
    or?: { what: string; has(actor: Actor, person: Person): boolean }
  } = {}
): Promise<Actor> {
  if (!scope.can(action)) {
    throw refuse('action_missing', {
      detail: `To act on behalf of ${email}, the key needs the user action ${action}.`,
      members: { missingActions: [action] },
    })
  }
  const person = await requirePerson(scope, email, pointer)
  const actor: Actor = { type: 'user', id: person.id, name: personName(person) }
  if (person.actions.has(action) || !(await hasRoleBasedAccess(scope))) return actor
  if (or?.has(actor, person)) return actor
  throw refuse('action_missing', {
    detail: `${email} needs the user action ${action}${or ? `, or to ${or.what}` : ''}.`,
    members: { missingActions: [action] },
  })
}
