import { refuse } from '#foundation/core/problems/problem'
import type { CheckResult } from '../plugins/plugin_caller.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** Errors by which a provider refuses the credentials. */
const REFUSALS: readonly string[] = ['unauthorized', 'forbidden']

/** @throws credentials_refused when the provider does not take them; one that is away is no reason */
export function demandNotRefused(check: CheckResult | null): void {
  if (check && !check.ok && REFUSALS.includes(check.code)) {
    throw refuse('credentials_refused', { detail: `${check.message} (${check.code}).` })
  }
}

/** Returns the status of a connection after a check; an unavailable provider changes nothing. */
export function statusAfter(status: ConnectionStatus, check: CheckResult): ConnectionStatus {
  if (check.ok) return 'connected'
  return REFUSALS.includes(check.code) ? 'needs_reauth' : status
}
