import { helpOn } from '#foundation/core/problems/catalog'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { changePlan, planOf } from '../decisions/change_plan.js'
import { decideInStore } from '../decisions/decide_in_store.js'
import { planStopCheck } from '../decisions/plan_stop_check.js'
import { possibleIn } from '../decisions/possible.js'
import { predecessorOf } from '../queries/predecessor.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { decideRollout } from '../reconciler/decide.js'
import { mayGoOut, stops } from '../reconciler/states.js'
import { nameOf } from '../decisions/rollout_names.js'
import { standingStop } from '../decisions/standing_stop.js'
import type { RolloutChange } from '../tables.js'
import { requireNotOver, requireStores } from './require_store.js'

/*
 * This is the only action that decides about a rollout in a store. Its callers are in modules above
 * this one: a person's request, the ladder (`set`, with the next rung written by `changePlan(…, {
 * nextStage })`), the health guard (`halt` or `pause`), and the red button (`isUrgent`). See
 * docs/decisions/0025-stores.md.
 */

/** Selects rollouts of the release, and says how urgent the change is. */
export interface RolloutOptions {
  /** Only the store of this destination; null is the app's first store. */
  destinationId?: string | null
  /** Only the stores of this run of a rollout step. */
  stepRunId?: string
  /** Does not wait for other calls of the store. Meant for stops. */
  isUrgent?: boolean
  /** The reason, as the decider gives it. */
  why?: string
}

/** The state of a release, as far as changes depend on it. */
type Standing = Pick<Release, 'id' | 'appId' | 'version' | 'status' | 'kickedOffAt'>

/** Decides about the rollout of a release in its stores; workers carry it out. */
export class ChangeRollout {
  constructor(private readonly scope: Scope) {}

