import { storeKindOfApp } from '#apps/queries/app_summary'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import type { ReleaseWarning } from '#releases/ports'
import { afterStop } from '#stores/queries/after_stop'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { requireStores } from '#stores/actions/require_store'
import { stopTakeoffs } from '#stores/actions/stop_progress'
import type { RolloutChange } from '#stores/tables'
import { leaveToPerson } from '../leave_to_person.js'
import { endPress } from '../end_press.js'
import type { SteerRolloutInput } from '../validators/rollout_input.js'

/** Returns whether an action is a stop: each store has only one kind of stop, under either name. */
export const isStop = (action: SteerRolloutInput['action']): action is 'pause' | 'halt' =>
  action === 'pause' || action === 'halt'

/** Pauses, resumes, halts, completes or sets a rollout for a person. */
export class SteerRollout {
  constructor(private readonly scope: Scope) {}

  /** Adds errors for members that do not fit the action. */
  check(
    { action, percentage, reason }: PartiallyValid<SteerRolloutInput>,
    errors: InputErrors
  ): void {
    if (action === undefined) return
    const add = (code: string, message: string, pointer = '/percentage') =>
      errors.add({ pointer, code, message })
    if (action === 'set' && percentage === undefined) {
      add('required', 'The action set needs a percentage.')
    }
    if (action !== 'set' && percentage !== undefined) {
      add('not_set', 'Only the action set takes a percentage.')
    }
    if (!isStop(action) && typeof reason === 'string') {
      add('no_stop', 'Only the actions pause and halt take a reason.', '/reason')
    }
  }

  /**
   * @returns warnings about what a stop leaves to users.
   * @throws invalid_input; what `ChangeRollout` throws
   */
  async handle(
    release: Release,
    input: SteerRolloutInput,
    stepRunId?: string
  ): Promise<ReleaseWarning[]> {
    const { scope } = this
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const { action, percentage, reason } = input
    const stops = isStop(action)
    const to = await this.#changeOf(release, action, percentage)
    const run = stepRunId === undefined ? null : { stepRunId, types: ['rollout'] as const }
    const stores = await requireStores(scope, release, run)
    const ids = stores.map(({ target }) => target.integrationId)
    await endPress(scope, release)
    if (stops) {
      await leaveToPerson(scope, release.id, ids)
      const why = `${scope.actor.name} stopped it before it went out`
      await stopTakeoffs(scope, release, why, ids)
    }
    const left = stops ? await afterStop(scope, release) : []
    await new ChangeRollout(scope).handle(release, to, {
      stepRunId,
      isUrgent: stops,
      ...(typeof reason === 'string' && { why: reason }),
    })
    return left
  }

  /** Converts an action to a change of the store; setting 100 % completes the rollout. */
  async #changeOf(
    { appId }: Release,
    action: SteerRolloutInput['action'],
    percentage = 100
  ): Promise<RolloutChange> {
    const isApple = (await storeKindOfApp(this.scope, appId)) === 'apple'
    if (isStop(action)) return { action: isApple ? 'pause' : 'halt' }
    if (action !== 'set') return { action }
    return percentage === 100 && !isApple ? { action: 'complete' } : { action, percentage }
  }
}
