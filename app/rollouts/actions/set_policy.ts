import { placeOf } from '#apps/queries/place_of'
import { storeKindOfApp } from '#apps/queries/app_summary'
import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { forEachOpenRelease } from '#releases/lifecycle/open_releases'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { RolloutPolicyEntity } from '../entities.js'
import { checkPolicy } from '../policy/check_policy.js'
import { firstShareBy, policyFrom, warningsOf, type RolloutPolicy } from '../policy/policy.js'
import { groundOf } from '../queries/ground.js'
import { policiesOf } from '../queries/policies.js'
import { inWords, submittedBefore, type SubmittedBefore } from '../queries/submitted_before.js'
import { rolloutPolicies } from '../tables.js'
import { checkRollouts, watchOverReleases } from '../watch_rollouts.js'
import type { SetPolicyInput } from '../validators/policy_input.js'

type ShownWarning = NonNullable<RolloutPolicyEntity['warnings']>[number]

/** The most releases that the answer names. */
const MAX_LEFT = 5

/** Sets the policy by which rollouts of an app grow in one of its stores. */
export class SetPolicy {
  constructor(private readonly scope: Scope) {}

  /**
   * Adds errors for an unknown destination and an invalid policy, also one that could never finish.
   */
  async check(
    appId: string,
    input: PartiallyValid<SetPolicyInput>,
    errors: InputErrors
  ): Promise<void> {
    const { scope } = this
    const { destinationId = null, policy } = input
    const place = await placeOf(scope, appId, destinationId)
    if (place === undefined) {
      const message = 'The app has no such destination.'
      errors.add({ pointer: '/destinationId', code: 'unknown', message })
    }
    if (policy) checkPolicy(policy, await groundOf(scope, appId, place ?? null), errors, '/policy')
  }

  /**
   * @returns warnings about the policy
   * @throws invalid_input
   */
  async handle(appId: string, input: SetPolicyInput): Promise<ShownWarning[]> {
    const { scope } = this
    const errors = new InputErrors()
    await this.check(appId, input, errors)
    errors.throwIfAny()
    const place = await placeOf(scope, appId, input.destinationId ?? null)
    await this.store(appId, place!, input.policy && policyFrom(input.policy))
    const left = await this.#submittedBefore(appId, place!)
    return [
      ...(await this.#warningsOf(appId, input)),
      ...left.slice(0, MAX_LEFT).map((each) => ({
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

  /** Returns releases that were submitted with another first share than that of their policy. */
  async #submittedBefore(appId: string, place: string | null): Promise<SubmittedBefore[]> {
    const policies = await policiesOf(this.scope, appId)
    const policyIn = (id: string | null) =>
      policies.find(({ destinationId }) => destinationId === id)?.policy ?? null
    const found = await submittedBefore(this.scope, appId, policyIn)
    return found.filter(({ target }) => target.destinationId === place)
  }

  /**
   * Stores a checked policy; does nothing if it is stored already.
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
      title: policy ? 'The rollout policy was set' : 'The rollout policy was removed',
      data: { destinationId, from: before?.policy ?? null, to: policy },
    })
    await this.#reportSubmittedBefore(appId, destinationId, before?.policy ?? null)
    await forEachOpenRelease(scope, appId, async (release) => scope.touch(release))
    await watchOverReleases(scope, appId)
    await checkRollouts(scope, appId)
  }

  /** Reports releases whose submitted first share differs only because of this change. */
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
