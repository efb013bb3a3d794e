import type { Instant } from '#foundation/core/clock'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { nameOf } from '../adopt_seen.js'
import { carryStoreFacts } from '../carry_store_facts.js'
import { changePlan } from '../change_plan.js'
import { isReached } from '../derive/adoption.js'
import { isRecent } from '../derive/lagging.js'
import { stops } from '../stop_again.js'
import type { PlanRow, StoreOfRelease } from '../queries/store_state.js'
import type { RolloutChange } from '../tables.js'
import { wishStore } from '../wish_store.js'
import { demandStores } from './demand_store.js'

/*
 * This is the one action that changes a rollout in a store. Whoever decides about rollouts stands
 * above this module and plugs in here: a person, a ladder that is climbed (`set`, with the next
 * move written by `changePlan(…, { nextStage })`), a guard of their health (`halt` or `pause`), and
 * the red button (`isUrgent`). See docs/decisions/0048-what-stores-show.md.
 */

/** Of which rollouts, and how. */
export interface RolloutOptions {
  /** Those of one destination alone; null is the first store of the app. */
  destinationId?: string | null
  /** The run of a rollout step whose stores alone are meant. */
  stepRunId?: string
  /**
   * It waits behind nothing else that is asked of the store, and is tried until the store has
   * confirmed it. For what stops a rollout.
   */
  isUrgent?: boolean
}

/** Has the rollout of a release changed in its stores by a worker. */
export class ChangeRollout {
  constructor(private readonly scope: Scope) {}

  /**
   * What stands there already, or is on its way there, is left alone.
   * @returns in how many stores it is asked for
   * @throws integration_missing, rollout_not_running, rollout_by_store, rollout_stopped,
   * rollout_only_grows; for a run not_found, step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, to: RolloutChange, options: RolloutOptions = {}): Promise<number> {
    const { scope } = this
    const { destinationId, stepRunId, isUrgent = false } = options
    const run = stepRunId === undefined ? null : { stepRunId, types: ['rollout'] as const }
    const all = await demandStores(scope, release, run)
    const stores =
      destinationId === undefined
        ? all
        : all.filter((store) => store.destinationId === destinationId)
    const running = demandRunning(release, stores)
    for (const store of running) demandPossible(release, store, to)
    const asked = running.filter((store) => !isThere(store, to, isUrgent, scope.now))
    for (const { target, facts, plan } of asked) {
      const { state, percentage } = facts.rollout
      await changePlan(scope, release.id, target, {
        rollout: {
          to,
          by: scope.actor,
          at: scope.now,
          saw: state === null ? null : { state, percentage },
          ...(isUrgent && { isUrgent }),
          ...(overtakes(plan, to, scope.now) && { overtook: scope.now }),
          is: 'underWay',
          reason: null,
        },
        question: null,
        // Who climbs the ladder says anew when it goes on.
        nextStage: null,
      })
      await wishStore(scope, release, target, { what: 'rollout', isUrgent })
    }
    if (asked.length === 0) return 0
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `The rollout of ${release.version} is being ${nameOf(to)}`,
      data: { what: 'rollout', to, isUrgent },
      payload: null,
    })
    if (await carryStoreFacts(scope, release)) await settle(scope, release)
    return asked.length
  }
}

function demandRunning(release: Release, stores: readonly StoreOfRelease[]): StoreOfRelease[] {
  const running = stores.filter(({ version, facts: { rollout } }) => {
    const isUnderWay = rollout.state !== null && rollout.state !== 'completed'
    // What is partly out is stopped, too, where the store tells nothing else of its rollout.
    return isUnderWay && (rollout.state === 'active' || (version?.known?.rollout ?? null) !== null)
  })
  if (running.length > 0) return running
  throw refuse('rollout_not_running', {
    detail: `No rollout of ${release.version} is under way.`,
  })
}

function demandPossible(
  release: Release,
  { target, facts }: StoreOfRelease,
  to: RolloutChange
): void {
  if (to.action !== 'set') return
  if (target.storeType === 'apple') {
    throw refuse('rollout_by_store', {
      detail: 'A phased release of Apple climbs 1, 2, 5, 10, 20, 50 and 100 % by itself.',
    })
  }
  const { state, percentage } = facts.rollout
  if (state === 'halted' || state === 'paused') {
    throw refuse('rollout_stopped', {
      detail: `The rollout of ${release.version} is ${state} at ${percentage} %.`,
    })
  }
  if (to.percentage >= percentage) return
  throw refuse('rollout_only_grows', {
    detail: `The rollout of ${release.version} is at ${percentage} %.`,
  })
}

/**
 * Whether it is stopped while a call that lets it grow may be on its way, or so soon after one that
 * what the store shows may be older.
 */
function overtakes(plan: PlanRow | null, to: RolloutChange, now: Instant): boolean {
  const before = plan?.rollout
  if (!before || !stops({ to })) return false
  const isOnItsWay = before.is === 'underWay' && !stops(before)
  return before.overtook !== undefined || isOnItsWay || hasJustGone(plan, now)
}

/** Whether the store has confirmed not long ago that it lets a rollout go on. */
const hasJustGone = (plan: PlanRow | null, now: Instant): boolean => {
  const before = plan?.rollout ?? null
  return before !== null && !stops(before) && isRecent(before, now)
}

/** Whether a rollout stands where it is wanted, or a call is bringing it there. */
function isThere(
  { plan, version }: StoreOfRelease,
  to: RolloutChange,
  isUrgent: boolean,
  now: Instant
): boolean {
  const wanted = plan?.rollout
  if (wanted?.is === 'underWay') {
    // What waits in a line is asked for once more where it is urgent now.
    const isAsUrgent = !isUrgent || wanted.isUrgent === true
    return isAsUrgent && JSON.stringify(wanted.to) === JSON.stringify(to)
  }
  // What it shows may be how it was before it went on.
  if (stops({ to }) && hasJustGone(plan, now)) return false
  const seen = version?.known?.rollout
  return seen !== undefined && seen !== null && isReached(to, seen)
}
