import { refuse } from '#foundation/core/problems/problem'
import type { CheckResult } from '../plugins/plugin_caller.js'
import type { ConnectionStatus } from '../vocabulary.js'

/** What a refusal says: the provider answered, and not to these credentials. */
const REFUSALS: readonly string[] = ['unauthorized', 'forbidden']

/** @throws credentials_refused when the provider does not take them; one that is away is no reason */
export function demandNotRefused(check: CheckResult | null): void {
  if (check && !check.ok && REFUSALS.includes(check.code)) {
    throw refuse('credentials_refused', { detail: `${check.message} (${check.code}).` })
  }
}

/** What a connection is once it was tried; a provider that is away changes nothing. */
export function statusAfter(status: ConnectionStatus, check: CheckResult): ConnectionStatus {
  if (check.ok) return 'connected'
  return REFUSALS.includes(check.code) ? 'needs_reauth' : status
}
