import { later, type Instant } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { storeStepFacts } from '#stores/observations/store_step_facts'
import { changePlan } from '#stores/decisions/change_plan'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { failedBefore } from '#stores/queries/failed_before'
import { nameOf } from '#stores/decisions/rollout_names'
import { standingStop } from '#stores/decisions/standing_stop'
import { stops } from '#stores/reconciler/states'
import type { RolloutChange, WantedRollout } from '#stores/tables'
import { PAUSE_BUDGET } from '../policy/next_phase.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { isApple, isOver, ladderMove, pausedDaysOf, phaseMove, type Standing } from '../due_move.js'
import { storeFindings } from '../queries/guard_findings.js'
import { standingNow } from '../queries/standing_now.js'
import { trafficOfStores } from '../queries/traffic.js'
import { rollouts, type Finding, type RolloutRow } from '../tables.js'
import { waitText } from '../guard/late_words.js'
import { judgementText } from '../guard/judgement_text.js'
import { checkKind } from '../work_kinds.js'
import { subjectOf } from '../watch_rollouts.js'
import { CallPeople, NO_BASELINE, pausesLeft } from './call_people.js'
import { StopUnhealthy, type Judged } from './stop_unhealthy.js'

/** Milliseconds between two checks by the guard. */
const LOOK_EVERY = 120 * MINUTE

/** Milliseconds until the next check while a store is being called. */
const SOON = 5 * MINUTE

type Change = Partial<Pick<RolloutRow, 'next' | 'pausedFor' | 'calledFor' | 'issueId' | 'stages'>>
type Moved = Change & { at?: Instant }

/** Texts of reasons why a rollout is held. */
export const SAID: Record<string, string> = {
  notEnoughData: 'there is not enough data to let the version reach more users',
  late: 'the data about it has not arrived yet',
  silent: 'no data arrives about the version',
  noBaseline: NO_BASELINE,
  quiet: 'no rollout may grow on this day',
  closed: 'the policy has no day on which it may grow',
  automations: 'automations are paused',
  budget: `the store allows no more than ${PAUSE_BUDGET} days of pause in all`,
}

