import { onTime } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import { MINUTE } from '#foundation/core/durations'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { releaseExtensions } from '#releases/extensions'
import type Release from '#releases/models/release'
import { recordHoldAfterPairChange } from '#releases/lifecycle/record_hold'
import { planningPort } from '#releases/ports'
import { releaseById, releaseStillThere } from '#releases/queries/find_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { stopTakeoffs } from '../actions/stop_progress.js'
import { TakeOff } from '../actions/take_off.js'
import { releasePairs, type PairTakeoff } from '../tables.js'
import type { StoreType } from '../vocabulary.js'
import {
  isAskedFor,
  lockPair,
  memberOf,
  stateOfPair,
  type PairRow,
  type PairState,
} from './find_pair.js'
import { settleAgain, settleKind, reportKind } from './plan_pair_check.js'
import { stopPaired } from './part_releases.js'
import { nameOfSide, PLATFORM } from './pair_names.js'
import { OTHER, type EndOfTakeoff } from './pair_step.js'
import { endTurn, takeTurn } from './take_off_pair.js'

const SIDES: readonly StoreType[] = ['google', 'apple']

const WORDS: Record<EndOfTakeoff, string> = {
  stopped: 'was stopped',
  withdrawn: 'was withdrawn from review',
  left: 'is over',
}

/**
 * Takes the next step of a pair; idempotent. To avoid deadlocks, it waits for the lock of an app
 * only while it holds none: if the second app is locked, it starts over with that one first. A long
 * write of one app therefore delays the other app only once that write plans this job, at its end:
 * the job's row is free as soon as it is stored.
 */
export const settlePair = onTime(settleKind, {
  actor: 'release pair',
  lease: MINUTE,
  retry: RETRIES.hours,
  lock: (scope, { payload: { appIds } }) => scope.lock('apps', appIds[0]),
  async act(scope, { subject, payload: { appIds } }) {
    const [first, second] = appIds
    if (!(await scope.lockIfFree('apps', second))) {
      return settleAgain(scope, subject, [second, first])
    }
    const row = await lockPair(scope, subject)
    if (!row) return
    await new SettlePair(scope, row).handle()
    for (const side of SIDES) {
      const { appId, releaseId } = memberOf(row, side)
      const release = await releaseById(scope, appId, releaseId)
      await recordHoldAfterPairChange(scope, release)
      for (const { lifecycle } of releaseExtensions.all) {
        await lifecycle?.otherMoved?.(scope, release)
      }
    }
  },
})

/** Records an action on one release of a pair in the timeline of the other. */
export const reportPaired = onTime(reportKind, {
  actor: 'release pair',
  lease: MINUTE,
  retry: RETRIES.hours,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  async act(scope, { payload }) {
    const { appId, releaseId, type, title, by: actor, turn, stoppedFor } = payload
    const release = await releaseStillThere(scope, appId, releaseId)
    if (!release) return
    recordReleaseEvent(scope, release, { type, title, actor, payload: null })
    if (stoppedFor !== null) await stopPaired(scope, release, stoppedFor)
    if (turn === 'failed') await endTurn(scope, release, title)
    if (turn === 'done') await takeTurn(scope, release)
    if (type === 'pair.parted') await recordHoldAfterPairChange(scope, release)
  },
})

class SettlePair {
  constructor(
    private readonly scope: Scope,
    private readonly row: PairRow
  ) {}

  async handle(): Promise<void> {
    const state = await stateOfPair(this.scope, this.row)
    const takeoff = this.#standingRequest(state)
    const { step } = state
    if (step.kind === 'alone') return this.#reportAlone(step.side, state)
    if (takeoff === null) return
    if (takeoff.endedFor !== undefined) return this.#end(takeoff, takeoff.endedFor, state)
    if (step.kind === 'ended') {
      const reason = `the ${PLATFORM[step.side]} release ${WORDS[step.why]}`
      return this.#end(takeoff, reason, state)
    }
    if (step.kind === 'asks' && !takeoff.asked.includes(step.side)) {
      await this.#ask(takeoff, step.side, state)
    }
  }

