import { refuse } from '#foundation/core/problems/problem'
import type { Instant } from '#foundation/core/clock'
import type Connection from '../models/connection.js'
import type { CheckResult } from '../plugins/plugin_caller.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** Errors by which a provider refuses the credentials. */
const REFUSALS: readonly string[] = ['unauthorized', 'forbidden']

/** Maximum length of a provider's text that is stored, in characters. */
const MAX_TEXT_LENGTH = 500

/** @throws credentials_refused when the provider rejects them; not when it is unavailable */
export function requireNotRefused(check: CheckResult | null): void {
  if (check && !check.ok && REFUSALS.includes(check.code)) {
    throw refuse('credentials_refused', { detail: `${check.message} (${check.code}).` })
  }
}

/** Returns the status of a connection after a check; an unavailable provider changes nothing. */
export function statusAfter(status: ConnectionStatus, check: CheckResult): ConnectionStatus {
  if (check.ok) return 'connected'
  return REFUSALS.includes(check.code) ? 'needs_reauth' : status
}

type CheckedMembers = Pick<Connection, 'checkedAt' | 'checkFailure'> &
  Partial<Pick<Connection, 'account' | 'missingPermissions' | 'endsAt'>>

/** Returns the members of a connection that a check determines; a failed check keeps the others. */
export function foundBy(check: CheckResult, now: Instant): CheckedMembers {
  if (!check.ok) {
    const { code, message } = check
    return { checkedAt: now, checkFailure: { code, message: message.slice(0, MAX_TEXT_LENGTH) } }
  }
  const { account, missingPermissions, endsAt } = check
  return {
    checkedAt: now,
    checkFailure: null,
    account: account.slice(0, 200),
    missingPermissions: missingPermissions.map((each) => each.slice(0, MAX_TEXT_LENGTH)),
    endsAt,
  }
}