  /**
   * Records the decision whatever the store last showed. An equal decision that is under way is
   * kept.
   * @returns the number of stores with a new decision
   * @throws integration_missing, release_skipped, rollout_not_running, rollout_by_store,
   * rollout_stopped, rollout_only_grows, rollout_no_predecessor; for a run not_found,
   * step_type_mismatch, step_run_superseded
   */
  async handle(release: Release, to: RolloutChange, options: RolloutOptions = {}): Promise<number> {
    const { scope } = this
    const { destinationId, stepRunId, isUrgent = false, why } = options
    const run = stepRunId === undefined ? null : { stepRunId, types: ['rollout'] as const }
    const all = await requireStores(scope, release, run)
    const meant =
      destinationId === undefined
        ? all
        : all.filter((store) => store.destinationId === destinationId)
    // A skipped release never reaches more users; a person may still decide about one that was
    // completed early.
    const isSkipped = release.status === 'skipped'
    if (isSkipped && !stops(to)) await requireNotOver(scope, release, meant)
    const running = await this.#possibleStores(release, meant, to)
    const decided = running.filter((store) => !isUnderWay(store, to, isUrgent))
    for (const { target, facts } of decided) {
      const { state, percentage } = facts.rollout
      await decideInStore(scope, release, target, (record, version) =>
        decideRollout(record, version, {
          to,
          by: scope.actor,
          at: scope.now,
          saw: state === null ? null : { state: shownAs(state), percentage },
          ...(isUrgent && { isUrgent }),
          ...(why !== undefined && { why }),
        })
      )
      const { appId, integrationId } = target
      const plan = await planOf(scope, release.id, integrationId)
      // The planned rung is obsolete: the ladder plans its next one itself.
      if (plan?.nextStage) await changePlan(scope, release.id, target, { nextStage: null })
      if (!isUrgent) continue
      const place = { appId, releaseId: release.id, integrationId }
      await planStopCheck(scope, place, plan!.rollout!.generation)
    }
    if (decided.length === 0) return 0
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `The rollout of ${release.version} is being ${nameOf(to)}${why === undefined ? '' : `: ${why}`}`,
      data: { what: 'rollout', to, isUrgent },
      payload: null,
    })
    return decided.length
  }

  /**
   * Checks that a change can be decided in any of some stores of a release; decides nothing.
   * @throws as `handle` does
   */
  async requireAny(
    release: Standing,
    to: RolloutChange,
    stores: readonly StoreOfRelease[]
  ): Promise<void> {
    await this.#possibleStores(release, stores, to)
  }

  /**
   * Returns the stores in which a change is possible. A stop needs only one such store; any other
   * change must be possible in all running rollouts.
   * @throws rollout_not_running, or the refusal of a store
   */
  async #possibleStores(
    release: Standing,
    meant: readonly StoreOfRelease[],
    to: RolloutChange
  ): Promise<StoreOfRelease[]> {
    const running = meant.filter((store) => canChange(store, to))
    if (running.length === 0) {
      const explanation = whyNotRunning(release, meant, to)
      throw refuse('rollout_not_running', {
        ...explanation,
        ...(await this.#state(release, meant)),
      })
    }
    const possible: StoreOfRelease[] = []
    let refusal: Problem | null = null
    for (const store of running) {
      try {
        await this.#requirePossible(release, store, to)
        possible.push(store)
      } catch (error) {
        if (!(error instanceof Problem) || !stops(to)) throw error
        refusal = error
      }
    }
    if (possible.length === 0) throw refusal!
    return possible
  }

  /** @throws rollout_by_store, rollout_stopped, rollout_only_grows, rollout_no_predecessor */
  async #requirePossible(
    release: Standing,
    store: StoreOfRelease,
    to: RolloutChange
  ): Promise<void> {
    const { target, facts, plan } = store
    const { state, percentage } = facts.rollout
    if (state === 'completed' && stops(to)) {
      const { kind } = await predecessorOf(this.scope, release, target)
      // If the predecessor is unknown here, Google Play decides.
      if (kind !== 'none') return
      throw refuse('rollout_no_predecessor', {
        detail: `${release.version} is out to all users, and there is no earlier version that Google Play could serve again.`,
        remedy:
          'Ship a hotfix, or unpublish the app in the Play Console, so that no new users get it.',
        ...(await this.#state(release, [store])),
      })
    }
    const stop = standingStop(plan)
    if (this.scope.actor.type === 'automation' && !stops(to) && stop !== null) {
      throw refuse('rollout_stopped', {
        detail: `The rollout of ${release.version} was stopped by ${stop.by.name}: only a person can resume it.`,
        ...(await this.#state(release, [store])),
      })
    }
    if (to.action !== 'set') return
    if (target.storeType === 'apple') {
      throw refuse('rollout_by_store', {
        detail:
          'An Apple phased release climbs through 1, 2, 5, 10, 20, 50 and 100 % automatically.',
        remedy: 'Pause, resume or complete it.',
        ...(await this.#state(release, [store])),
      })
    }
    // A halted rollout that had reached all users may resume at any share.
    if (state === 'halted' && percentage === 100) return
    if (isStopped(store)) {
      const is = state === 'active' ? 'being stopped' : state
      throw refuse('rollout_stopped', {
        detail: `The rollout of ${release.version} is ${is} at ${percentage} %.`,
        remedy: helpOn('rollout_stopped'),
        ...(await this.#state(release, [store])),
      })
    }
    if (to.percentage >= percentage) return
    throw refuse('rollout_only_grows', {
      detail: `The rollout of ${release.version} is at ${percentage} %.`,
      remedy: helpOn('rollout_only_grows'),
      ...(await this.#state(release, [store])),
    })
  }

  /** Returns the state of a rollout, and the actions that at least one of the stores allows. */
  async #state(release: Standing, stores: readonly StoreOfRelease[]) {
    const states = stores.flatMap(({ facts }) => facts.rollout.state ?? [])
    const changeable: StoreOfRelease[] = []
    for (const store of stores) {
      const isComplete = store.facts.rollout.state === 'completed'
      const hasNoPredecessor =
        isComplete && (await predecessorOf(this.scope, release, store.target)).kind === 'none'
      if (!hasNoPredecessor) changeable.push(store)
    }
    const possible = ACTIONS.filter((action) =>
      changeable.some((store) => allows(release, store, action))
    )
    const allowedActions = [...possible, ...possibleIn(release, stores)]
    return { currentStatus: states[0] ?? 'notStarted', allowedActions }
  }
}

const ACTIONS = ['pause', 'resume', 'halt', 'complete', 'set'] as const

/**
 * Returns whether a rollout is stopped or about to be: a decision counts from the moment it was
 * made, not from when the store shows it.
 */
function isStopped({ plan, facts }: StoreOfRelease): boolean {
  const { state } = facts.rollout
  const decided = plan?.rollout
  if (decided?.status === 'underWay') return stops(decided.to)
  return state === 'halted' || state === 'paused'
}

/** Returns whether a store of a release would be asked for an action. */
function allows(
  release: Standing,
  store: StoreOfRelease,
  action: (typeof ACTIONS)[number]
): boolean {
  const { target, facts } = store
  const { percentage } = facts.rollout
  if (action === 'pause' || action === 'halt') return canChange(store, { action })
  if (release.status === 'skipped') return false
  if (action !== 'set') return canChange(store, { action })
  if (target.storeType === 'apple' || (isStopped(store) && percentage !== 100)) return false
  return canChange(store, { action, percentage })
}

/** Returns whether a store has something that a change could apply to. */
function canChange({ target, version, facts, plan }: StoreOfRelease, to: RolloutChange): boolean {
  const { state } = facts.rollout
  const known = version?.known ?? null
  // A stop may precede the rollout, because people also publish in the consoles.
  if (state === null) return stops(to) && mayGoOut({ known, wanted: plan?.wanted ?? null })
  const isGone = known?.state === 'replaced' || known?.state === 'removed'
  if (state === 'replaced' || isGone) return false
  if (state === 'completed') return stops(to) && target.storeType === 'google'
  // A partial release is stopped even if the store reports nothing else about its rollout.
  return state === 'active' || (known?.rollout ?? null) !== null
}

/** Returns whether an equal decision is under way and at least as urgent. */
function isUnderWay({ plan }: StoreOfRelease, to: RolloutChange, isUrgent: boolean): boolean {
  const decided = plan?.rollout
  if (decided?.status !== 'underWay') return false
  const isAsUrgent = !isUrgent || decided.isUrgent === true
  return isAsUrgent && JSON.stringify(decided.to) === JSON.stringify(to)
}

/** Explains why a release has no rollout to change, and what people can do instead. */
function whyNotRunning(
  release: Standing,
  stores: readonly StoreOfRelease[],
  to: RolloutChange
): { detail: string; remedy?: string } {
  const { version } = release
  const rollouts = stores.map(({ facts }) => facts.rollout)
  const isApple = stores.some(({ target }) => target.storeType === 'apple')
  if (rollouts.some(({ state }) => state === 'completed')) {
    const remains =
      isApple && stops(to)
        ? 'and the App Store stops nothing after that. Ship a hotfix, or remove it from sale in App Store Connect.'
        : 'and cannot grow further.'
    return { detail: `${version} is out to all users, ${remains}` }
  }
  const replaced = rollouts.find(({ state }) => state === 'replaced')
  if (replaced) {
    const by = replaced.replacedBy ?? 'a later version'
    const detail = `No rollout of ${version} is under way: ${by} took its place.`
    return { detail, remedy: 'Stop that one instead.' }
  }
  const possible = possibleIn(release, stores)
  const remedy = possible.includes('takeOff')
    ? 'It is approved: its takeoff starts the rollout.'
    : possible.includes('developerReject')
      ? 'Withdraw it from review to keep it from users.'
      : undefined
  return { detail: `No rollout of ${version} is under way.`, remedy }
}

/** Converts a derived rollout state to the state that a store shows. */
const shownAs = (state: string) => (state === 'completed' ? 'complete' : state)
