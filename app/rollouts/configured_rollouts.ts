import type { Scope } from '#foundation/core/scope'
import { destinationsOf } from '#apps/store_destinations'
import { SetPolicy } from './actions/set_policy.js'
import type { RolloutPolicy } from './policy/policy.js'
import { policiesOf } from './queries/policies.js'

/** The rollouts in the stores of an app, as a configuration file describes them. */
export interface RolloutsConfiguration {
  /** The policy of the first store; null if people drive its rollouts. */
  rollout: RolloutPolicy | null
  /** The policies of further destinations, by name, in their order. */
  destinationRollouts: { destination: string; policy: RolloutPolicy }[]
}

export async function configuredRollouts(
  scope: Scope,
  appId: string
): Promise<RolloutsConfiguration> {
  const policies = await policiesOf(scope, appId)
  if (policies.length === 0) return { rollout: null, destinationRollouts: [] }
  const policyIn = (destinationId: string | null) =>
    policies.find((each) => each.destinationId === destinationId)?.policy ?? null
  const [, ...further] = await destinationsOf(scope, appId)
  return {
    rollout: policyIn(null),
    destinationRollouts: further.flatMap(({ id, name: destination }) => {
      const policy = policyIn(id)
      return policy === null ? [] : [{ destination, policy }]
    }),
  }
}

/** Stores the policies of an app; its destinations must be stored before. */
export async function storeConfiguredRollouts(
  scope: Scope,
  appId: string,
  { rollout, destinationRollouts }: RolloutsConfiguration
): Promise<void> {
  const set = new SetPolicy(scope)
  await set.store(appId, null, rollout)
  const [, ...further] = await destinationsOf(scope, appId)
  for (const { id, name } of further) {
    const own = destinationRollouts.find(({ destination }) => destination === name)
    await set.store(appId, id, own?.policy ?? null)
  }
}
