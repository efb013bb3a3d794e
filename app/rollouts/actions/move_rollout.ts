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

/** Interval between two checks by the guard, in milliseconds. */
const CHECK_INTERVAL = 120 * MINUTE

/** Interval between two checks while a store is being called, in milliseconds. */
const CHECK_WHILE_CALLING = 5 * MINUTE

type Change = Partial<Pick<RolloutRow, 'next' | 'pausedFor' | 'calledFor' | 'issueId' | 'stages'>>
type Move = Change & { at?: Instant }

/** Texts of the reasons for holding a rollout. */
export const HOLD_REASONS: Record<string, string> = {
  notEnoughData: 'there is not enough data to let the version reach more users',
  late: 'the data about it has not arrived yet',
  silent: 'no data arrives about the version',
  noBaseline: NO_BASELINE,
  quiet: 'rollouts may not grow on this day',
  closed: 'the policy has no day on which a rollout may grow',
  automations: 'automations are paused',
  budget: `the store allows no more than ${PAUSE_BUDGET} days of pause in total`,
}

/** Checks a rollout that follows a policy: judges its health, and makes the next move. */
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
    await this.#recordJudgements(release, row, standing.found)
    await storeFindings(scope, row, standing.found)
    const call = new CallPeople(scope, { release, row, policy })
    const rollout = { ...standing, call }
    if (isOver(release)) {
      await this.#storeNextStage(rollout, null)
      const text = unwatchedText(release, store, row, true)
      if (text) call.aboutEnd(text)
    } else {
      const isGrowing = store.facts.rollout.state === 'active'
      if (isGrowing)
        call.aboutMissingBaseline(standing.found, isApple(store) ? pausedDaysOf(store) : null)
      if (policy.guard !== null) {
        const traffic = await trafficOfStores(scope, release.appId)
        call.aboutBudget(traffic.get(store.destinationId) ?? new Map(), isApple(store))
      }
    }
    const { at: wanted, ...rest } = await this.#move(rollout, isHeld)
    const latest = later(scope.now, CHECK_INTERVAL)
    const lookAt = wanted !== undefined && wanted < latest ? wanted : latest
    const checked = { judgements: standing.found, samples, calledFor: call.calledFor, lookAt }
    await scope.update(rollouts, { id: row.id }, { ...rest, ...checked })
    const { appId, releaseId, integrationId } = row
    await scope.jobs.plan(checkKind, {
      subject: subjectOf(row),
      at: lookAt,
      payload: { appId, releaseId, integrationId },
    })
  }

  async #move(rollout: Rollout, isHeld: boolean): Promise<Move> {
    if (isAwaited(rollout)) return { at: later(this.scope.now, CHECK_WHILE_CALLING) }
    if (isHeldByPerson(rollout)) return this.#stay(rollout)
    return isApple(rollout.store) ? this.#phase(rollout, isHeld) : this.#ladder(rollout, isHeld)
  }

  /** Stops watching a rollout, and cancels its planned move. */
  async leave(release: Release, store: StoreOfRelease, row: RolloutRow): Promise<void> {
    const { scope } = this
    await this.#storeNextStage({ release, store }, null)
    const reported = row.lookAt === null ? null : unwatchedText(release, store, row, false)
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

  async #ladder(rollout: Rollout, isHeld: boolean): Promise<Move> {
    const { scope } = this
    const { policy, health } = rollout
    const { state } = rollout.store.facts.rollout
    const isStopped = state === 'halted' || state === 'paused'
    if (isStopped && health === 'unhealthy') return this.#stop(rollout)
    if (isOver(rollout.release))
      return health === 'unhealthy' ? this.#stop(rollout) : { next: null }
    const move = ladderMove(rollout, scope.now)
    switch (move.what) {
      case 'stay':
        return { next: null }
      case 'halt':
        return this.#stop(rollout)
      case 'hold':
        await this.#storeNextStage(rollout, null)
        if (move.isOverdue) rollout.call.aboutDeadline()
        return this.#hold(rollout, move.reason, move.isLate)
      case 'grow': {
        if (move.isOverdue) rollout.call.aboutDeadline()
        // The policy releases hotfixes to everybody at once. A person chose a smaller share, and
        // decides when it grows.
        if (rollout.release.createType === 'hotfix' && policy.hotfix === 'atOnce') {
          await this.#storeNextStage(rollout, null)
          return { next: null }
        }
        if (isHeld) {
          await this.#storeNextStage(rollout, null)
          return this.#hold(rollout, 'automations', false)
        }
        if (move.at > scope.now) {
          await this.#storeNextStage(rollout, { at: move.at, percentage: move.percentage })
          return { at: move.at, next: null }
        }
        const to: RolloutChange =
          move.percentage === 100
            ? { action: 'complete' }
            : { action: 'set', percentage: move.percentage }
        return { at: later(scope.now, CHECK_WHILE_CALLING), next: await this.#decide(rollout, to) }
      }
    }
  }

  async #phase(all: Rollout, isHeld: boolean): Promise<Move> {
    const row = withOverruledPause(all.row, all.store)
    const moved = await this.#movePhase({ ...all, row }, isHeld)
    return row === all.row ? moved : { stages: row.stages, ...moved }
  }

  async #movePhase(rollout: Rollout, isHeld: boolean): Promise<Move> {
    const { scope } = this
    const { release, store, row, health } = rollout
    const { state } = store.facts.rollout
    const isStopped = state === 'halted' || state === 'paused'
    if (isStopped && health === 'unhealthy') {
      return { ...(await this.#stop(rollout)), pausedFor: 'unhealthy' }
    }
    const pausedDays = pausedDaysOf(store)
    const move = phaseMove(rollout, scope.now)
    const unpaused = isStopped ? {} : { pausedFor: null }
    if (move.what === 'pause') {
      if (move.reason === 'unhealthy') {
        return { ...(await this.#stop(rollout)), pausedFor: 'unhealthy' }
      }
      await this.#decide(rollout, { action: 'pause' })
      const reported = this.#hold(rollout, move.reason, move.reason !== 'quiet', pausedDays)
      return { ...reported, at: later(scope.now, CHECK_WHILE_CALLING), pausedFor: move.reason }
    }
    if (move.what === 'stay') {
      if (move.reason !== 'budget')
        return { ...unpaused, next: null, ...(move.at && { at: move.at }) }
      const reported = health === 'unhealthy' ? await this.#stop(rollout, false) : {}
      return { ...unpaused, ...reported, ...this.#hold(rollout, 'budget', true) }
    }
    if (isOver(release)) return { next: null }
    if (isHeld) return this.#hold(rollout, 'automations', false)
    if (move.at === null) {
      return this.#hold(rollout, HOLD_REASONS[health] ? health : 'notEnoughData', true, pausedDays)
    }
    if (move.at > scope.now) {
      const message = 'The rollout resumes after the days on which rollouts may not grow.'
      return { at: move.at, next: { what: 'rolloutResumed', message, at: move.at } }
    }
    const next = await this.#decide(rollout, { action: 'resume' })
    return { at: later(scope.now, CHECK_WHILE_CALLING), pausedFor: next && row.pausedFor, next }
  }

  /** Leaves alone a rollout that a person stopped, even if the store has not stopped it. */
  async #stay(rollout: Rollout): Promise<Move> {
    await this.#storeNextStage(rollout, null)
    return { next: null }
  }

  /**
   * Decides a change, unless the store already refused the same one.
   * @returns the entry about that refusal; null if the change was decided
   */
  async #decide({ release, store }: Rollout, to: RolloutChange): Promise<RolloutRow['next']> {
    const { scope } = this
    const refused = await failedBefore(scope, store, to)
    if (refused === null) {
      const { destinationId } = store
      await new ChangeRollout(scope).handle(release, to, { destinationId })
      return null
    }
    const why = refused.reason === null ? '' : `: ${refused.reason}`
    const message = `The rollout could not be ${nameOf(to)}${why}`.slice(0, 900)
    return {
      what: 'rolloutHeld',
      at: later(scope.now, CHECK_INTERVAL),
      message: `${message} The service retries once the state in the store changes. You can also change the rollout yourself.`,
    }
  }

  #stop(rollout: Rollout, canStop = true): Promise<Change> {
    return new StopUnhealthy(this.scope).handle(rollout, canStop)
  }

  /**
   * Holds a rollout, and notifies people if it is late.
   * @param pausedDays whole days of pause that Apple has counted, if it is paused
   */
  #hold(rollout: Rollout, reason: string, isLate: boolean, pausedDays?: number): Change {
    const { call, found, store } = rollout
    const at = later(this.scope.now, CHECK_INTERVAL)
    // If the store allows no more pauses, the rollout grows by itself.
    let state = pausedDays === undefined ? 'is held' : 'is paused'
    if (reason === 'budget') state = 'continues automatically'
    const left = pausedDays === undefined ? '' : pausesLeft(pausedDays)
    const { percentage } = store.facts.rollout
    const lacksData = reason === 'late' || reason === 'notEnoughData' || reason === 'silent'
    const wait = lacksData ? waitText(found, percentage, this.scope.now) : null
    const text = `${state}: ${HOLD_REASONS[reason] ?? reason}${wait === null ? '' : `. ${wait.slice(0, -1)}`}`
    if (isLate) call.aboutHold(reason, `${text}.${left}`)
    const message = `The rollout ${text}.${left} It is checked again then.`
    return { next: { what: 'rolloutHeld', at, message } }
  }

  async #storeNextStage(
    { release, store: { plan, target } }: Pick<Rollout, 'release' | 'store'>,
    nextStage: { at: Instant; percentage: number } | null
  ): Promise<void> {
    const { scope } = this
    if (JSON.stringify(plan?.nextStage ?? null) === JSON.stringify(nextStage)) return
    await changePlan(scope, release.id, target, { nextStage })
    await storeStepFacts(scope, release)
  }

  /** Records in the timeline each finding whose verdict changed. */
  async #recordJudgements(
    release: Release,
    row: RolloutRow,
    found: readonly Finding[]
  ): Promise<void> {
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

/** A rollout, with everything that its next move depends on. */
interface Rollout extends Judged, Standing {
  call: CallPeople
}

/** Returns the text about a rollout that no policy moves any more; null if nobody needs to know. */
function unwatchedText(
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
  const goesOn = isApple(store) ? 'continues automatically from' : 'stays at'
  const { status } = release
  return isWatched
    ? `${goesOn} ${percentage} %: the release is ${status}, and its policy no longer moves it. Its guard keeps watching it.`
    : `${goesOn} ${percentage} %, and is no longer watched: the release is ${status}`
}

/**
 * Returns whether to wait for a decision that is under way. An unhealthy version waits only for an
 * urgent stop, or for a change that a person decided after the version was found unhealthy.
 */
function isAwaited({ store, row, health }: Rollout): boolean {
  const requested = store.plan?.rollout
  if (requested?.status !== 'underWay') return false
  if (health !== 'unhealthy') return true
  return stops(requested.to) ? requested.isUrgent === true : wasDecidedAfterFinding(requested, row)
}

/**
 * Returns whether a stop is in force that only a person may end, although the version is still
 * rolling out in the store.
 */
const isHeldByPerson = ({ store, health }: Rollout) =>
  standingStop(store.plan) !== null &&
  store.facts.rollout.state === 'active' &&
  health !== 'unhealthy'

function wasDecidedAfterFinding({ by, at }: WantedRollout, { stages }: RolloutRow): boolean {
  const { unhealthyAt } = stages.at(-1)!
  return by.type !== 'automation' && unhealthyAt !== undefined && at >= unhealthyAt
}

/**
 * Returns the rollout. If a person ended its pause, the reason for the pause is marked as
 * overruled.
 */
function withOverruledPause(row: RolloutRow, { plan, facts }: StoreOfRelease): RolloutRow {
  const decided = plan?.rollout ?? null
  const isByPerson = decided?.to.action === 'resume' && decided.by.type !== 'automation'
  if (row.pausedFor === null || facts.rollout.state !== 'active' || !isByPerson) return row
  const last = row.stages.at(-1)!
  const overruled = [...(last.overruled ?? []), row.pausedFor]
  return { ...row, stages: [...row.stages.slice(0, -1), { ...last, overruled }] }
}
