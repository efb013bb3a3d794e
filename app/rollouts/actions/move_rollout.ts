import { later, type Instant } from '#foundation/core/clock'
import { MINUTE } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { isPaused } from '#planning/plan_state'
import { appPlan } from '#planning/plans'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { carryStoreFacts } from '#stores/carry_store_facts'
import { changePlan } from '#stores/change_plan'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { LADDER } from '#stores/derive/seen'
import { stops } from '#stores/stop_again'
import type { RolloutChange, WantedRollout } from '#stores/tables'
import { nextMove, type Health } from '../policy/next_move.js'
import { nextPhase, PAUSE_BUDGET } from '../policy/next_phase.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { healthOf } from '../queries/health.js'
import { rollouts, type Found, type RolloutRow } from '../tables.js'
import { wordsOf } from '../guard/words.js'
import { lookKind } from '../kinds.js'
import { subjectOf } from '../watch_rollouts.js'
import { StopUnhealthy, type Judged } from './stop_unhealthy.js'

/** Milliseconds between two looks of the guard. */
const LOOK_EVERY = 120 * MINUTE

/** The same while a store is being asked. */
const SOON = 5 * MINUTE

type Change = Partial<Pick<RolloutRow, 'next' | 'pausedFor' | 'calledFor' | 'issueId' | 'stages'>>

const SAID: Record<string, string> = {
  notEnoughData: 'there is not enough data to call the version healthy',
  silent: 'nothing is heard of the version',
  closed: 'the policy has no day on which it may grow',
  automations: 'automations are paused',
  budget: `the store allows no more pauses of ${PAUSE_BUDGET} days in all`,
}

/** Looks at a rollout that a policy drives: judges its health, and does what comes next. */
export class MoveRollout {
  constructor(private readonly scope: Scope) {}

  async handle(
    release: Release,
    store: StoreOfRelease,
    row: RolloutRow,
    policy: RolloutPolicy
  ): Promise<void> {
    const { scope } = this
    // A phased release of Apple has stages of its own.
    const stages = isApple(store) ? LADDER.length : policy.ladder.length
    const guarded = { guard: policy.guard, stages }
    const { health, found } = await healthOf(scope, row, release.version, guarded)
    await this.#judged(release, row, found)
    const { freezes, pause } = await appPlan(scope, release.appId)
    const isHeld = release.automationsPaused || isPaused(pause, scope.now)
    const given = { release, store, row, policy, health, found, freezes }
    const change: Change & { at?: Instant } = isAwaited(given)
      ? { at: later(scope.now, SOON) }
      : isApple(store)
        ? await this.#phase(given, isHeld)
        : await this.#ladder(given, isHeld)
    const { at: wanted, ...rest } = change
    const latest = later(scope.now, LOOK_EVERY)
    const lookAt = wanted !== undefined && wanted < latest ? wanted : latest
    await scope.update(rollouts, { id: row.id }, { ...rest, judgements: found, lookAt })
    const { appId, releaseId, integrationId } = row
    await scope.agenda.plan(lookKind, {
      subject: subjectOf(row),
      at: lookAt,
      payload: { appId, releaseId, integrationId },
    })
  }

  /** Nobody drives it by a policy any more, or its release is over: no move of it is to come. */
  async leave(release: Release, store: StoreOfRelease, row: RolloutRow): Promise<void> {
    const { scope } = this
    await this.#stage({ release, store }, null)
    const told = leftAs(release, store, row)
    if (told) {
      recordReleaseEvent(scope, release, {
        type: 'rollout.held',
        title: `The rollout of ${release.version} ${told}`,
        data: { reason: 'left', until: null, call: [] },
        payload: null,
      })
    }
    const none = { lookAt: null, next: null, pausedFor: null }
    await scope.update(rollouts, { id: row.id }, none)
  }

