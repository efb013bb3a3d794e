import { later, type Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { CreateTriageIssue } from '#fixes/actions/create_triage_issue'
import { isPaused } from '#planning/standing'
import { appPlan } from '#planning/plans'
import { settle } from '#releases/lifecycle/settle'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/record_release_event'
import { ChangeRollout } from '#stores/actions/change_rollout'
import { carryStoreFacts } from '#stores/carry_store_facts'
import { changePlan } from '#stores/change_plan'
import type { StoreOfRelease } from '#stores/queries/store_state'
import { stops } from '#stores/stop_again'
import type { RolloutChange } from '#stores/tables'
import { nextMove, type Health } from '../policy/next_move.js'
import { nextPhase, PAUSE_BUDGET } from '../policy/next_phase.js'
import type { RolloutPolicy } from '../policy/policy.js'
import { healthOf } from '../queries/health.js'
import { rollouts, type Found, type RolloutRow } from '../tables.js'
import { wordsOf } from '../guard/words.js'
import { lookKind } from '../kinds.js'
import { stopGroup } from '../stop_group.js'
import { stopRelease } from '../stop_release.js'
import { subjectOf } from '../watch_rollouts.js'

const MINUTE = 60_000

/** Milliseconds between two looks of the guard. */
export const LOOK_EVERY = 120 * MINUTE

/** The same while a store is being asked. */
const SOON = 5 * MINUTE

type Change = Partial<Pick<RolloutRow, 'next' | 'pausedFor' | 'calledFor' | 'issueId'>>

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
    const { health, found } = await healthOf(scope, row, release.version, policy)
    await this.#judged(release, row, found)
    const { freezes, pause } = await appPlan(scope, release.appId)
    const isHeld = release.automationsPaused || isPaused(pause, scope.now)
    const asked = store.plan?.rollout
    // An unhealthy version is stopped whatever lets it grow may be on its way to the store.
    const isAsked = asked?.is === 'underWay' && (health !== 'unhealthy' || stops(asked))
    const given = { release, store, row, policy, health, found, freezes }
    const change: Change & { at?: Instant } = isAsked
      ? { at: later(scope.now, SOON) }
      : store.target.storeType === 'apple'
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

  async #ladder(given: Given, isHeld: boolean): Promise<Change & { at?: Instant }> {
    const { scope } = this
    const { store, row, policy, health, freezes } = given
    const { state, percentage } = store.facts.rollout
    const standing = {
      state: state === null ? 'notStarted' : state === 'completed' ? 'complete' : state,
      percentage,
      since: row.stages.at(-1)!.at,
      startedAt: row.startedAt,
      health,
    } as const
    const move = nextMove(policy, standing, freezes, scope.now)
    switch (move.what) {
      case 'stay':
        return { next: null, calledFor: null }
      case 'halt':
        return this.#stop(given, { action: 'halt' })
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
    const isPausedByUs = isStopped && row.pausedFor !== null && row.pausedFor !== 'unhealthy'
    if (isPausedByUs && health === 'unhealthy') {
      return { ...(await this.#stop(given, { action: 'pause' })), pausedFor: 'unhealthy' }
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
        return { ...(await this.#stop(given, { action: 'pause' })), pausedFor: 'unhealthy' }
      }
      await this.#ask(given, { action: 'pause' })
      const told = await this.#hold(given, move.reason, null, move.reason === 'silent')
      return { ...told, at: later(scope.now, SOON), pausedFor: move.reason }
    }
    if (move.what === 'stay') {
      if (move.reason !== 'budget') return { ...freed, next: null, calledFor: null }
      return { ...freed, ...(await this.#hold(given, 'budget', null, true)) }
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

  #ask({ release, store }: Given, to: RolloutChange, isUrgent = false): Promise<number> {
    const { destinationId } = store
    return new ChangeRollout(this.scope).handle(release, to, { destinationId, isUrgent })
  }

  /** The version is unhealthy: it is stopped, and people learn why. */
  async #stop(given: Given, to: RolloutChange): Promise<Change> {
    const { release, row, found, policy } = given
    await this.#ask(given, to, true)
    if (policy.stops !== 'own') {
      await stopRelease(this.scope, release, 'Stopped, as the version is unhealthy')
    }
    if (policy.stops === 'appGroup') await stopGroup(this.scope, release)
    const bad = found.filter(({ verdict }) => verdict === 'unhealthy')
    const description = bad.map(wordsOf).join('\n')
    const issueId =
      row.issueId ??
      (await new CreateTriageIssue(this.scope).handle(release.appId, {
        title: `${release.version} is unhealthy at ${row.stages.at(-1)!.percentage} %`,
        description,
        source: 'observability',
        severity: 'critical',
        releaseId: release.publicId,
        affectedVersions: [release.version],
      }))
    if (row.calledFor === 'unhealthy') return { issueId, next: null }
    const { percentage } = row.stages.at(-1)!
    recordReleaseEvent(this.scope, release, {
      type: 'rollout.stopped',
      title: `The rollout of ${release.version} is stopped at ${percentage} %: ${bad.map(wordsOf).join('; ')}`,
      data: { reason: 'unhealthy', percentage, triageIssueId: issueId, call: policy.call },
      payload: null,
    })
    return { issueId, next: null, calledFor: 'unhealthy' }
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
    const next = {
      what: 'rolloutHeld' as const,
      at,
      message: `The rollout is held: ${why}. ${ends}`,
    }
    if (!isLate || row.calledFor === reason) return { next }
    recordReleaseEvent(scope, release, {
      type: 'rollout.held',
      title: `The rollout of ${release.version} is held: ${why}`,
      data: { reason, until, call: policy.call },
      payload: null,
    })
    return { next, calledFor: reason }
  }

  async #stage(
    { release, store: { plan, target } }: Given,
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

interface Given {
  release: Release
  store: StoreOfRelease
  row: RolloutRow
  policy: RolloutPolicy
  health: Health
  found: readonly Found[]
  freezes: Parameters<typeof nextMove>[2]
}