/** Checks a rollout that a policy drives: judges its health, and makes the next move. */
export class MoveRollout {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    store: StoreOfRelease,
    row: RolloutRow,
    policy: RolloutPolicy
  ): Promise<void> {
    const { scope } = this
    const { samples, isHeld, ...standing } = await standingNow(scope, {
      release,
      store,
      row,
      policy,
    })
    await this.#judged(release, row, standing.found)
    await storeFindings(scope, row, standing.found)
    const call = new CallPeople(scope, { release, row, policy })
    const given = { ...standing, call }
    if (isOver(release)) {
      await this.#storeNextStage(given, null)
      const said = leftAs(release, store, row, true)
      if (said) call.ofEnd(said)
    } else {
      const isClimbing = store.facts.rollout.state === 'active'
      if (isClimbing) call.ofNoBaseline(standing.found, isApple(store) ? pausedDaysOf(store) : null)
      if (policy.guard !== null) {
        const traffic = await trafficOfStores(scope, release.appId)
        call.ofBudget(traffic.get(store.destinationId) ?? new Map(), isApple(store))
      }
    }
    const { at: wanted, ...rest } = await this.#move(given, isHeld)
    const latest = later(scope.now, LOOK_EVERY)
    const lookAt = wanted !== undefined && wanted < latest ? wanted : latest
    const looked = { judgements: standing.found, samples, calledFor: call.calledFor, lookAt }
    await scope.update(rollouts, { id: row.id }, { ...rest, ...looked })
    const { appId, releaseId, integrationId } = row
    await scope.jobs.plan(checkKind, {
      subject: subjectOf(row),
      at: lookAt,
      payload: { appId, releaseId, integrationId },
    })
  }

  async #move(given: Given, isHeld: boolean): Promise<Moved> {
    if (isAwaited(given)) return { at: later(this.scope.now, SOON) }
    if (isStoppedByPerson(given)) return this.#stay(given)
    return isApple(given.store) ? this.#phase(given, isHeld) : this.#ladder(given, isHeld)
  }

  /** Ends the watch of a rollout: no move of it is planned any more. */
  async leave(release: Release, store: StoreOfRelease, row: RolloutRow): Promise<void> {
    const { scope } = this
    await this.#storeNextStage({ release, store }, null)
    const reported = row.lookAt === null ? null : leftAs(release, store, row, false)
    if (reported) {
      recordReleaseEvent(scope, release, {
        type: 'rollout.held',
        title: `The rollout of ${release.version} ${reported}`,
        data: { reason: 'left', until: null, call: [] },
        payload: null,
      })
    }
    const none = { lookAt: null, next: null, pausedFor: null }
    await scope.update(rollouts, { id: row.id }, none)
  }

  async #ladder(given: Given, isHeld: boolean): Promise<Moved> {
    const { scope } = this
    const { policy, health } = given
    const { state } = given.store.facts.rollout
    const isStopped = state === 'halted' || state === 'paused'
    if (isStopped && health === 'unhealthy') return this.#stop(given)
    if (isOver(given.release)) return health === 'unhealthy' ? this.#stop(given) : { next: null }
    const move = ladderMove(given, scope.now)
    switch (move.what) {
      case 'stay':
        return { next: null }
      case 'halt':
        return this.#stop(given)
      case 'hold':
        await this.#storeNextStage(given, null)
        if (move.isOverdue) given.call.ofDate()
        return this.#hold(given, move.reason, move.isLate)
      case 'grow': {
        if (move.isOverdue) given.call.ofDate()
        // The policy releases hotfixes to all at once; a smaller share was chosen by a person, who
        // decides on.
        if (given.release.createType === 'hotfix' && policy.hotfix === 'atOnce') {
          await this.#storeNextStage(given, null)
          return { next: null }
        }
        if (isHeld) {
          await this.#storeNextStage(given, null)
          return this.#hold(given, 'automations', false)
        }
        if (move.at > scope.now) {
          await this.#storeNextStage(given, { at: move.at, percentage: move.percentage })
          return { at: move.at, next: null }
        }
        const to: RolloutChange =
          move.percentage === 100
            ? { action: 'complete' }
            : { action: 'set', percentage: move.percentage }
        return { at: later(scope.now, SOON), next: await this.#ask(given, to) }
      }
    }
  }

  async #phase(all: Given, isHeld: boolean): Promise<Moved> {
    const row = withOverruled(all.row, all.store)
    const moved = await this.#movePhase({ ...all, row }, isHeld)
    return row === all.row ? moved : { stages: row.stages, ...moved }
  }

  async #movePhase(given: Given, isHeld: boolean): Promise<Moved> {
    const { scope } = this
    const { release, store, row, health } = given
    const { state } = store.facts.rollout
    const isStopped = state === 'halted' || state === 'paused'
    if (isStopped && health === 'unhealthy') {
      return { ...(await this.#stop(given)), pausedFor: 'unhealthy' }
    }
    const pausedDays = pausedDaysOf(store)
    const move = phaseMove(given, scope.now)
    const freed = isStopped ? {} : { pausedFor: null }
    if (move.what === 'pause') {
      if (move.reason === 'unhealthy') {
        return { ...(await this.#stop(given)), pausedFor: 'unhealthy' }
      }
      await this.#ask(given, { action: 'pause' })
      const reported = this.#hold(given, move.reason, move.reason !== 'quiet', pausedDays)
      return { ...reported, at: later(scope.now, SOON), pausedFor: move.reason }
    }
    if (move.what === 'stay') {
      if (move.reason !== 'budget') return { ...freed, next: null, ...(move.at && { at: move.at }) }
      const reported = health === 'unhealthy' ? await this.#stop(given, false) : {}
      return { ...freed, ...reported, ...this.#hold(given, 'budget', true) }
    }
    if (isOver(release)) return { next: null }
    if (isHeld) return this.#hold(given, 'automations', false)
    if (move.at === null) {
      return this.#hold(given, SAID[health] ? health : 'notEnoughData', true, pausedDays)
    }
    if (move.at > scope.now) {
      const message = 'The rollout resumes after days on which no rollout may grow.'
      return { at: move.at, next: { what: 'rolloutResumed', message, at: move.at } }
    }
    const next = await this.#ask(given, { action: 'resume' })
    return { at: later(scope.now, SOON), pausedFor: next && row.pausedFor, next }
  }

  /** Leaves a rollout as it is that a person stopped, even if the store did not stop it. */
  async #stay(given: Given): Promise<Moved> {
    await this.#storeNextStage(given, null)
    return { next: null }
  }

  /**
   * Decides a change, unless the store already refused an equal one.
   * @returns the entry about that refusal; null if the change was decided
   */
  async #ask({ release, store }: Given, to: RolloutChange): Promise<RolloutRow['next']> {
    const { scope } = this
    const failed = await failedBefore(scope, store, to)
    if (failed === null) {
      const { destinationId } = store
      await new ChangeRollout(scope).handle(release, to, { destinationId })
      return null
    }
    const why = failed.reason === null ? '' : `: ${failed.reason}`
    const message = `The rollout could not be ${nameOf(to)}${why}`.slice(0, 900)
    return {
      what: 'rolloutHeld',
      at: later(scope.now, LOOK_EVERY),
      message: `${message} The store is asked again once it shows a change, or a person decides.`,
    }
  }

  #stop(given: Given, canStop = true): Promise<Change> {
    return new StopUnhealthy(this.scope).handle(given, canStop)
  }

  /**
   * Holds a rollout, and calls people if it should have gone on by now.
   * @param pausedDays whole days of pause that Apple has counted, if it is paused
   */
  #hold(given: Given, reason: string, isLate: boolean, pausedDays?: number): Change {
    const { call, found, store } = given
    const at = later(this.scope.now, LOOK_EVERY)
    // If the store allows no more pauses, the rollout grows by itself.
    let state = pausedDays === undefined ? 'is held' : 'is paused'
    if (reason === 'budget') state = 'goes on by itself'
    const left = pausedDays === undefined ? '' : pausesLeft(pausedDays)
    const { percentage } = store.facts.rollout
    const isOfData = reason === 'late' || reason === 'notEnoughData' || reason === 'silent'
    const wait = isOfData ? waitText(found, percentage, this.scope.now) : null
    const text = `${state}: ${SAID[reason] ?? reason}${wait === null ? '' : `. ${wait.slice(0, -1)}`}`
    if (isLate) call.ofHold(reason, `${text}.${left}`)
    const message = `The rollout ${text}.${left} It is judged again then.`
    return { next: { what: 'rolloutHeld', at, message } }
  }

  async #storeNextStage(
    { release, store: { plan, target } }: Pick<Given, 'release' | 'store'>,
    nextStage: { at: Instant; percentage: number } | null
  ): Promise<void> {
    const { scope } = this
    if (JSON.stringify(plan?.nextStage ?? null) === JSON.stringify(nextStage)) return
    await changePlan(scope, release.id, target, { nextStage })
    await storeStepFacts(scope, release)
  }

  /** Records findings whose verdict changed in the timeline. */
  async #judged(release: Release, row: RolloutRow, found: readonly Finding[]): Promise<void> {
    for (const each of found) {
      const before = row.judgements.find(({ metric }) => metric === each.metric)
      if (before?.verdict === each.verdict) continue
      recordReleaseEvent(this.scope, release, {
        type: 'rollout.judged',
        title: judgementText(each),
        data: { ...each, percentage: row.stages.at(-1)!.percentage },
        payload: null,
      })
    }
  }
}

