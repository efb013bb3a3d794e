import type { Actor } from '#foundation/core/principal'
import { refuse, refuseField } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findPerson, hasRoleBasedAccess, type Person } from './find_person.js'
import { personName } from './people.js'

/**
 * The person that a member of a body names.
 * @throws invalid_input for someone who is not of the organization
 */
export async function demandPerson(
  scope: Scope,
  email: string,
  pointer = '/userEmail'
): Promise<Person> {
  const person = await findPerson(scope, email)
  if (person) return person
  throw refuseField(pointer, 'unknown_user', `The organization has no user ${email}.`)
}

/**
 * The person on whose behalf a key acts. The key that names them needs the user action itself;
 * where the organization has role-based access the person needs it through a group, or has
 * another right to it (docs/decisions/0012-items-approvals-traces.md).
 *
 * @param email in lower case
 * @throws invalid_input for someone who is not of the organization, action_missing
 */
export async function spokenFor(
  scope: Scope,
  action: string,
  email: string,
  {
    pointer,
    or,
  }: {
    pointer?: string
    /** Another right to it: what it is, in words, and whether the person has it. */
    or?: { what: string; has(actor: Actor, person: Person): boolean }
  } = {}
): Promise<Actor> {
  if (!scope.can(action)) {
    throw refuse('action_missing', {
      detail: `To speak for ${email} the key needs the user action ${action}.`,
      members: { missingActions: [action] },
    })
  }
  const person = await demandPerson(scope, email, pointer)
  const actor: Actor = { type: 'user', id: person.id, name: personName(person) }
  if (person.actions.has(action) || !(await hasRoleBasedAccess(scope))) return actor
  if (or?.has(actor, person)) return actor
  throw refuse('action_missing', {
    detail: `${email} needs the user action ${action}${or ? `, or to ${or.what}` : ''}.`,
    members: { missingActions: [action] },
  })
}
