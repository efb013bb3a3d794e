import { later } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import type { Actor } from '#foundation/core/principal'
import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import { withReplaced } from '../../derive/replaced.js'
import { seenVersion, type SeenVersion } from '../../derive/seen.js'
import type { ProviderError } from '#plugin-kit/provider_error'
import { pollFailed, refusalOf } from '../../reconciler/attempts.js'
import {
  decideOutsideChange,
  decideRollout,
  decideStage,
  stopProgress,
  stopTakeoff,
  removeDecision,
  takeVerdict,
} from '../../reconciler/decide.js'
import { beginCall, endCall } from '../../reconciler/end_call.js'
import { observe, type Observations } from '../../reconciler/observe.js'
import { reconcile, type Next } from '../../reconciler/reconcile.js'
import {
  versionIn,
  type RolloutChange,
  type StoreRecord,
  type VersionRecord,
} from '../../reconciler/record.js'
import {
  mayGoOut,
  isEditable,
  isInReview,
  isReleased,
  isStopped,
  reachedBy,
  stops,
} from '../../reconciler/states.js'
import { isEnd } from './journal.js'
import type {
  Announcement,
  BegunCall,
  By,
  CallResult,
  Decision,
  Lane,
  Setting,
  System,
} from './system.js'

/** The longest duration of a call per lane, in seconds. */
const LASTS: Record<Lane, number> = { usual: 60, stop: 45 }

const OUTSIDE: Actor = { type: 'system', id: null, name: 'outside of Tarmac' }
const actorOf = (by: By): Actor =>
  by === 'person'
    ? { type: 'user', id: 'usr_1', name: 'Ada' }
    : { type: 'automation', id: null, name: by }

/** A system made of the record of a store and its pure functions, used as the service does. */
export class RecordSystem implements System {
  #record: StoreRecord
  #said: Announcement[] = []
  #begun = new Map<string, { idempotencyKey: string; beganAt: string }>()
  #calls = 0
  #isFrozen = false
  readonly #renewals: string[] = []
  #now: string

