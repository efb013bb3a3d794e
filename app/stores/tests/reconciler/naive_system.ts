import type { StoreVersion } from '#plugin-kit/capabilities/stores'
import type { Fault } from './fault.js'
import { isEnd, isStop, isStopCall } from './journal.js'
import { end, nothingKept, type Call, type Kept, type Wanted } from './naive_state.js'
import { IN_REVIEW, isHeld, isShownWhereWanted, OPEN, SERVED, wordsOf } from './naive_views.js'
import type {
  Announcement,
  BegunCall,
  CallResult,
  Decision,
  Lane,
  Setting,
  StoreCall,
  System,
} from './system.js'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
/** The longest duration of a call, in milliseconds. */
const ON_ITS_WAY = 2 * MINUTE
const FORGETS_FREEZES = { stage: 'submits in a freeze', rollout: 'grows in a freeze' } as const
/** After this long, a person is asked about a decision, in milliseconds. */
const ASKS_AFTER = 8 * HOUR

/**
 * A simple, slow system: it makes one call at a time, each after a view that cannot be older than
 * the one before, and asks a person about all that takes long.
 */
export class NaiveSystem implements System {
  #kept: Kept
  #said: Announcement[] = []

  constructor(
    private readonly setting: Setting,
    private readonly fault: Fault | null = null
  ) {
    this.#kept = nothingKept()
  }

  decide(decision: Decision, now: string) {
    const kept = this.#kept
    if (isEnd(decision)) return this.#end(decision, now)
    const aspect = ['submit', 'withdraw', 'release'].includes(decision.what) ? 'stage' : 'rollout'
    if (this.setting.kind === 'apple' && decision.what === 'set') return { refused: 'no shares' }
    const known = kept.wanted[decision.version]?.[aspect]
    if (decision.what === 'release' && known?.decision.what === 'submit' && !known.isDone) {
      return { refused: 'not submitted yet' }
    }
    kept.generation += 1
    const { generation } = kept
    const isKept = this.fault !== 'forgets stops' || !isStop(decision) || generation % 3 > 0
    if (isKept) {
      const isDone = false
      const wanted = { generation, at: Date.parse(now), decision, isDone, isAsked: false }
      const superseded = this.fault === 'announces what is superseded' ? known : undefined
      if (superseded && !superseded.isDone) this.#fulfil(superseded, now)
      kept.wanted[decision.version] = { ...kept.wanted[decision.version], [aspect]: wanted }
    }
    for (const each of Object.keys(kept.refused)) {
      if (!each.startsWith('prepared')) delete kept.refused[each]
    }
    kept.failures = 0
    kept.notBefore = 0
    const { version, by } = decision
    this.#said.push({ kind: 'intention', at: now, version, what: decision.what, by })
    if (this.fault === 'announces early') this.#fulfil(kept.wanted[version][aspect]!, now)
    return { generation }
  }

