import type { StoreType } from '../../vocabulary.js'

const BOTH = ['apple', 'google'] as const
const OTHER: Record<StoreType, StoreType> = { apple: 'google', google: 'apple' }

/** The true state of a version in its store, and whether its release has ended. */
export interface Truth {
  isApproved: boolean
  isOut: boolean
  isOver: boolean
}
export type Truths = Readonly<Record<StoreType, Truth>>

/**
 * Judges the behavior of a pair. It knows the accepted requests and the true state of the stores,
 * but not how the service decides its steps. Its permissions say by whose takeoff each version may
 * go out.
 */
export class Judge {
  isPair = false
  /** By its own takeoff, or by one of both. */
  readonly may: Record<StoreType, 'own' | 'both' | null> = { apple: null, google: null }
  /** The findings so far. */
  readonly found: string[] = []
  #released = 0

  joined(): void {
    this.isPair = true
  }

  /** Records a takeoff, given the true state. */
  takenOff(type: StoreType, truths: Truths): void {
    const other = truths[OTHER[type]]
    if (truths[type].isOut) return
    const isShared = this.isPair && !other.isOver && !other.isOut
    this.may[type] ??= isShared ? 'both' : 'own'
    if (!isShared) this.may[type] = 'own'
    else this.may[OTHER[type]] ??= 'both'
  }

  /**
   * Records that one release is stopped, withdrawn or over: neither it nor the release that waits
   * for it may go out.
   */
  ended(type: StoreType): void {
    const isOfBoth = this.may[type] === 'both' || this.may[OTHER[type]] === 'both'
    this.may[type] = null
    if (isOfBoth && this.may[OTHER[type]] === 'both') this.may[OTHER[type]] = null
  }

  /**
   * Records the answer to a stop of both. A store may release the version before the stop, unseen:
   * then a person must be told that it could not be stopped.
   * @param isOutUnheard whether all users have the other version, and nobody is told
   */
  saidStopped(isSaid: boolean, isOutUnheard: boolean): void {
    if (isSaid && isOutUnheard) {
      this.found.push('it was said to be stopped, users have all of it, and nobody hears so')
    }
  }

  /** @param isAsked whether a person is already asked to publish Android, which stays */
  parted(isAsked: boolean): void {
    this.isPair = false
    for (const type of BOTH) if (this.may[type] === 'both') this.may[type] = null
    if (isAsked) this.may.google = 'own'
  }

  /**
   * Judges the calls to the stores since the last look, after all due work is done.
   * @returns the findings so far
   */
  look(requested: { released: number; isPublishAsked: boolean }, truths: Truths): string[] {
    const errors = this.found
    const { released, isPublishAsked } = requested
    if (released > this.#released) {
      if (this.may.apple === null) errors.push('iOS went out by nobody’s word')
      if (this.may.apple === 'both' && !truths.google.isOut) errors.push('iOS did not wait')
    }
    if (released > this.#released + 1) errors.push('iOS was asked twice')
    this.#released = released
    if (isPublishAsked && this.may.google === null)
      errors.push('Android is to be published by nobody’s word')
    if (
      isPublishAsked &&
      this.may.google === 'both' &&
      !truths.apple.isApproved &&
      !truths.apple.isOut
    ) {
      errors.push('Android did not wait')
    }
    return errors
  }

  /** Returns what is still missing once no work is pending. */
  missing(
    { released, isPublishAsked }: { released: number; isPublishAsked: boolean },
    truths: Truths
  ): string[] {
    const isReady = BOTH.every((type) => truths[type].isApproved || truths[type].isOut)
    const missing: string[] = []
    if (this.may.google === 'both' && truths.google.isApproved && isReady && !isPublishAsked) {
      missing.push('nobody is asked to publish Android')
    }
    const isDue = truths.google.isOut && truths.apple.isApproved
    if (this.may.apple === 'both' && isDue) missing.push(`iOS stays behind (${released})`)
    return missing
  }
}