  constructor({ kind, startsAt }: Setting) {
    this.#now = startsAt
    this.#record = {
      ...{ type: kind, generation: 0, credentials: 1, lagSeconds: 0 },
      ...{ polledAt: null, pollFailure: null, versions: [], calls: [] },
    }
  }

  decide(decision: Decision, now: string): { generation: number } | { refused: string } {
    this.#now = now
    const refused = this.#whyNot(decision)
    if (refused) return { refused }
    const by = { by: actorOf(decision.by), at: now }
    const { version, what } = decision
    const generation = isEnd(decision)
      ? this.#end(decision, now)
      : what === 'submit' || what === 'withdraw' || what === 'release'
        ? this.#stage(decision, by)
        : this.#rollout(decision, by)
    this.#say({ version, kind: 'intention', what, by: decision.by })
    this.#judge()
    return { generation }
  }

  /** Ends decisions as the actions do. */
  #end({ version, what }: Decision, now: string): number {
    const end = what === 'close' ? stopProgress : stopTakeoff
    end(this.#record, version, now, `It was ended by ${what}`)
    return this.#record.generation
  }

  #stage(decision: Decision, by: { by: Actor; at: string }): number {
    const { version } = decision
    if (decision.what === 'submit') {
      const { buildNumber, phased, fraction, release } = decision
      const how = { buildNumber, buildRef: null, phased, release, ...(fraction && { fraction }) }
      const saw = versionIn(this.#record, version).known?.state
      const again = saw !== undefined && saw !== 'preparing' && isEditable(saw) ? { saw } : {}
      return decideStage(this.#record, version, { what: 'submitted', how, ...again, ...by })
    }
    const what = decision.what === 'release' ? 'released' : 'withdrawn'
    return decideStage(this.#record, version, { what, ...by })
  }

  #rollout(decision: Decision, by: { by: Actor; at: string }): number {
    const to = changeOf(decision, this.#record.type)
    const rollout = versionIn(this.#record, decision.version).known?.rollout ?? null
    const saw = rollout && { state: rollout.state, percentage: rollout.percentage }
    const isUrgent = stops(to)
    return decideRollout(this.#record, decision.version, {
      ...{ to, saw, ...by },
      ...(isUrgent && { isUrgent }),
    })
  }

  /** Returns the refusal that the actions would give before the record is used; null for none. */
  #whyNot(decision: Decision): string | null {
    const version = versionIn(this.#record, decision.version)
    const state = version.known?.state ?? 'preparing'
    const rollout = version.known?.rollout ?? null
    const { wanted } = version
    if (isEnd(decision)) return null
    const isStage = ['submit', 'withdraw', 'release'].includes(decision.what)
    if (isStage && wanted?.status === 'underWay' && reachedBy(state) !== wanted.what) {
      return 'store_busy'
    }
    switch (decision.what) {
      case 'submit':
        return isEditable(state) ? null : 'release_submitted'
      case 'withdraw':
        return isInReview(state) || this.#isRejectable(state) ? null : 'not_in_review'
      case 'release':
        return state === 'pendingRelease' ? null : 'not_approved'
      default: {
        const to = changeOf(decision, this.#record.type)
        const isOut = isReleased(state) && state !== 'replaced' && state !== 'removed'
        if (!isOut && !(stops(to) && mayGoOut(version))) return 'rollout_not_running'
        if (isOut && rollout === null) return 'rollout_not_running'
        if (rollout?.state === 'complete' && (this.#record.type === 'apple' || !stops(to))) {
          return 'rollout_not_running'
        }
        const isHeld = version.rollout !== null && stops(version.rollout.to)
        if (!stops(to) && isHeld && decision.by !== 'person') return 'rollout_stopped'
        if (to.action !== 'set') return null
        if (this.#record.type === 'apple') return 'rollout_by_store'
        // A decision counts before the store shows it.
        const { rollout: decided } = version
        const isHalted = decided?.status === 'underWay' ? stops(decided.to) : isStopped(rollout)
        if (isHalted) return 'rollout_stopped'
        return rollout && to.percentage < rollout.percentage ? 'rollout_only_grows' : null
      }
    }
  }

  /** Apple lets a team withdraw an approved version; Google Play does not. */
  #isRejectable = (state: string) => this.#record.type === 'apple' && state === 'pendingRelease'

  beginCall(lane: Lane, now: string): BegunCall | null {
    this.#now = now
    const next = reconcile(this.#record, now).lanes[lane]
    if (next.do !== 'call' || this.#isHeldBack(next)) return null
    const deadline = later(now, LASTS[lane] * SECOND)
    const { idempotencyKey, beganAt, call } = beginCall(this.#record, lane, next, { now, deadline })
    const id = `call ${(this.#calls += 1)}`
    this.#begun.set(id, { idempotencyKey, beganAt })
    return { id, idempotencyKey, call: call as BegunCall['call'], deadline }
  }

  /** Takes back decisions of a policy in a freeze, as `revokeForbidden` does. */
  #isHeldBack({ call: { version }, slot, generation }: Extract<Next, { do: 'call' }>): boolean {
    const { wanted, rollout } = versionIn(this.#record, version)
    const isFurther = slot === 'wanted' ? wanted!.what !== 'withdrawn' : !stops(rollout!.to)
    const { by } = slot === 'wanted' ? wanted! : rollout!
    if (!this.#isFrozen || by.name !== 'policy' || !isFurther) return false
    removeDecision(this.#record, version, slot)
    this.#say({ version, kind: 'heldBack', generation })
    this.#judge()
    return true
  }

  endCall(id: string, result: CallResult, now: string): void {
    this.#now = now
    const call = this.#begun.get(id)!
    const record = this.#record
    if ('error' in result) {
      const { code, message, detail } = result.error
      const { outcome, reason, retryAfterMs } = detail
      const begun = record.calls.find(
        ({ idempotencyKey, beganAt }) =>
          idempotencyKey === call.idempotencyKey && beganAt === call.beganAt
      )
      if (!begun) return
      const ended =
        outcome === 'notApplied'
          ? refusalOf(record, begun, { code, reason, message, retryAfterMs }, now)
          : ({ kind: 'unknown', message } as const)
      endCall(record, call, { outcome: ended }, now)
      return this.#judge()
    }
    const { before, after } = result
    const answer = {
      ...(before && { before: seenVersion(before, call.beganAt) }),
      after: seenVersion(after, call.beganAt),
    }
    this.#take(endCall(record, call, { answer }, now))
  }

  observe(versions: readonly StoreVersion[], beganAt: string, now: string): void {
    this.#now = now
    const listed = versions.map((each) => ({
      version: each.version,
      seen: seenVersion(each, beganAt),
    }))
    this.#take(observe(this.#record, withReplaced(this.#record, listed), beganAt, now))
  }

  readFailed({ code, message }: ProviderError, beganAt: string, now: string): void {
    this.#now = now
    const credentials = 1 + this.#renewals.filter((at) => at <= beganAt).length
    pollFailed(this.#record, { code, message, credentials }, now)
    this.#judge()
  }

  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen
  }

  renewCredentials(now: string): void {
    this.#now = now
    this.#renewals.push(now)
    this.#record.credentials += 1
    this.#judge()
  }

  wakesAt(): string | null {
    const { lanes, verdicts } = reconcile(this.#record, this.#now)
    const times = Object.values(lanes).flatMap((next) =>
      next.do === 'wait' ? (next.until ?? []) : next.do === 'call' ? this.#now : []
    )
    // A store is polled while a decision is under way.
    if (verdicts.some(({ status }) => status === 'underWay'))
      times.push(later(this.#now, 600 * SECOND))
    return times.sort()[0] ?? null
  }

  drain(): Announcement[] {
    return this.#said.splice(0)
  }

  restart(): void {
    this.#record = JSON.parse(JSON.stringify(this.#record))
    this.#begun.clear()
  }

  #take({ shown, outsideChanges, restarted }: Observations): void {
    // If a version has several new states at once, the service stores and announces the last one.
    const last = new Map(shown.map((each) => [each.version, each.after]))
    for (const [version, after] of last) this.#say({ version, kind: 'shown', ...shownOf(after) })
    for (const { version, cause } of restarted) {
      this.#say({ version, kind: 'restarted', cause: cause.version })
    }
    for (const each of outsideChanges) {
      decideOutsideChange(this.#record, each, OUTSIDE)
      const what = each.wanted ?? each.rollout!.action
      this.#say({ version: each.version, kind: 'adopted', what, named: null })
      if (each.afterStop) {
        const message = `${each.version} goes on after it was stopped`
        this.#say({ version: each.version, kind: 'called', about: 'rollout', message })
      }
    }
    this.#judge()
  }

  /** Applies the verdicts, as the service does after every change. */
  #judge(): void {
    for (const verdict of reconcile(this.#record, this.#now).verdicts) {
      const version = versionIn(this.#record, verdict.version)
      const { status, reason, asks, generation } = verdict
      if (!takeVerdict(version, verdict, this.#now)) continue
      this.#announce(version, verdict.slot, { status, reason, asks, generation })
    }
  }

  #announce(
    { version, ...found }: VersionRecord,
    slot: 'wanted' | 'rollout',
    {
      status,
      reason,
      asks,
      generation,
    }: { status: string; reason: string | null; asks: boolean; generation: number }
  ): void {
    const about = slot === 'rollout' ? 'rollout' : 'submission'
    const what = slot === 'rollout' ? found.rollout!.to.action : found.wanted!.what
    if (status === 'done') return this.#say({ version, kind: 'fulfilled', generation, what })
    if (asks) {
      return this.#say({ version, kind: 'question', about, message: reason! })
    }
    if (status === 'failed') this.#say({ version, kind: 'failed', generation, reason: reason! })
  }

  #say(
    announcement: Announcement extends infer Each
      ? Each extends unknown
        ? Omit<Each, 'at'>
        : never
      : never
  ): void {
    this.#said.push({ at: this.#now, ...announcement } as Announcement)
  }
}

function changeOf(decision: Decision, type: StoreRecord['type']): RolloutChange {
  switch (decision.what) {
    case 'pause':
    case 'halt':
      return { action: type === 'apple' ? 'pause' : 'halt' }
    case 'resume':
    case 'complete':
      return { action: decision.what }
    case 'set':
      return { action: 'set', percentage: decision.percentage }
    default:
      throw new Error(`${decision.what} is no change of a rollout`)
  }
}

const shownOf = ({ state, rollout }: SeenVersion) => ({
  state,
  // The timeline says only where a replaced version ended.
  rolloutState: state === 'replaced' ? null : (rollout?.state ?? null),
  percentage: rollout?.percentage ?? null,
})
