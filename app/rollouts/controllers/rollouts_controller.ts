import { placeOf } from '#apps/queries/place_of'
import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { ReleaseWarning } from '#releases/ports'
import { findRelease } from '#releases/queries/find_release'
import { readRelease } from '#releases/queries/read_release'
import { releaseEntity } from '#releases/queries/release_entities'
import { stepRun } from '#releases/queries/step_runs'
import { warned, withWarnings } from '#releases/queries/warnings_of'
import { PressRedButton } from '../actions/press_red_button.js'
import { SetPolicy } from '../actions/set_policy.js'
import { policyFrom } from '../policy/policy.js'
import { policyOutlook } from '../queries/outlook.js'
import { policyOf } from '../queries/policies.js'
import { rolloutShown } from '../queries/rollout_shown.js'
import type {
  OfDestinationQuery,
  OutlookQuery,
  SetPolicyInput,
} from '../validators/policy_input.js'
import { isStop, SteerRollout } from '../actions/steer_rollout.js'
import type { RedButtonInput, SteerRolloutInput } from '../validators/rollout_input.js'

/** Serves rollouts, their policies and the red button. */
export class RolloutsController {
  async check({ scope, body }: Call<PartiallyValid<SteerRolloutInput>>, errors: InputErrors) {
    new SteerRollout(scope).check(body, errors)
  }

  async steer({ scope, params, body }: Call<SteerRolloutInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const left = await new SteerRollout(scope).handle(release, body)
    return async () =>
      ok(await steered(scope, release, body, await releaseEntity(scope, release), left))
  }

  async steerRun({ scope, params, body }: Call<SteerRolloutInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const { stepRunId } = params
    const left = await new SteerRollout(scope).handle(release, body, stepRunId)
    return async () =>
      ok(await steered(scope, release, body, await stepRun(scope, release, stepRunId), left))
  }

  async show({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await rolloutShown(scope, release))
  }

  async showRun({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await rolloutShown(scope, release, params.stepRunId))
  }

  async pressRedButton({ scope, params, body }: Call<RedButtonInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const { reason = null, pair = false } = body
    const left = await new PressRedButton(scope).handle(release, reason, pair)
    return async () => ok(withWarnings(left, await releaseEntity(scope, release)))
  }

  async showPolicy({ scope, params, query }: Call<undefined, OfDestinationQuery>) {
    return ok(await policyShown(scope, params.appId, query.destinationId ?? null))
  }

  async checkPolicy(
    { scope, params, body }: Call<PartiallyValid<SetPolicyInput>>,
    errors: InputErrors
  ) {
    await new SetPolicy(scope).check(params.appId, body, errors)
  }

  async showOutlook({ scope, params: { appId }, query }: Call<undefined, OutlookQuery>) {
    const { destinationId = null, ...during } = query
    const place = await placeOf(scope, appId, destinationId)
    if (place === undefined) throw refuse('not_found')
    const policy = await policyOf(scope, appId, place)
    return ok(await policyOutlook(scope, appId, place, policy, during))
  }

  async foresee({ scope, params: { appId }, body }: Call<SetPolicyInput>) {
    const errors = new InputErrors()
    await new SetPolicy(scope).check(appId, body, errors)
    errors.throwIfAny()
    const place = (await placeOf(scope, appId, body.destinationId ?? null)) ?? null
    return ok(await policyOutlook(scope, appId, place, body.policy && policyFrom(body.policy)))
  }

  async setPolicy({ scope, params: { appId }, body }: Call<SetPolicyInput>) {
    const warnings = await new SetPolicy(scope).handle(appId, body)
    return async () => {
      const shown = await policyShown(scope, appId, body.destinationId ?? null)
      return ok(warnings.length > 0 ? { ...shown, warnings } : shown)
    }
  }
}

/** Returns a policy as the API shows it; null for an unknown destination. */
async function policyShown(scope: Scope, appId: string, destinationId: string | null) {
  const place = await placeOf(scope, appId, destinationId)
  return { destinationId, policy: place === undefined ? null : await policyOf(scope, appId, place) }
}

/**
 * Adds warnings to an answer: after a stop, what it leaves to users; else what stands against the
 * release.
 */
async function steered<Shown extends object>(
  scope: Scope,
  release: Release,
  { action }: SteerRolloutInput,
  shown: Shown,
  left: ReleaseWarning[]
): Promise<Shown> {
  return isStop(action) ? withWarnings(left, shown) : warned(scope, release, 'release', shown)
}