  /**
   * Returns the takeoff without the requests that a later decision replaced: they are made again
   * when their turn comes.
   */
  #standingRequest({ sides }: PairState): PairTakeoff | null {
    const { takeoff } = this.row
    return (
      takeoff && {
        ...takeoff,
        asked: takeoff.asked.filter((side) => isAskedFor(sides[side].stores)),
      }
    )
  }

  #release(side: StoreType): Promise<Release> {
    const { appId, releaseId } = memberOf(this.row, side)
    return releaseById(this.scope, appId, releaseId)
  }

  /** Calls each store once per takeoff; people decide about a refusal. */
  async #ask(takeoff: PairTakeoff, side: StoreType, state: PairState): Promise<void> {
    const { scope, row } = this
    const isFirst = takeoff.asked.length === 0 && state.sides[OTHER[side]].side.status !== 'out'
    if (isFirst && takeoff.by.type === 'automation') {
      const isHeld = await this.#isHeld(takeoff, state)
      if (isHeld) return
    }
    try {
      await new TakeOff(scope).ofPair(await this.#release(side), takeoff)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      const reason = `the ${PLATFORM[side]} release could not be released`
      return this.#end(takeoff, reason, state, { side, message: error.message })
    }
    const requested = [...takeoff.asked, side]
    await scope.update(releasePairs, { id: row.id }, { takeoff: { ...takeoff, asked: requested } })
  }

  /** Checks again whether the automation may release both, as both releases are now. */
  async #isHeld(takeoff: PairTakeoff, state: PairState): Promise<boolean> {
    const { scope, row } = this
    const { whyHeld, warnings, ended } = planningPort.provided
    const reason = await whyHeld(scope, state.sides[takeoff.of].release, takeoff.by)
    if (reason !== null) {
      await scope.update(releasePairs, { id: row.id }, { takeoff: null })
      const release = await this.#release(takeoff.of)
      await ended(scope, release, { action: 'release', result: 'held', reason })
      return true
    }
    const [against] = await warnings(scope, await this.#release(OTHER[takeoff.of]), 'release')
    if (!against) return false
    await this.#end(takeoff, 'a freeze of the other app is on', state)
    return true
  }

  /**
   * Ends the takeoff: it releases nothing more, and released versions stay.
   * @param reason as both timelines may show it
   * @param refusal the store's message, for the timeline of one release only
   */
  async #end(
    takeoff: PairTakeoff,
    reason: string,
    { sides }: PairState,
    refusal?: { side: StoreType; message: string }
  ): Promise<void> {
    const { scope, row } = this
    const isReported = SIDES.some((side) => sides[side].side.status === 'out')
    await scope.update(releasePairs, { id: row.id }, { takeoff: null, isReported })
    const why = (side: StoreType) =>
      refusal?.side === side ? `${reason}: ${refusal.message}` : reason
    for (const side of SIDES) {
      const { status } = sides[side].side
      if (status === 'out') continue
      const release = await this.#release(side)
      if (takeoff.asked.includes(side))
        await stopTakeoffs(
          scope,
          release,
          `It goes out with ${nameOfSide(OTHER[side])}, and ${why(side)}`
        )
      recordReleaseEvent(scope, release, {
        type: 'pair.ended',
        title: `${release.version} does not go out with ${nameOfSide(OTHER[side])}: ${why(side)}`,
        payload: null,
      })
    }
    if (takeoff.by.type === 'automation') {
      await endTurn(
        scope,
        await this.#release(takeoff.of),
        `the pair does not go out: ${why(takeoff.of)}`
      )
    }
  }

  /** Notifies people once that the other release went out without a takeoff of both. */
  async #reportAlone(side: StoreType, { sides }: PairState): Promise<void> {
    const { scope, row } = this
    if (row.isReported || sides[OTHER[side]].side.status !== 'out') return
    await scope.update(releasePairs, { id: row.id }, { isReported: true })
    const release = await this.#release(side)
    recordReleaseEvent(scope, release, {
      type: 'pair.apart',
      title: `${release.version} waits for its own takeoff: ${nameOfSide(OTHER[side])} is out, and nobody started a takeoff of both`,
      payload: null,
    })
  }
}
