import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { of, select } from '#foundation/core/database/statement'
import { apiKeys, users } from './tables.js'
import type { UserAction } from './vocabulary.js'

/*
 * Rules about who may grant and revoke rights (docs/decisions/0002-tenants-and-keys).
 */

/** Returns the granted user actions that the requester does not hold. */
export function notHeld(scope: Scope, granted: readonly UserAction[]): UserAction[] {
  return [...new Set(granted)].filter((action) => !scope.can(action))
}

/** The start of the message to a requester who would grant more than they hold. */
export const GRANTS_MORE = 'Nobody grants more than they hold: this needs the user action'

/** @throws action_missing for a user action that the requester does not hold */
export function requireHeld(scope: Scope, granted: readonly UserAction[]): void {
  const missingActions = notHeld(scope, granted)
  if (missingActions.length === 0) return
  throw refuse('action_missing', {
    detail: `${GRANTS_MORE} ${missingActions.join(' and ')}.`,
    members: { missingActions },
  })
}

/** @param what the thing that only an admin does, as a predicate @throws admin_required */
export function requireAdmin(scope: Scope, what: string): void {
  if (scope.permissions.admin) return
  throw refuse('admin_required', { detail: `Only an admin ${what}.` })
}

const ADMIN_KEYS = select(
  of(apiKeys, 'k', ['id']),
  `from api_keys k where k.organization_id = :org and k.admin = true and k.revoked_at is null
   and (k.expires_at is null or k.expires_at > :now)`
)
/** People without an account cannot sign in, so they do not count. */
const ADMIN_PEOPLE = select(
  of(users, 'u', ['id']),
  `from users u where u.organization_id = :org and u.admin = true and u.deactivated_at is null
   and u.account_id is not null`
)

/**
 * Makes sure that an admin remains, so that nobody locks everybody out.
 * @param id the admin key or person that is to lose its rights
 * @throws last_admin if there is no other one
 */
export async function requireOtherAdmin(scope: Scope, id: string): Promise<void> {
  const [keys, people] = await Promise.all([
    scope.rows(ADMIN_KEYS, { now: scope.now }),
    scope.rows(ADMIN_PEOPLE),
  ])
  const admins = [...keys, ...people].map((each) => each.id)
  if (!admins.includes(id) || admins.length > 1) return
  throw refuse('last_admin', {
    detail: 'Nobody else could do everything in the organization afterwards.',
  })
}
