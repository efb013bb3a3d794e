import { storeKindOfApp } from '#apps/queries/app_summary'
import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { Faults, type PartiallyValid } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { RolloutPolicyEntity } from '../entities.js'
import { checkPolicy } from '../policy/check_policy.js'
import { firstShareBy, policyFrom, warningsOf, type RolloutPolicy } from '../policy/policy.js'
import { groundOf } from '../queries/ground.js'
import { placeOf, policiesOf } from '../queries/policies.js'
import { inWords, submittedBefore, type SubmittedBefore } from '../queries/submitted_before.js'
import { rolloutPolicies } from '../tables.js'
import { lookAtRollouts, watchOverReleases } from '../watch_rollouts.js'
import type { SetPolicyInput } from '../validators/policy_input.js'

type ShownWarning = NonNullable<RolloutPolicyEntity['warnings']>[number]

/** Releases that the answer names at most. */
const MOST_LEFT = 5

/** Says how rollouts of an app grow in one of its stores where nobody looks. */
export class SetPolicy {
  constructor(private readonly scope: Scope) {}

  /** Gathers what is wrong beyond its shape, and what could never finish. */
  async check(appId: string, input: PartiallyValid<SetPolicyInput>, faults: Faults): Promise<void> {
    const { scope } = this
    const { destinationId = null, policy } = input
    const place = await placeOf(scope, appId, destinationId)
    if (place === undefined) {
      const message = 'The app has no such destination.'
      faults.add({ pointer: '/destinationId', code: 'unknown', message })
    }
    if (policy) checkPolicy(policy, await groundOf(scope, appId, place ?? null), faults, '/policy')
  }

  /**
   * @returns what is to be known of what was sent
   * @throws invalid_input
   */
  async handle(appId: string, input: SetPolicyInput): Promise<ShownWarning[]> {
    const { scope } = this
    const faults = new Faults()
    await this.check(appId, input, faults)
    faults.demandNone()
    const place = await placeOf(scope, appId, input.destinationId ?? null)
    await this.store(appId, place!, input.policy && policyFrom(input.policy))
    const left = await this.#submittedBefore(appId, place!)
    return [
      ...(await this.#warningsOf(appId, input)),
      ...left.slice(0, MOST_LEFT).map((each) => ({
        code: 'submitted_before' as const,
        message: inWords(each),
      })),
    ]
  }

  async #warningsOf(appId: string, { policy }: SetPolicyInput): Promise<ShownWarning[]> {
    if (!policy) return []
    const isApple = (await storeKindOfApp(this.scope, appId)) === 'apple'
    return warningsOf(policy, isApple).map(({ code, message }) => ({ code, message }))
  }

  /** Releases that a store has with another first share than its policy begins with. */
  async #submittedBefore(appId: string, place: string | null): Promise<SubmittedBefore[]> {
    const policies = await policiesOf(this.scope, appId)
    const policyIn = (id: string | null) =>
      policies.find(({ destinationId }) => destinationId === id)?.policy ?? null
    const found = await submittedBefore(this.scope, appId, policyIn)
    return found.filter(({ target }) => target.destinationId === place)
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
    await this.#reportSubmittedBefore(appId, destinationId, before?.policy ?? null)
    await forEachOpenRelease(scope, appId, async (release) => scope.touch(release))
    await watchOverReleases(scope, appId)
    await lookAtRollouts(scope, appId)
  }

  /** Notifies releases whose first share changes with the policy alone. */
  async #reportSubmittedBefore(appId: string, place: string | null, before: RolloutPolicy | null) {
    for (const each of await this.#submittedBefore(appId, place)) {
      const { release, target, submitted, wanted } = each
      const isHotfix = release.createType === 'hotfix'
      if (firstShareBy(before, target, { isHotfix }) === wanted) continue
      recordReleaseEvent(this.scope, release, {
        type: 'rollout.ladderChanged',
        title: inWords(each),
        data: { destinationId: place, submitted, wanted },
        payload: null,
      })
    }
  }
}
