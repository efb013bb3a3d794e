import type { StoreType } from '../../vocabulary.js'

const BOTH = ['apple', 'google'] as const
const OTHER: Record<StoreType, StoreType> = { apple: 'google', google: 'apple' }

/** The truth of a store about its version, and whether its release is over. */
export interface Truth {
  isApproved: boolean
  isOut: boolean
  isOver: boolean
}
export type Truths = Readonly<Record<StoreType, Truth>>

/**
 * A judge of what a pair does: it knows what people did, and what was accepted, beside the truth of
 * the stores, and nothing of how the service comes to its steps. Its permissions say whose version
 * may go out by whose word.
 */
export class Judge {
  isPair = false
  /** By a takeoff of its own, or by one of both. */
  readonly may: Record<StoreType, 'own' | 'both' | null> = { apple: null, google: null }
  /** The findings so far. */
  readonly found: string[] = []
  #released = 0

  joined(): void {
    this.isPair = true
  }

  /** One was taken off, as everybody knows the truth. */
  takenOff(type: StoreType, truths: Truths): void {
    const other = truths[OTHER[type]]
    if (truths[type].isOut) return
    const isShared = this.isPair && !other.isOver && !other.isOut
    this.may[type] ??= isShared ? 'both' : 'own'
    if (!isShared) this.may[type] = 'own'
    else this.may[OTHER[type]] ??= 'both'
  }

  /** One is stopped, withdrawn or over: it does not go out, nor does what was to go out with it. */
  ended(type: StoreType): void {
    const isOfBoth = this.may[type] === 'both' || this.may[OTHER[type]] === 'both'
    this.may[type] = null
    if (isOfBoth && this.may[OTHER[type]] === 'both') this.may[OTHER[type]] = null
  }

  /**
   * Both were stopped. The store may let out before the stop what nobody has seen yet: then a
   * person hears that it could not be stopped.
   * @param isOutUnheard whether all users have the other one, and nobody hears of it
   */
  saidStopped(isSaid: boolean, isOutUnheard: boolean): void {
    if (isSaid && isOutUnheard) {
      this.found.push('it was said to be stopped, users have all of it, and nobody hears so')
    }
  }

  /** @param isAsked whether a person is asked to publish Android: that stays */
  parted(isAsked: boolean): void {
    this.isPair = false
    for (const type of BOTH) if (this.may[type] === 'both') this.may[type] = null
    if (isAsked) this.may.google = 'own'
  }

  /**
   * Judges what the stores were asked for since the last time, once all that was due is done.
   * @returns what was wrong so far
   */
  look(asked: { released: number; isPublishAsked: boolean }, truths: Truths): string[] {
    const faults = this.found
    const { released, isPublishAsked } = asked
    if (released > this.#released) {
      if (this.may.apple === null) faults.push('iOS went out by nobody’s word')
      if (this.may.apple === 'both' && !truths.google.isOut) faults.push('iOS did not wait')
    }
    if (released > this.#released + 1) faults.push('iOS was asked twice')
    this.#released = released
    if (isPublishAsked && this.may.google === null)
      faults.push('Android is to be published by nobody’s word')
    if (
      isPublishAsked &&
      this.may.google === 'both' &&
      !truths.apple.isApproved &&
      !truths.apple.isOut
    ) {
      faults.push('Android did not wait')
    }
    return faults
  }

  /** Returns what is missing once nothing is on its way any more. */
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
