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
  demandOther,
  demandWhole,
  sharedTakeoff,
  takeOffPair,
  takeoffEnding,
} from '../pairs/take_off_pair.js'
import { decideStage } from '../reconciler/decide.js'
import type { PairTakeoff } from '../tables.js'
import { demandIdle, demandNotOver, demandNotStopped, demandStores } from './demand_store.js'

interface TakeOffOptions {
  /** The run of a takeoff step whose stores alone are meant. */
  stepRunId?: string
  /** At the share that it was submitted with, whatever its ladder says now. */
  isForced?: boolean
}

/** Has what a store approved released to users by a worker, or its rollout begun. */
export class TakeOff {
  constructor(private readonly scope: Scope) {}

  /**
   * Releases the version in its stores. What is already out is left alone; a repetition changes
   * nothing. In a pair both releases are taken off, and their stores are asked once both are ready.
   * @returns the number of stores that are asked, or will be
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
    const stores = await demandStores(scope, release, run)
    await demandNotOver(scope, release, stores)
    const open = notReleased(stores)
    if (shared === null) await this.#demandNotEnding(release, stores)
    // One that is on its way alone is taken off with the other all the same.
    const coming = shared === null ? open : stores.filter(({ facts }) => !facts.takeoff.released)
    if (coming.length === 0) return 0
    if (open.length > 0) {
      await demandIdle(scope, release, open)
      const approved = await demandApproved(scope, release, open)
      await demandNotStopped(scope, release, approved)
      if (!isForced) for (const store of approved) await this.#demandLadder(release, store)
      if (shared === null) {
        await this.#release(release, approved)
        return approved.length
      }
    }
    if (run !== null && (await demandStores(scope, release)).length > stores.length) {
      demandWhole(release)
    }
    await demandOther(scope, release, shared!, coming)
    await this.#demandPossible(release, shared!, isForced)
    const isNew = await takeOffPair(scope, release, shared!, { stores: coming, isForced })
    return isNew ? coming.length : 0
  }

  /**
   * The App Store is about to take back what the takeoff of a pair asked for that was ended.
   * @throws store_busy
   */
  async #demandNotEnding(release: Release, stores: readonly StoreOfRelease[]): Promise<void> {
    const { scope } = this
    const isAsked = stores.some(
      ({ target, facts, plan }) =>
        target.storeType === 'apple' &&
        !facts.takeoff.released &&
        plan?.wanted?.isOfPair === true &&
        plan.wanted.is === 'underWay'
    )
    if (!isAsked || (await lockStandingTakeoff(scope, release))) return
    throw await takeoffEnding(scope, release, stores)
  }

  /**
   * Releases one of a pair that was taken off, in the name of whoever did that.
   * @throws as `handle` does
   */
  async ofPair(release: Release, takeoff: PairTakeoff): Promise<void> {
    const { scope } = this
    const stores = await demandStores(scope, release)
    await demandNotOver(scope, release, stores)
    const open = notReleased(stores)
    if (open.length === 0) return
    await demandIdle(scope, release, open)
    const approved = await demandApproved(scope, release, open)
    if (!takeoff.isForced) for (const store of approved) await this.#demandLadder(release, store)
    await this.#release(release, approved, takeoff)
  }

  /**
   * Checks of the other one of a pair, where its store approved it, what is checked once it is its
   * turn: by then the first one may be out. @throws store_busy, ladder_changed
   */
  async #demandPossible(
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
      await demandIdle(scope, release, approved)
      if (!isForced) for (const store of approved) await this.#demandLadder(release, store)
    } catch (error) {
      if (!(error instanceof Problem) || isNamed(scope, appId)) throw error
      const detail = `The store of ${otherName(row, own)} could not be asked to release it.`
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
          ...{ what: 'released', by, at: scope.now },
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
   * The ladder that counts is the one at takeoff. Stores change the share of an approved version by
   * another review alone. @throws ladder_changed
   */
  async #demandLadder(release: Release, store: StoreOfRelease): Promise<void> {
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

/** The stores that neither have it with users nor are being asked for that. */
const notReleased = (stores: readonly StoreOfRelease[]) =>
  stores.filter(
    ({ facts, plan }) =>
      !facts.takeoff.released &&
      !(plan?.wanted?.what === 'released' && plan.wanted.is === 'underWay')
  )

async function demandApproved(
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
