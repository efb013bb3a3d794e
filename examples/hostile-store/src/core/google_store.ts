import { GoogleReviews, isOpen, isServed, PRODUCTION } from './google_reviews.js'
import {
  fullyReleased,
  notInReview,
  notRollingOut,
  Refusal,
  reviewInProgress,
  unsupported,
  wrongState,
} from './refusal.js'
import type { ConsoleAction, RolloutChange, StoreCall, StoreOptions, Truth } from './vocabulary.js'

type Prepare = Extract<StoreCall, { method: 'prepare' }>
type SetRollout = Extract<StoreCall, { method: 'setRollout' }>

/** Google Play: one package with all its tracks, of which the service works with production. */
export class GoogleStore extends GoogleReviews {
  constructor(options: StoreOptions) {
    super(options)
    if (!options.live) return
    this.recordEarlier(
      {
        ...this.draft(options.live.version, options.live.build),
        state: 'live',
        raw: 'completed',
        review: 'approved',
        submission: 1,
        rollout: { mode: 'staged', state: 'complete', fraction: 1 },
        share: 1,
      },
      60
    )
  }

  protected apply(call: StoreCall): void {
    // A console, or another tool, has changed the app since the edit was opened.
    if (this.drawForCall('edit') < (this.options.flaky ?? 0)) {
      throw new Refusal('unavailable', 'editExpired', 'The edit has expired')
    }
    if (call.method === 'prepare') this.#prepare(call)
    else if (call.method === 'submit') this.#submit(call.version, call.onReviewInProgress)
    else if (call.method === 'cancelReview') this.#cancelReview(call.version)
    else if (call.method === 'release') this.#release(call.version)
    else this.#setRollout(call)
  }

  protected isListed(truth: Truth): boolean {
    return truth.state !== 'replaced' || (this.options.listsReplaced ?? false)
  }