/** A rollout, with all that its next move depends on. */
interface Given extends Judged, Standing {
  call: CallPeople
}

/** Returns the text about a rollout that is left to people; null if there is nothing to say. */
function leftAs(
  release: Release,
  store: StoreOfRelease,
  row: RolloutRow,
  isWatched: boolean
): string | null {
  const { state, percentage } = store.facts.rollout
  if (state === 'paused' && row.pausedFor !== null) {
    return `stays paused at ${percentage} %: the service no longer resumes it`
  }
  // A person who removes a policy knows the effect; one who completes a release may not.
  if (state !== 'active' || !isOver(release)) return null
  const goesOn = isApple(store) ? 'goes on by itself from' : 'stays at'
  const { status } = release
  return isWatched
    ? `${goesOn} ${percentage} %: the release is ${status}, and its policy no longer moves it. Its guard keeps watching it.`
    : `${goesOn} ${percentage} %, and is no longer watched: the release is ${status}`
}

/**
 * Returns whether a decision under way is awaited. An unhealthy version is stopped even then,
 * unless somebody who knew of it decided the change.
 */
function isAwaited({ store, row, health }: Given): boolean {
  const requested = store.plan?.rollout
  if (requested?.is !== 'underWay') return false
  if (health !== 'unhealthy') return true
  return stops(requested.to) ? requested.isUrgent === true : isDecidedKnowing(requested, row)
}

/**
 * Returns whether a stop stands that only a person may end, although the version goes on in the
 * store.
 */
const isStoppedByPerson = ({ store, health }: Given) =>
  standingStop(store.plan) !== null &&
  store.facts.rollout.state === 'active' &&
  health !== 'unhealthy'

function isDecidedKnowing({ by, at }: WantedRollout, { stages }: RolloutRow): boolean {
  const { unhealthyAt } = stages.at(-1)!
  return by.type !== 'automation' && unhealthyAt !== undefined && at >= unhealthyAt
}

/**
 * Returns the rollout, with the reason of its pause noted as overruled if a person ended that
 * pause.
 */
function withOverruled(row: RolloutRow, { plan, facts }: StoreOfRelease): RolloutRow {
  const decided = plan?.rollout ?? null
  const isForPerson = decided?.to.action === 'resume' && decided.by.type !== 'automation'
  if (row.pausedFor === null || facts.rollout.state !== 'active' || !isForPerson) return row
  const last = row.stages.at(-1)!
  const overruled = [...(last.overruled ?? []), row.pausedFor]
  return { ...row, stages: [...row.stages.slice(0, -1), { ...last, overruled }] }
}
