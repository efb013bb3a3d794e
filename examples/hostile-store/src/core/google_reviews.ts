import { HostileStore } from './store.js'
import type { ConsoleAction, RolloutChange, Truth } from './vocabulary.js'

export const PRODUCTION = 'production'

/** A change that takes effect once it is sent. */
type Change = { kind: 'submission' } | { kind: 'rollout'; to: RolloutChange }

/** A version that can be prepared and submitted. */
export const isOpen = ({ state }: Truth) =>
  state === 'preparing' ||
  state === 'readyForReview' ||
  state === 'rejected' ||
  state === 'developerRejected'

/** A version that users get, or got until it was halted. */
export const isServed = ({ state, track }: Truth) =>
  track === PRODUCTION && (state === 'rolledOutPartially' || state === 'halted' || state === 'live')

/**
 * Reviews and publishing of one package. Google reviews all changes of an app together, on
 * whatever track: there is one review, or none.
 */
export abstract class GoogleReviews extends HostileStore {
  #reviews = 0
  #byHand = this.options.sendByHand ?? false
  readonly #waiting = new Map<string, Change>()

  protected get isInReview(): boolean {
    return this.truths.some(({ review }) => review === 'inReview')
  }

  protected draft(version: string, build: string): Truth {
    return {
      version,
      track: PRODUCTION,
      build,
      state: 'preparing',
      raw: 'draft',
      review: 'notSubmitted',
      submission: 0,
      release: 'auto',
      phased: false,
      rollout: null,
      share: 0,
      stopped: false,
      waitsForSending: false,
    }
  }

  /** Commits a change: it is sent, with all that waits, or waits itself. */
  protected commit(version: string, change: Change): void {
    this.#waiting.set(version, change)
    if (!this.#byHand) {
      this.send()
      return
    }
    const truth = this.known(version)
    const isSubmission = change.kind === 'submission' && truth.review !== 'inReview'
    this.change(version, {
      waitsForSending: true,
      ...(isSubmission ? { state: 'readyForReview', raw: 'notSentForReview' } : {}),
    })
  }