  #prepare({ version, buildNumber, fraction, release }: Prepare): void {
    if (this.isInReview) throw reviewInProgress()
    if (typeof release !== 'string') throw unsupported('release at a time')
    const known = this.truth(version)
    if (known && !isOpen(known)) throw wrongState(version, known.state)
    if (fraction !== undefined) this.#checkFraction(fraction)
    this.#checkCode(version, buildNumber)
    this.record({
      ...(known ?? this.draft(version, buildNumber)),
      build: buildNumber,
      state: 'preparing',
      raw: 'draft',
      release,
      phased: fraction !== undefined,
      planned: fraction,
    })
  }

  #submit(version: string, onReviewInProgress: 'fail' | 'replace'): void {
    const truth = this.known(version)
    if (this.isInReview && onReviewInProgress === 'fail') throw reviewInProgress()
    if (!isOpen(truth) && truth.review !== 'inReview') throw wrongState(version, truth.state)
    this.#checkCode(version, truth.build)
    const isFirst = !this.truths.some((each) => each.track === PRODUCTION && isServed(each))
    if (isFirst && truth.planned !== undefined) {
      throw new Refusal(
        'preconditionFailed',
        'firstReleaseCannotBeStaged',
        'The first release on a track cannot be staged'
      )
    }
    this.commit(version, { kind: 'submission' })
  }

  #cancelReview(version: string): void {
    const truth = this.known(version)
    const waits = truth.state === 'readyForReview' && truth.waitsForSending
    if (truth.review !== 'inReview' && !waits) throw notInReview(version, truth.state)
    this.withdraw(version)
  }

  #release(version: string): void {
    this.known(version)
    // Only the console publishes a change that managed publishing holds.
    throw unsupported('call that publishes')
  }

  #setRollout({ version, to, onReviewInProgress }: SetRollout): void {
    const truth = this.known(version)
    if ('fraction' in to) this.#checkFraction(to.fraction)
    if (this.isInReview && onReviewInProgress === 'fail') throw reviewInProgress()
    if ('fraction' in to && (truth.review === 'inReview' || truth.state === 'pendingRelease')) {
      this.change(version, { planned: to.fraction })
      this.commit(version, { kind: 'submission' })
      return
    }
    const change = this.changeOf(truth, to)
    if (onReviewInProgress === 'replace') this.restartReviews()
    this.commit(version, { kind: 'rollout', to: change })
  }

  /** The rollout that a change asks for, where the rules allow it from here. */
  private changeOf(truth: Truth, to: RolloutChange): RolloutChange {
    const { version, state } = truth
    if (truth.track !== PRODUCTION) throw unsupported('other track')
    if ('action' in to && to.action === 'start') throw unsupported('rollout without a review')
    if (!isServed(truth)) throw notRollingOut(version, state)
    const halts = 'action' in to && (to.action === 'halt' || to.action === 'pause')
    if (state === 'live') {
      if ('action' in to && to.action === 'complete') return to
      if (!halts) throw fullyReleased(version)
      if (!this.predecessor(truth)) {
        throw new Refusal(
          'preconditionFailed',
          'firstRelease',
          'The first release of a track cannot be halted'
        )
      }
    }
    if (!halts) this.#checkHighest(truth)
    return halts ? { action: 'halt' } : to
  }

  /** A version below a higher code of its track is never served anew. */
  #checkHighest({ version, build }: Truth): void {
    const isBelow = this.truths.some((each) => isServed(each) && Number(each.build) > Number(build))
    if (!isBelow) return
    throw new Refusal(
      'invalid',
      'notUpgradable',
      `Users of later versions could not use ${version}`
    )
  }

  #checkFraction(fraction: number): void {
    if (fraction > 0 && fraction < 1) return
    throw new Refusal('invalid', 'fraction', 'A share lies between 0 and 1')
  }

  #checkCode(version: string, code: string): void {
    const available = this.options.builds[code]
    if (available === undefined || available > this.now) {
      throw new Refusal('invalid', 'unknownBuild', `There is no version code ${code}`)
    }
    const others = this.truths.filter((each) => each.version !== version)
    if (others.some(({ build, state }) => build === code && state !== 'preparing')) {
      throw new Refusal('invalid', 'versionCodeUsed', `Version code ${code} is already used`)
    }
    if (others.some((each) => isServed(each) && Number(each.build) > Number(code))) {
      throw new Refusal('invalid', 'notUpgradable', 'Users could not upgrade to this release')
    }
  }

  protected act(action: ConsoleAction): boolean {
    if (action.what === 'send') return this.send()
    if (action.what === 'sendByHand') return this.setSendByHand(action.on)
    if (action.what === 'submitOther') return this.submitOther(action)
    if (action.what === 'publishOther') return this.#publishOther(action)
    const truth = this.known(action.version)
    switch (action.what) {
      case 'submit':
        return this.#submitInConsole(truth)
      case 'withdraw':
        this.#cancelReview(truth.version)
        return true
      case 'release':
        return truth.state === 'pendingRelease' && this.publishApproved()
      case 'reject':
        return truth.review === 'inReview' && this.reject()
      case 'remove':
        return this.#discard(truth)
      case 'set':
        this.#checkFraction(action.fraction)
        return this.#rollInConsole(truth, { fraction: action.fraction })
      default:
        return this.#rollInConsole(truth, { action: action.what })
    }
  }

  #submitInConsole(truth: Truth): boolean {
    if (!isOpen(truth)) return false
    this.#checkCode(truth.version, truth.build)
    this.beginReview([truth.version])
    return true
  }

  /** A person's change of a rollout is sent at once, and leaves reviews alone. */
  #rollInConsole(truth: Truth, to: RolloutChange): boolean {
    this.roll(truth.version, this.changeOf(truth, to))
    return true
  }

  /** A draft can be discarded; what was published stays. */
  #discard(truth: Truth): boolean {
    if (!isOpen(truth)) return false
    this.change(truth.version, { state: 'removed', raw: 'discarded', waitsForSending: false })
    return true
  }

  #publishOther({ version, build, fraction }: Extract<ConsoleAction, { what: 'publishOther' }>) {
    if (this.truth(version)) return false
    const highest = Math.max(0, ...this.truths.map((each) => Number(each.build)))
    if (Number(build) <= highest) return false
    const isFirst = !this.truths.some(isServed)
    this.record({ ...this.draft(version, build), planned: isFirst ? undefined : fraction })
    this.publish(version)
    return true
  }
}