  #end({ version, what, by }: Decision, now: string) {
    const kept = this.#kept
    kept.generation += 1
    if (this.fault !== 'goes on after the end') end(kept, version, what)
    this.#said.push({ kind: 'intention', at: now, version, what, by })
    return { generation: kept.generation }
  }

  readFailed(): void {}

  freeze(isFrozen: boolean): void {
    this.#kept.isFrozen = isFrozen
  }

  /** Takes back decisions of a policy in a freeze. */
  #revokeForbidden(now: string): void {
    if (!this.#kept.isFrozen) return
    for (const [version, wanted] of Object.entries(this.#kept.wanted)) {
      for (const aspect of ['stage', 'rollout'] as const) {
        const isForgotten = this.fault === FORGETS_FREEZES[aspect]
        const each = wanted[aspect]
        if (isForgotten || !each || each.isDone || each.decision.by !== 'policy') continue
        if (each.decision.what === 'withdraw' || isStop(each.decision)) continue
        delete wanted[aspect]
        this.#said.push({ kind: 'heldBack', at: now, version, generation: each.generation })
      }
    }
  }

  beginCall(lane: Lane, now: string): BegunCall | null {
    const time = Date.parse(now)
    const kept = this.#kept
    kept.underWay = kept.underWay.filter(({ deadline }) => Date.parse(deadline) > time)
    this.#revokeForbidden(now)
    if (kept.isLockedOut || kept.notBefore > time) return null
    const isBusy = kept.underWay.some(({ state }) => state !== 'ended')
    const mayOverlap = lane === 'stop' && this.fault !== 'stops wait their turn'
    if (isBusy && !mayOverlap && this.fault !== 'overlaps calls') return null
    for (const [version, { stage, rollout }] of Object.entries(kept.wanted)) {
      const wanted = lane === 'stop' ? [rollout] : [rollout, stage]
      for (const each of wanted) {
        const isMine = each && (lane === 'stop') === isStop(each.decision)
        if (!each || !(isMine || this.fault === 'grows after a stop')) continue
        const call = lane === 'stop' ? this.#stop(version, each) : this.#next(version, each)
        if (!call || kept.refused[JSON.stringify(call)] === this.#state(call)) continue
        if (lane === 'stop' && this.#isStopping(version)) continue
        return this.#begin(call, time)
      }
    }
    return null
  }

  #isStopping(version: string): boolean {
    return this.#kept.underWay.some(
      ({ call, state }) => state === 'open' && call.version === version && isStopCall(call)
    )
  }

  #begin(call: StoreCall, time: number): BegunCall {
    const kept = this.#kept
    kept.calls += 1
    const begun = {
      id: `C${kept.calls}`,
      idempotencyKey: `K${kept.calls}`,
      call,
      deadline: new Date(time + ON_ITS_WAY).toISOString(),
    }
    const others = kept.underWay.filter(
      (each) => each.state !== 'ended' && each.call.version === call.version
    )
    for (const each of others) each.isAlone = false
    const isAlone = others.length === 0
    const stage = this.#generationOf(call.version)
    kept.underWay.push({ ...begun, stage, isAlone, state: 'open' })
    kept.settledAt[call.version] = time + ON_ITS_WAY
    return begun
  }

  /** Returns the newest view if it shows the results of our calls. */
  #fresh(version: string): StoreVersion | 'none' | null {
    const { seen, settledAt, listAsOf } = this.#kept
    const since = settledAt[version] ?? 0
    const known = seen[version]
    if (known) return known.asOf >= since ? known.view : null
    return listAsOf >= since && listAsOf > 0 ? 'none' : null
  }

  #stop(version: string, { isDone, decision }: Wanted): StoreCall | null {
    const view = this.#kept.seen[version]?.view
    if (isDone || !view || !SERVED.includes(view.status.state)) return null
    const action = this.setting.kind === 'apple' ? 'pause' : 'halt'
    const isRepetition = isHeld(view) && this.fault !== 'restarts reviews'
    const onReviewInProgress = isRepetition ? 'fail' : 'replace'
    return isStop(decision)
      ? { version, method: 'setRollout', to: { action }, onReviewInProgress }
      : null
  }

  #next(version: string, { decision, isDone }: Wanted): StoreCall | null {
    const view = this.#fresh(version)
    if (isDone || view === null) return null
    const state = view === 'none' ? 'none' : view.status.state
    if (decision.what === 'submit') return this.#submission(decision, view)
    if (decision.what === 'withdraw') {
      return IN_REVIEW.includes(state) ? { version, method: 'cancelReview' } : null
    }
    if (decision.what === 'release') {
      // A stopped version is not released.
      const held = this.#kept.wanted[version]?.rollout
      if (state !== 'pendingRelease' || (held && isStop(held.decision))) return null
      return { version, method: 'release' }
    }
    if (!SERVED.includes(state)) return null
    const to =
      decision.what === 'set'
        ? { fraction: decision.percentage / 100 }
        : { action: decision.what === 'complete' ? ('complete' as const) : ('resume' as const) }
    const onReviewInProgress = this.fault === 'grows by replacing' ? 'replace' : 'fail'
    return { version, method: 'setRollout', to, onReviewInProgress }
  }

  #submission(
    decision: Extract<Decision, { what: 'submit' }>,
    view: StoreVersion | 'none'
  ): StoreCall | null {
    const { version, buildNumber, phased, fraction, release } = decision
    if (view !== 'none' && !OPEN.includes(view.status.state)) return null
    if (view !== 'none' && view.waitsForSending) return null
    const isPrepared = this.#kept.refused[`prepared ${this.#generationOf(version)}`] !== undefined
    if (isPrepared) return { version, method: 'submit', onReviewInProgress: 'fail' }
    const share = fraction === undefined ? {} : { fraction }
    return { version, method: 'prepare', buildNumber, phased, release, ...share }
  }

  #generationOf = (version: string) => this.#kept.wanted[version]?.stage?.generation ?? 0

  /** Returns the last seen state of the store, without times. */
  #state(call: StoreCall): string {
    if (this.fault === 'repeats refused calls') return `${Math.random()}`
    return Object.values(this.#kept.seen)
      .filter(({ view: { version } }) => !isStopCall(call) || version === call.version)
      .map(({ view }) => `${view.version} ${wordsOf(view)} ${view.submissionId}`)
      .join()
  }

  endCall(id: string, result: CallResult, now: string): void {
    const kept = this.#kept
    const call = kept.underWay.find((each) => each.id === id)
    if (!call) return
    const { version } = call.call
    const time = Date.parse(now)
    if (!('error' in result)) {
      call.state = 'ended'
      kept.failures = 0
      this.#recordRestarts(call.call, now)
      const shownAt = Date.parse(result.after.status.beganAt)
      kept.settledAt[version] = this.#settles(version, call.isAlone ? shownAt : time + 1)
      if (call.call.method === 'prepare') {
        kept.refused[`prepared ${call.stage}`] = 'yes'
      }
      this.#see(result.after, shownAt, now)
      // A call that changed nothing is not repeated.
      if (this.fault !== 'never rests')
        kept.refused[JSON.stringify(call.call)] = this.#state(call.call)
      this.#review(now)
      return
    }
    const { code, detail } = result.error
    call.state = detail.outcome === 'notApplied' ? 'ended' : 'unknown'
    if (call.state === 'unknown') {
      this.#doubt(kept, call)
      if (this.fault === 'gives up what is done') this.#giveUp(version, now)
    }
    kept.settledAt[version] = this.#settles(version, call.isAlone ? 0 : time + 1)
    if (code === 'unauthorized') kept.isLockedOut = true
    else if (['unavailable', 'rateLimited', 'timeout'].includes(code)) this.#backOff(now)
    else if (code === 'notFound') this.#backOff(now)
    else kept.refused[JSON.stringify(call.call)] = this.#state(call.call)
  }

  #giveUp(version: string, now: string): void {
    for (const each of Object.values(this.#kept.wanted[version] ?? {})) {
      const { generation } = each
      this.#said.push({ kind: 'failed', at: now, version, generation, reason: 'No answer' })
    }
  }

  /** Notes that reviews of Google Play begin again after a call that replaces one. */
  #recordRestarts(call: StoreCall, now: string): void {
    const isReplaced =
      call.method === 'cancelReview' ||
      (call.method === 'setRollout' && call.onReviewInProgress === 'replace')
    if (this.setting.kind === 'apple' || !isReplaced) return
    for (const [version, { view }] of Object.entries(this.#kept.seen)) {
      if (version === call.version || !IN_REVIEW.includes(view.status.state)) continue
      const cause = call.version
      if (this.fault === 'reports restarts too soon') {
        this.#said.push({ kind: 'restarted', at: now, version, cause })
      } else if (this.fault !== 'hides restarts') {
        this.#kept.restarts[version] = { at: Date.parse(now), cause }
      }
    }
  }

  /** Returns when the results of all our calls for a version are certain, given that one is. */
  #settles(version: string, certain: number): number {
    const others = this.#kept.underWay.filter(
      ({ call, state }) => call.version === version && state !== 'ended'
    )
    const inDoubtUntil = this.#kept.inDoubtUntil[version] ?? 0
    return Math.max(certain, inDoubtUntil, ...others.map(({ deadline }) => Date.parse(deadline)))
  }

  #doubt(kept: Kept, { call: { version }, deadline }: Call): void {
    kept.inDoubtUntil[version] = Math.max(kept.inDoubtUntil[version] ?? 0, Date.parse(deadline))
  }

  #backOff(now: string): void {
    this.#kept.failures += 1
    const minutes =
      this.fault === 'comes back too soon' ? 0 : Math.min(60, 2 ** this.#kept.failures)
    this.#kept.notBefore = Date.parse(now) + minutes * MINUTE
  }

  observe(versions: readonly StoreVersion[], beganAt: string, now: string): void {
    const asOf = Date.parse(beganAt) - this.setting.lagSeconds * 1000
    this.#kept.listAsOf = Math.max(this.#kept.listAsOf, asOf)
    for (const view of versions) this.#see(view, asOf, now)
    this.#review(now)
  }

  #see(view: StoreVersion, asOf: number, now: string): void {
    const known = this.#kept.seen[view.version]
    if (known && known.asOf > asOf && this.fault !== 'believes stale lists') return
    this.#kept.seen[view.version] = { view, asOf }
    const restart = this.#kept.restarts[view.version]
    if (restart && asOf > restart.at) {
      delete this.#kept.restarts[view.version]
      const { version, status } = view
      if (IN_REVIEW.includes(status.state)) {
        this.#said.push({ kind: 'restarted', at: now, version, cause: restart.cause })
      }
    }
    if (known && wordsOf(known.view) === wordsOf(view)) return
    const { version, status, rollout } = view
    const isOurs = this.#kept.underWay.some(({ state }) => state === 'open')
    if (known && rollout && !isOurs && this.fault === 'adopts its own calls') {
      this.#said.push({ kind: 'adopted', at: now, version, what: wordsOf(view), named: null })
    }
    const percentage = rollout?.fraction === undefined ? null : rollout.fraction * 100
    const shown = { state: status.state, rolloutState: rollout?.state ?? null, percentage }
    this.#said.push({ kind: 'shown', at: now, version, ...shown })
  }

  /** Compares the decisions with the views. */
  #review(now: string): void {
    for (const [version, aspects] of Object.entries(this.#kept.wanted)) {
      for (const wanted of Object.values(aspects)) {
        const known = this.#kept.seen[version]
        const settledAt = this.#kept.settledAt[version] ?? 0
        const since = this.fault === 'trusts old evidence' ? 0 : Math.max(settledAt, wanted.at)
        if (known && known.asOf >= since) this.#compare(wanted, known.view, now)
        this.#askIfLate(wanted, now)
      }
    }
  }

  #compare(wanted: Wanted, view: StoreVersion, now: string): void {
    const { decision } = wanted
    const isPrepared = this.#kept.refused[`prepared ${wanted.generation}`] !== undefined
    const isOurs = decision.what !== 'submit' || wanted.isDone || isPrepared
    const isThere = isOurs && isShownWhereWanted(decision, view)
    if (isThere && !wanted.isDone) this.#fulfil(wanted, now)
    const isOver = view.status.state === 'replaced' || view.status.state === 'removed'
    if (isThere || !wanted.isDone || isOver) return
    const { version } = view
    const named = this.fault === 'names somebody' ? 'Somebody' : null
    this.#said.push({ kind: 'adopted', at: now, version, what: wordsOf(view), named })
    const aspect = wanted === this.#kept.wanted[version].stage ? 'stage' : 'rollout'
    delete this.#kept.wanted[version][aspect]
  }

  #fulfil(wanted: Wanted, now: string): void {
    wanted.isDone = true
    const { generation, decision } = wanted
    const { version, what } = decision
    this.#said.push({ kind: 'fulfilled', at: now, version, generation, what })
  }

  #askIfLate(wanted: Wanted, now: string): void {
    if (wanted.isDone || wanted.isAsked || this.fault === 'asks nobody') return
    if (Date.parse(now) - wanted.at < ASKS_AFTER) return
    wanted.isAsked = true
    const { version, what } = wanted.decision
    this.#said.push({ kind: 'question', at: now, version, about: what, message: 'Not done yet' })
  }

  renewCredentials(now: string): void {
    this.#kept.isLockedOut = false
    this.#kept.notBefore = this.fault === 'waits with new credentials' ? Date.parse(now) + HOUR : 0
  }

  wakesAt(): string | null {
    const { wanted, underWay, notBefore } = this.#kept
    const late = Object.values(wanted)
      .flatMap((each) => Object.values(each))
      .filter(({ isDone, isAsked }) => !isDone && !isAsked)
      .map(({ at }) => at + ASKS_AFTER)
    const times = [...late, ...underWay.map(({ deadline }) => Date.parse(deadline))]
    if (notBefore > 0) times.push(notBefore)
    return times.length === 0 ? null : new Date(Math.min(...times)).toISOString()
  }

  drain(): Announcement[] {
    const said = this.#said
    this.#said = []
    return said
  }

  restart(): void {
    const kept = JSON.parse(JSON.stringify(this.#kept)) as Kept
    for (const each of kept.underWay) {
      if (each.state === 'open')
        this.#doubt(kept, Object.assign(each, { state: 'unknown' as const }))
    }
    if (this.fault === 'forgets at death') kept.wanted = {}
    this.#kept = kept
    this.#said = []
  }
}