  async #ladder(given: Given, isHeld: boolean): Promise<Change & { at?: Instant }> {
    const { scope } = this
    const { store, row, health, freezes } = given
    const { state, percentage } = store.facts.rollout
    const standing = {
      state: state === null ? 'notStarted' : state === 'completed' ? 'complete' : state,
      percentage,
      since: row.stages.at(-1)!.at,
      // Neither for a rung nor for its end does the time count in which it was stopped.
      startedAt: later(row.startedAt, stoppedFor(row, scope.now)),
      health,
    } as const
    const isStopped = state === 'halted' || state === 'paused'
    if (isStopped && health === 'unhealthy') return this.#stop(given)
    // What was found unhealthy once goes on by proof, and no more by a date.
    const wasBad = row.stages.some(({ unhealthyAt }) => unhealthyAt !== undefined)
    const policy = wasBad ? { ...given.policy, finishWithinDays: null } : given.policy
    const move = nextMove(policy, standing, freezes, scope.now)
    switch (move.what) {
      case 'stay':
        return { next: null, calledFor: null }
      case 'halt':
        return this.#stop(given)
      case 'hold':
        await this.#stage(given, null)
        return this.#hold(given, move.reason, move.until, move.isLate)
      case 'grow': {
        if (isHeld) {
          await this.#stage(given, null)
          return this.#hold(given, 'automations', null, false)
        }
        if (move.at > scope.now) {
          await this.#stage(given, { at: move.at, percentage: move.percentage })
          return { at: move.at, next: null, calledFor: null }
        }
        const to: RolloutChange =
          move.percentage === 100
            ? { action: 'complete' }
            : { action: 'set', percentage: move.percentage }
        await this.#ask(given, to)
        return { at: later(scope.now, SOON), next: null, calledFor: null }
      }
    }
  }

  async #phase(given: Given, isHeld: boolean): Promise<Change & { at?: Instant }> {
    const { scope } = this
    const { store, row, policy, health, freezes } = given
    const { state } = store.facts.rollout
    const standing = {
      state: state === null ? 'notStarted' : state === 'completed' ? 'complete' : state,
      pausedDays: store.version?.known?.rollout?.pausedDays ?? 0,
      pausedFor: row.pausedFor,
      health,
    } as const
    const isStopped = standing.state === 'halted' || standing.state === 'paused'
    if (isStopped && health === 'unhealthy') {
      return { ...(await this.#stop(given)), pausedFor: 'unhealthy' }
    }
    const move = nextPhase(
      policy,
      { ...standing, state: isStopped ? 'paused' : standing.state } as never,
      freezes,
      scope.now
    )
    const freed = isStopped ? {} : { pausedFor: null }
    if (move.what === 'pause') {
      if (move.reason === 'unhealthy') {
        return { ...(await this.#stop(given)), pausedFor: 'unhealthy' }
      }
      await this.#ask(given, { action: 'pause' })
      const told = await this.#hold(given, move.reason, null, move.reason === 'silent')
      return { ...told, at: later(scope.now, SOON), pausedFor: move.reason }
    }
    if (move.what === 'stay') {
      if (move.reason !== 'budget') return { ...freed, next: null, calledFor: null }
      const told = health === 'unhealthy' ? await this.#stop(given, false) : {}
      const held = await this.#hold(given, 'budget', null, true)
      return { ...freed, ...told, ...held, calledFor: 'budget' }
    }
    if (isHeld) return this.#hold(given, 'automations', null, false)
    if (move.at === null || move.at > scope.now) {
      const at = move.at ?? later(scope.now, LOOK_EVERY)
      const message =
        move.at === null
          ? `The rollout is paused, as ${SAID.silent}.`
          : 'The rollout goes on after days on which nothing is to grow.'
      return { at, next: { what: 'rolloutResumed', message, at } }
    }
    await this.#ask(given, { action: 'resume' })
    return { at: later(scope.now, SOON), pausedFor: null, next: null, calledFor: null }
  }

  #ask({ release, store }: Given, to: RolloutChange): Promise<number> {
    const { destinationId } = store
    return new ChangeRollout(this.scope).handle(release, to, { destinationId })
  }

  #stop(given: Given, canStop = true): Promise<Change> {
    return new StopUnhealthy(this.scope).handle(given, canStop)
  }

  /** It is held; whoever is to be called is called once for each reason. */
  async #hold(
    { release, row, policy }: Given,
    reason: string,
    until: Instant | null,
    isLate: boolean
  ): Promise<Change> {
    const { scope } = this
    const at = until ?? later(scope.now, LOOK_EVERY)
    const why = SAID[reason] ?? reason
    const ends = until === null ? 'It is looked at again then.' : 'It goes to all then.'
    // What a store does not let be paused any more climbs by itself.
    const stands = reason === 'budget' ? 'goes on by itself' : 'is held'
    const next = {
      what: 'rolloutHeld' as const,
      at,
      message: `The rollout ${stands}: ${why}. ${ends}`,
    }
    if (!isLate || row.calledFor === reason) return { next }
    recordReleaseEvent(scope, release, {
      type: 'rollout.held',
      title: `The rollout of ${release.version} ${stands}: ${why}`,
      data: { reason, until, call: policy.call },
      payload: null,
    })
    return { next, calledFor: reason }
  }

  async #stage(
    { release, store: { plan, target } }: Pick<Given, 'release' | 'store'>,
    nextStage: { at: Instant; percentage: number } | null
  ): Promise<void> {
    const { scope } = this
    if (JSON.stringify(plan?.nextStage ?? null) === JSON.stringify(nextStage)) return
    await changePlan(scope, release.id, target, { nextStage })
    if (await carryStoreFacts(scope, release)) await settle(scope, release)
  }

  /** What is found goes into the timeline where the word is another than before. */
  async #judged(release: Release, row: RolloutRow, found: readonly Found[]): Promise<void> {
    for (const each of found) {
      const before = row.judgements.find(({ metric }) => metric === each.metric)
      if (before?.verdict === each.verdict) continue
      recordReleaseEvent(this.scope, release, {
        type: 'rollout.judged',
        title: wordsOf(each),
        data: { ...each, percentage: row.stages.at(-1)!.percentage },
        payload: null,
      })
    }
  }
}