  /** Sends all that waits; false if nothing does. */
  protected send(): boolean {
    const changes = [...this.#waiting]
    this.#waiting.clear()
    for (const [version, change] of changes) {
      if (this.known(version).waitsForSending) this.change(version, { waitsForSending: false })
      if (change.kind === 'rollout' && isServed(this.known(version))) this.roll(version, change.to)
    }
    const submitted = changes.filter(([, { kind }]) => kind === 'submission')
    if (submitted.length > 0) this.beginReview(submitted.map(([version]) => version))
    return changes.length > 0
  }

  protected setSendByHand(on: boolean): boolean {
    const changes = this.#byHand !== on
    this.#byHand = on
    return changes
  }

  /** Begins the review of versions, together with all that are in review already. */
  protected beginReview(versions: readonly string[]): void {
    const together = this.truths.filter(
      (each) => versions.includes(each.version) || each.review === 'inReview'
    )
    this.#reviews += 1
    this.cancelPlans('', 'reviewed')
    this.plan('reviewed', this.now + this.reviewTime(this.#reviews))
    for (const { version, submission } of together) {
      this.change(version, {
        state: 'inReview',
        raw: 'inReview',
        review: 'inReview',
        submission: submission + 1,
        waitsForSending: false,
      })
    }
    this.#supersede()
  }

  /** Cancels the review that is under way, and sends all of it again. */
  protected restartReviews(): void {
    if (this.isInReview && !this.#byHand) this.beginReview([])
  }

  /** Makes a version a draft again. Others in review are sent again, by hand where that is needed. */
  protected withdraw(version: string): void {
    this.#waiting.delete(version)
    this.change(version, {
      state: 'preparing',
      raw: 'draft',
      review: 'notSubmitted',
      waitsForSending: false,
    })
    const others = this.truths.filter(({ review }) => review === 'inReview')
    this.cancelPlans('', 'reviewed')
    if (others.length === 0) return
    if (!this.#byHand) {
      this.beginReview([])
      return
    }
    for (const other of others) {
      this.change(other.version, { review: 'notSubmitted' })
      this.commit(other.version, { kind: 'submission' })
    }
  }

  protected submitOther(action: Extract<ConsoleAction, { what: 'submitOther' }>): boolean {
    if (this.truth(action.version)) return false
    this.record({ ...this.draft(action.version, action.build), track: action.track })
    this.beginReview([action.version])
    return true
  }

  protected due(what: string): void {
    if (what !== 'reviewed' || !this.isInReview) return
    if (this.draw('verdict', this.#reviews) < this.options.rejected) {
      this.reject()
      return
    }
    for (const { version, review } of this.truths) {
      if (review !== 'inReview') continue
      this.change(version, {
        state: 'pendingRelease',
        raw: 'approvedNotPublished',
        review: 'approved',
      })
    }
    if (!this.options.managed) this.publishApproved()
  }

  /** The review ends with a rejection. Some apps need their changes to be sent by hand after it. */
  protected reject(): boolean {
    this.cancelPlans('', 'reviewed')
    for (const { version, review } of this.truths) {
      if (review !== 'inReview') continue
      this.change(version, { state: 'rejected', raw: 'notApproved', review: 'rejected' })
    }
    if (this.draw('byHand', this.#reviews) < 0.3) this.#byHand = true
    return true
  }

  /** Publishes all that is approved, the lowest version code first. */
  protected publishApproved(): boolean {
    const approved = this.truths.filter(({ state }) => state === 'pendingRelease')
    approved.sort((one, other) => Number(one.build) - Number(other.build))
    for (const { version } of approved) this.publish(version)
    return approved.length > 0
  }

  protected publish(version: string): void {
    const truth = this.known(version)
    if (truth.track !== PRODUCTION) {
      this.change(version, { state: 'live', raw: 'completed', review: 'approved', share: 1 })
      return
    }
    const code = Number(truth.build)
    if (this.truths.some((each) => isServed(each) && Number(each.build) > code)) {
      this.#replace(truth)
      return
    }
    this.#takeOver(code)
    this.change(version, { review: 'approved' })
    this.roll(
      version,
      truth.planned === undefined ? { action: 'complete' } : { fraction: truth.planned }
    )
  }

  /** Changes what users get of a version. */
  protected roll(version: string, to: RolloutChange): void {
    const truth = this.known(version)
    if ('fraction' in to) this.#serve(truth, to.fraction)
    else if (to.action === 'halt') this.#halt(truth)
    else if (to.action === 'complete') this.#complete(truth)
    else if (truth.stopped && truth.rollout?.fraction === undefined) this.#complete(truth)
    else this.#serve(truth, truth.rollout?.fraction ?? truth.share)
  }

  /** The version that is served again once this one is halted. */
  protected predecessor({ build }: Truth): Truth | undefined {
    return this.truths
      .filter((each) => each.share === 1 && !each.stopped && each.track === PRODUCTION)
      .filter((each) => Number(each.build) < Number(build))
      .sort((one, other) => Number(other.build) - Number(one.build))[0]
  }

  #serve(truth: Truth, fraction: number): void {
    const startedAt = truth.rollout?.startedAt ?? this.now
    this.change(truth.version, {
      state: 'rolledOutPartially',
      raw: 'inProgress',
      rollout: { mode: 'staged', state: 'active', fraction, startedAt },
      share: fraction,
      stopped: false,
    })
  }

  #complete(truth: Truth): void {
    const startedAt = truth.rollout?.startedAt ?? this.now
    this.change(truth.version, {
      state: 'live',
      raw: 'completed',
      rollout: { mode: 'staged', state: 'complete', fraction: 1, startedAt },
      share: 1,
      stopped: false,
    })
    for (const each of this.truths) {
      const isLower = Number(each.build) < Number(truth.build)
      if (isServed(each) && isLower) this.#replace(each)
    }
  }

  #halt(truth: Truth): void {
    if (truth.stopped) return
    const { mode, fraction, startedAt } = truth.rollout ?? { mode: 'staged' }
    const isStaged = truth.state === 'rolledOutPartially'
    this.change(truth.version, {
      state: 'halted',
      raw: 'halted',
      // A halted release has a share between 0 and 1, or none.
      rollout: { mode, state: 'halted', startedAt, ...(isStaged ? { fraction } : {}) },
      stopped: true,
    })
    const before = isStaged ? undefined : this.predecessor(truth)
    if (before) this.change(before.version, { state: 'live', raw: 'completed' })
  }

  /** A higher version code takes over what is staged or halted. */
  #takeOver(code: number): void {
    for (const each of this.truths) {
      if (isServed(each) && each.state !== 'live' && Number(each.build) < code) this.#replace(each)
    }
  }

  /** A track holds one submission: of two, the lower version code has had its day. */
  #supersede(): void {
    const inReview = this.truths.filter(
      ({ review, track }) => review === 'inReview' && track === PRODUCTION
    )
    const highest = Math.max(...inReview.map(({ build }) => Number(build)))
    for (const each of inReview) if (Number(each.build) < highest) this.#replace(each)
  }

  #replace(truth: Truth): void {
    this.#waiting.delete(truth.version)
    const review = truth.review === 'inReview' ? 'notSubmitted' : truth.review
    this.change(truth.version, {
      state: 'replaced',
      raw: 'superseded',
      review,
      waitsForSending: false,
    })
  }
}
