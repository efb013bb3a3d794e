import { of, select } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { policyStored, type RolloutPolicy } from '../policy/policy.js'
import { rolloutPolicies } from '../tables.js'

const SELECT_BY_APP = select(
  of(rolloutPolicies, 'p', ['id', 'destinationId', 'policy']),
  'from rollout_policies p where p.organization_id = :org and p.app_id = :appId'
)

/** Returns the rollout policies of an app, by store. */
export async function policiesOf(scope: Scope, appId: string) {
  const rows = await scope.rows(SELECT_BY_APP, { appId })
  return rows.map((row) => ({ ...row, policy: policyStored(row.policy) }))
}

/** Returns the policy of one store; null if people drive its rollouts. */
export async function policyOf(
  scope: Scope,
  appId: string,
  destinationId: string | null
): Promise<RolloutPolicy | null> {
  const all = await policiesOf(scope, appId)
  return all.find((each) => each.destinationId === destinationId)?.policy ?? null
}