/** A rollout, and all that its next move depends on. */
interface Given extends Judged {
  health: Health
  freezes: Parameters<typeof nextMove>[2]
}

/** What people have to know of a rollout that is left to them; null for nothing. */
function leftAs({ status }: Release, store: StoreOfRelease, row: RolloutRow): string | null {
  const { state, percentage } = store.facts.rollout
  if (state === 'paused' && row.pausedFor !== null) {
    return `stays paused at ${percentage} %: the service does not let it go on any more`
  }
  // Whoever takes a policy away knows; who completes a release by hand may not.
  if (state !== 'active' || status === 'active' || row.lookAt === null) return null
  const goesOn = isApple(store) ? 'goes on by itself from' : 'stays at'
  return `${goesOn} ${percentage} %, and is not watched any more: the release is ${status}`
}

const isApple = ({ target }: StoreOfRelease) => target.storeType === 'apple'

/**
 * Whether what is on its way to the store is waited for. An unhealthy version is stopped whatever
 * may let it grow, unless somebody who knew of it asked for that.
 */
function isAwaited({ store, row, health }: Given): boolean {
  const asked = store.plan?.rollout
  if (asked?.is !== 'underWay') return false
  if (health !== 'unhealthy') return true
  return stops(asked) ? asked.isUrgent === true : isAskedKnowing(asked, row)
}

function isAskedKnowing({ by, at }: WantedRollout, { stages }: RolloutRow): boolean {
  const { unhealthyAt } = stages.at(-1)!
  return by.type !== 'automation' && unhealthyAt !== undefined && at >= unhealthyAt
}

/** Milliseconds in which it was stopped so far. */
function stoppedFor({ stages }: RolloutRow, now: Instant): number {
  const spans = stages.map(({ stoppedAt }, index) =>
    stoppedAt === undefined
      ? 0
      : Date.parse(stages.at(index + 1)?.at ?? now) - Date.parse(stoppedAt)
  )
  return spans.reduce((all, span) => all + Math.max(0, span), 0)
}
