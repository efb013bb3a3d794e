import { helpOn } from '#foundation/core/problems/catalog'
import { Problem, refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { releaseById } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { decideInStore } from '../decisions/decide_in_store.js'
import { approvedOf, standingIn } from '../decisions/possible.js'
import type { StoreOfRelease } from '../queries/store_state.js'
import { otherShareOf } from '../queries/submitted_share.js'
import { lockStandingTakeoff, type Paired, type PairRow } from '../pairs/find_pair.js'
import { isNamed, otherName } from '../pairs/pair_names.js'
import {
  requireOther,
  requireWhole,
  sharedTakeoff,
  takeOffPair,
  takeoffEnding,
} from '../pairs/take_off_pair.js'
import { decideStage } from '../reconciler/decide.js'
import type { PairTakeoff } from '../tables.js'
import { requireIdle, requireNotOver, requireNotStopped, requireStores } from './require_store.js'

interface TakeOffOptions {
  /** Only the stores of this run of a takeoff step. */
  stepRunId?: string
  /** Releases at the submitted share, even if the ladder has changed since. */
  isForced?: boolean
}

/**
 * Decides to release approved versions to users, or to start their rollouts. A worker calls the
 * stores.
 */
export class TakeOff {
  constructor(private readonly scope: Scope) {}

  /**
   * Releases the version in its stores. Versions that are already out do not change. Idempotent. In
   * a pair, takes off both releases; their stores are called once both are ready.
   * @returns the number of stores that are or will be called
   * @throws release_completed, release_skipped, integration_missing, store_busy, not_approved,
   *   rollout_stopped, ladder_changed; in a pair release_paired, app_scope_missing; for a run
   *   not_found, step_type_mismatch, step_run_superseded
   */
  async handle(
    release: Release,
    { stepRunId, isForced = false }: TakeOffOptions = {}
  ): Promise<number> {
    const { scope } = this
    const shared = await sharedTakeoff(scope, release)
    const run = stepRunId === undefined ? null : { stepRunId, types: ['takeoff'] as const }
    const stores = await requireStores(scope, release, run)
    await requireNotOver(scope, release, stores)
    const open = notReleased(stores)
    if (shared === null) await this.#requireNotEnding(release, stores)
    // In a pair, the takeoff includes a version that is already being released alone.
    const included = shared === null ? open : stores.filter(({ facts }) => !facts.takeoff.released)
    if (included.length === 0) return 0
    if (open.length > 0) {
      await requireIdle(scope, release, open)
      const approved = await requireApproved(scope, release, open)
      await requireNotStopped(scope, release, approved)
      if (!isForced) for (const store of approved) await this.#requireLadder(release, store)
      if (shared === null) {
        await this.#release(release, approved)
        return approved.length
      }
    }
    if (run !== null && (await requireStores(scope, release)).length > stores.length) {
      requireWhole(release)
    }
    await requireOther(scope, release, shared!, included)
    await this.#requireOtherPossible(release, shared!, isForced)
    const isNew = await takeOffPair(scope, release, shared!, { stores: included, isForced })
    return isNew ? included.length : 0
  }

  /**
   * Requires that the App Store is not still releasing a version for a joint takeoff that has
   * ended.
   * @throws store_busy
   */
  async #requireNotEnding(release: Release, stores: readonly StoreOfRelease[]): Promise<void> {
    const { scope } = this
    const isAsked = stores.some(
      ({ target, facts, plan }) =>
        target.storeType === 'apple' &&
        !facts.takeoff.released &&
        plan?.wanted?.isOfPair === true &&
        plan.wanted.status === 'underWay'
    )
    if (!isAsked || (await lockStandingTakeoff(scope, release))) return
    throw await takeoffEnding(scope, release, stores)
  }

  /**
   * Releases one release of a pair, on behalf of the person who started the joint takeoff.
   * @throws as `handle` does
   */
  async ofPair(release: Release, takeoff: PairTakeoff): Promise<void> {
    const { scope } = this
    const stores = await requireStores(scope, release)
    await requireNotOver(scope, release, stores)
    const open = notReleased(stores)
    if (open.length === 0) return
    await requireIdle(scope, release, open)
    const approved = await requireApproved(scope, release, open)
    if (!takeoff.isForced) for (const store of approved) await this.#requireLadder(release, store)
    await this.#release(release, approved, takeoff)
  }

  /**
   * Checks the other release in advance, if its store has approved it: when it is released, this
   * one may already be out.
   * @throws store_busy, ladder_changed
   */
  async #requireOtherPossible(
    own: Release,
    { row, other }: { row: PairRow; other: Paired },
    isForced: boolean
  ): Promise<void> {
    const { scope } = this
    const { appId, id } = other.release
    const approved = approvedOf(notReleased(other.stores))
    if (approved.length === 0) return
    const release = await releaseById(scope, appId, id)
    try {
      await requireIdle(scope, release, approved)
      if (!isForced) for (const store of approved) await this.#requireLadder(release, store)
    } catch (error) {
      if (!(error instanceof Problem) || isNamed(scope, appId)) throw error
      const detail = `The store of ${otherName(row, own)} cannot release it now.`
      throw refuse(error.code, { detail, ...(await standingIn(scope, own, [])) })
    }
  }

  async #release(
    release: Release,
    stores: readonly StoreOfRelease[],
    takeoff: PairTakeoff | null = null
  ): Promise<void> {
    const { scope } = this
    const by = takeoff?.by ?? scope.actor
    for (const { target } of stores) {
      await decideInStore(scope, release, target, (record, version) =>
        decideStage(record, version, {
          what: 'released',
          by,
          at: scope.now,
          ...(takeoff && { isOfPair: true }),
        })
      )
    }
    recordReleaseEvent(scope, release, {
      type: 'store.asked',
      title: `${release.version} is being released to users`,
      actor: by,
      data: { what: 'released' },
      payload: null,
    })
  }

  /**
   * Requires that the version was submitted with the first share of its current ladder: stores
   * change the share of an approved version only through another review.
   * @throws ladder_changed
   */
  async #requireLadder(release: Release, store: StoreOfRelease): Promise<void> {
    const { scope } = this
    const other = await otherShareOf(scope, release, store)
    if (!other) return
    const { submitted, wanted, is, instead } = other
    const { currentStatus, allowedActions } = await standingIn(scope, release, [store])
    throw refuse('ladder_changed', {
      detail: is,
      remedy: `Release it as submitted with force=true, or ${instead}.`,
      currentStatus,
      allowedActions: [...allowedActions.filter((each) => each !== 'takeOff'), 'force'],
      members: {
        ladder: {
          submitted: submitted === null ? null : submitted * 100,
          wanted: wanted === null ? null : wanted * 100,
        },
      },
    })
  }
}

/** Returns the stores that have not released the version and have no pending call to do so. */
const notReleased = (stores: readonly StoreOfRelease[]) =>
  stores.filter(
    ({ facts, plan }) =>
      !facts.takeoff.released &&
      !(plan?.wanted?.what === 'released' && plan.wanted.status === 'underWay')
  )

async function requireApproved(
  scope: Scope,
  release: Release,
  stores: readonly StoreOfRelease[]
): Promise<StoreOfRelease[]> {
  const approved = approvedOf(stores)
  if (approved.length > 0) return approved
  throw refuse('not_approved', {
    detail: `The store has not approved ${release.version}.`,
    remedy: helpOn('not_approved'),
    ...(await standingIn(scope, release, stores)),
  })
}
