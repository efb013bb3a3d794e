import { HostileStore } from './store.js'
import {
  fullyReleased,
  notFound,
  notInReview,
  notRollingOut,
  Refusal,
  reviewInProgress,
  unsupported,
  wrongState,
} from './refusal.js'
import { PhasedReleases } from './phased_releases.js'
import type {
  ConsoleAction,
  RolloutChange,
  State,
  StoreCall,
  StoreOptions,
  Truth,
} from './vocabulary.js'

const SECOND = 1000
const MINUTE = 60 * SECOND

type Prepare = Extract<StoreCall, { method: 'prepare' }>

/** An approved version that its developer releases, or rejects. */
const AWAITS_DEVELOPER = 'PENDING_DEVELOPER_RELEASE'

/** States in which a version keeps every other from being made. */
const IN_FLIGHT: readonly State[] = [
  'preparing',
  'readyForReview',
  'waitingForReview',
  'inReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
  'pendingRelease',
  'processing',
]
const EDITABLE: readonly State[] = [
  'preparing',
  'readyForReview',
  'rejected',
  'metadataRejected',
  'developerRejected',
  'invalidBinary',
]

/** The App Store: an app on one platform. */
export class AppleStore extends HostileStore {
  readonly #phases = new PhasedReleases({
    now: () => this.now,
    change: (version, change) => this.change(version, change),
    known: (version) => this.known(version),
    plan: (what, at, version) => this.plan(what, at, version),
    cancel: (version) => this.cancelPlans(version, 'day', 'pauseUsedUp'),
  })
  /** Versions whose review is being cancelled, which takes seconds. */
  readonly #cancelling = new Set<string>()

  constructor(options: StoreOptions) {
    super(options)
    if (!options.live) return
    const { version, build } = options.live
    const live = { state: 'live', raw: 'READY_FOR_DISTRIBUTION', review: 'approved' } as const
    this.recordEarlier({ ...draft(version, build), ...live, submission: 1, share: 1 }, 60)
  }

  protected apply(call: StoreCall): void {
    if (call.method === 'prepare') {
      this.#prepare(call)
      return
    }
    const truth = this.known(call.version)
    this.#missNew(truth)
    if (call.method === 'submit') this.#submit(truth, call.onReviewInProgress)
    else if (call.method === 'cancelReview') this.#cancelReview(truth)
    else if (call.method === 'release') this.#release(truth)
    else this.#setRollout(truth, call.to)
  }

  protected isListed(): boolean {
    return true
  }

  /** Misses a version that was just made, for a while. */
  #missNew({ version }: Truth): void {
    const [{ at }] = this.history(version)
    const isNew = this.now - at < this.options.lagSeconds * SECOND
    if (isNew && this.drawForCall('missing') < 3 * (this.options.flaky ?? 0))
      throw notFound(version)
  }

  #prepare({ version, buildNumber, phased, release }: Prepare): void {
    const known = this.truth(version)
    if (known && !EDITABLE.includes(known.state)) throw wrongState(version, known.state)
    if (this.#cancelling.has(version)) throw wrongState(version, 'CANCELING')
    const flying = this.truths.find(
      (each) => each.version !== version && IN_FLIGHT.includes(each.state)
    )
    if (flying) {
      throw new Refusal('conflict', 'versionInFlight', `${flying.version} is ${flying.state}`)
    }
    const isHigher = this.truths.every(
      (each) => each.version === version || compare(each.version, version) < 0
    )
    if (!isHigher) throw new Refusal('invalid', 'versionNotHigher', `${version} is not the highest`)
    this.#checkBuild(buildNumber)
    this.record({ ...(known ?? draft(version, buildNumber)), build: buildNumber, phased, release })
  }

  #checkBuild(number: string): void {
    const usableAt = this.options.builds[number]
    if (usableAt === undefined) {
      throw new Refusal('invalid', 'unknownBuild', `There is no build ${number}`)
    }
    if (usableAt > this.now) {
      throw new Refusal('preconditionFailed', 'buildProcessing', `Build ${number} is processed`)
    }
  }

  #submit(truth: Truth, onReviewInProgress: 'fail' | 'replace'): void {
    const { version, state, submission } = truth
    if (this.#cancelling.has(version)) throw wrongState(version, 'CANCELING')
    const isSent = state === 'waitingForReview' || state === 'inReview'
    if (isSent && onReviewInProgress === 'fail') throw reviewInProgress()
    if (!isSent && !EDITABLE.includes(state)) throw wrongState(version, state)
    this.cancelPlans(version)
    this.change(version, {
      state: 'waitingForReview',
      raw: 'WAITING_FOR_REVIEW',
      review: 'inReview',
      submission: submission + 1,
    })
    const time = this.reviewTime(version, submission)
    this.plan('inReview', this.now + Math.round(time / 3), version)
    this.plan('reviewed', this.now + time, version)
  }

  /**
   * Takes a version out of its review, or rejects one that was approved and waits for its developer.
   * That takes a while, in which the version looks as before.
   */
  #cancelReview({ version, state, raw, submission }: Truth): void {
    const isReviewed = state === 'waitingForReview' || state === 'inReview'
    if (!isReviewed && raw !== AWAITS_DEVELOPER) throw notInReview(version, state)
    if (this.#cancelling.has(version)) throw wrongState(version, 'CANCELING')
    this.cancelPlans(version)
    this.#cancelling.add(version)
    const seconds = 2 + Math.round(this.draw('cancel', version, submission) * 58)
    this.plan('cancelled', this.now + seconds * SECOND, version)
  }

  #release({ version, state }: Truth): void {
    if (state !== 'pendingRelease') throw wrongState(version, state)
    if (this.#cancelling.has(version)) throw wrongState(version, 'CANCELING')
    this.#distribute(version)
  }

  #setRollout({ version, state, rollout }: Truth, to: RolloutChange): void {
    if ('fraction' in to) throw unsupported('share of a phased release')
    if (to.action === 'start') throw unsupported('phased release after the release')
    if (state === 'live' && to.action === 'complete') return
    if (state === 'live') throw fullyReleased(version)
    if (state !== 'rolledOutPartially' || !rollout) throw notRollingOut(version, state)
    if (to.action === 'complete') this.#phases.complete(version)
    else if (to.action === 'resume') this.#phases.resume(version)
    else this.#phases.pause(version)
  }

  #distribute(version: string): void {
    this.cancelPlans(version)
    this.change(version, { state: 'processing', raw: 'PROCESSING_FOR_DISTRIBUTION' })
    const minutes = 1 + Math.round(this.draw('distribution', version) * 29)
    this.plan('distributed', this.now + minutes * MINUTE, version)
  }

  protected due(what: string, version: string): void {
    const truth = this.known(version)
    if (what === 'day') this.#phases.nextDay(version)
    else if (what === 'pauseUsedUp') this.#phases.resume(version)
    else if (what === 'inReview') this.change(version, { state: 'inReview', raw: 'IN_REVIEW' })
    else if (what === 'reviewed') this.#endReview(truth)
    else if (what === 'cancelled') this.#endCancelling(version)
    else if (what === 'releaseAt') this.#distribute(version)
    else if (what === 'distributed') this.#goLive(truth)
  }

  #endCancelling(version: string): void {
    this.#cancelling.delete(version)
    const raw = 'DEVELOPER_REJECTED'
    this.change(version, { state: 'developerRejected', raw, review: 'notSubmitted' })
  }

  #endReview({ version, submission, release }: Truth): void {
    if (this.draw('verdict', version, submission) < this.options.rejected) {
      this.#reject(version, submission)
      return
    }
    const raw = release === 'manual' ? AWAITS_DEVELOPER : 'PENDING_APPLE_RELEASE'
    this.change(version, { state: 'pendingRelease', raw, review: 'approved' })
    if (release === 'auto') this.#distribute(version)
    else if (release !== 'manual') {
      this.plan('releaseAt', Math.max(this.now, Date.parse(release.at)), version)
    }
  }

  #reject(version: string, submission: number): boolean {
    this.cancelPlans(version)
    this.#cancelling.delete(version)
    const isMetadata = this.draw('metadata', version, submission) < 0.3
    this.change(version, {
      state: isMetadata ? 'metadataRejected' : 'rejected',
      raw: isMetadata ? 'METADATA_REJECTED' : 'REJECTED',
      review: 'rejected',
    })
    return true
  }

  /** The version reaches users, which ends the phased release of the one before. */
  #goLive({ version, phased }: Truth): void {
    for (const each of this.truths) {
      if (each.state === 'live' || each.state === 'rolledOutPartially') {
        this.#phases.replace(each.version)
      }
    }
    if (phased) this.#phases.begin(version)
    else {
      this.change(version, { state: 'live', raw: 'READY_FOR_DISTRIBUTION', share: 1 })
    }
  }

  protected act(action: ConsoleAction): boolean {
    if (action.what === 'publishOther') return this.#publishOther(action)
    if (!('version' in action) || action.what === 'set' || action.what === 'submitOther') {
      return false
    }
    const truth = this.known(action.version)
    switch (action.what) {
      case 'submit':
        this.#submit(truth, 'fail')
        return true
      case 'withdraw':
        this.#cancelReview(truth)
        return true
      case 'release':
        this.#release(truth)
        return true
      case 'remove':
        return this.#remove(truth)
      case 'reject':
        return truth.review === 'inReview' && this.#reject(truth.version, truth.submission)
      default:
        this.#setRollout(truth, { action: action.what })
        return true
    }
  }

  /** Takes a version from sale, or discards one that was never sold. */
  #remove({ version, state }: Truth): boolean {
    const isSold = state === 'live' || state === 'rolledOutPartially'
    if (!isSold && !EDITABLE.includes(state)) return false
    this.cancelPlans(version)
    const raw = isSold ? 'DEVELOPER_REMOVED_FROM_SALE' : 'DELETED'
    this.change(version, { state: 'removed', raw, share: 0, stopped: true, rollout: null })
    return true
  }

  #publishOther({ version, build }: Extract<ConsoleAction, { what: 'publishOther' }>): boolean {
    const flies = this.truths.some(({ state }) => IN_FLIGHT.includes(state))
    const isHigher = this.truths.every((each) => compare(each.version, version) < 0)
    if (flies || !isHigher) return false
    this.record(draft(version, build))
    this.#goLive(this.known(version))
    return true
  }
}

function draft(version: string, build: string): Truth {
  return {
    version,
    track: 'app',
    build,
    state: 'preparing',
    raw: 'PREPARE_FOR_SUBMISSION',
    review: 'notSubmitted',
    submission: 0,
    release: 'manual',
    phased: false,
    rollout: null,
    share: 0,
    stopped: false,
    waitsForSending: false,
  }
}

/** Compares version names part by part. */
export function compare(one: string, other: string): number {
  const [ones, others] = [one, other].map((each) => each.split('.').map(Number))
  for (let index = 0; index < Math.max(ones.length, others.length); index += 1) {
    const difference = (ones[index] ?? 0) - (others[index] ?? 0)
    if (difference !== 0) return difference
  }
  return 0
}
