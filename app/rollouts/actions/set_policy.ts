import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { Faults, type Sound } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import { forEachOpenRelease } from '#releases/open_releases'
import { settle } from '#releases/lifecycle/settle'
import { checkPolicy } from '../policy/check_policy.js'
import { policyFrom, type RolloutPolicy } from '../policy/policy.js'
import { observedOf } from '../queries/observed.js'
import { placeOf, policiesOf } from '../queries/policies.js'
import { rolloutPolicies } from '../tables.js'
import { lookAtRollouts } from '../watch_rollouts.js'
import type { SetPolicyInput } from '../validators/policy_input.js'

/** Says how rollouts of an app grow in one of its stores where nobody looks. */
export class SetPolicy {
  constructor(private readonly scope: Scope) {}

  /** Gathers what is wrong beyond its shape, and what could never finish. */
  async check(appId: string, input: Sound<SetPolicyInput>, faults: Faults): Promise<void> {
    const { scope } = this
    const { destinationId: id, policy } = input
    if (id && (await placeOf(scope, appId, id)) === undefined) {
      const message = 'The app has no such destination.'
      faults.add({ pointer: '/destinationId', code: 'unknown', message })
    }
    if (policy) checkPolicy(policy, await observedOf(scope, appId), faults, '/policy')
  }

  /** @throws invalid_input */
  async handle(appId: string, input: SetPolicyInput): Promise<void> {
    const { scope } = this
    const faults = new Faults()
    await this.check(appId, input, faults)
    faults.demandNone()
    const place = await placeOf(scope, appId, input.destinationId ?? null)
    await this.store(appId, place!, input.policy && policyFrom(input.policy))
  }

  /**
   * Stores a policy that was checked; one that is there already changes nothing.
   * @param destinationId null for the first store of the app
   */
  async store(appId: string, destinationId: string | null, policy: RolloutPolicy | null) {
    const { scope } = this
    const rows = await policiesOf(scope, appId)
    const before = rows.find((row) => row.destinationId === destinationId)
    if (JSON.stringify(before?.policy ?? null) === JSON.stringify(policy)) return
    if (policy === null) await scope.table('rollout_policies').where('id', before!.id).delete()
    else if (before) {
      await scope.update(rolloutPolicies, { id: before.id }, { policy, updatedAt: scope.now })
    } else {
      const id = newId('rpol')
      await scope.insert(rolloutPolicies, [
        { id, appId, destinationId, policy, updatedAt: scope.now },
      ])
    }
    recordAppEvent(scope, appId, {
      type: 'app.rolloutPolicyChanged',
      title: policy ? 'The policy of rollouts was set' : 'The policy of rollouts was taken away',
      data: { destinationId, from: before?.policy ?? null, to: policy },
    })
    await forEachOpenRelease(scope, appId, async (release) => void (await settle(scope, release)))
    await lookAtRollouts(scope, appId)
  }
}
