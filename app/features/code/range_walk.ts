import { chunked } from '#foundation/core/chunked'
import { yieldToOthers } from '#foundation/core/yielding'
import type { LineCommit } from './commit_line.js'

/** Commits that one pass answers for: each has one bit. */
const AT_ONCE = 32
/** Commits processed before the thread is yielded. */
const PER_TURN = 10_000

/** A bit set: which of the queried commits are descendants of a commit. */
type Bits = number

/** The ancestry of a range's commits. One pass over the range answers for many commits. */
export class RangeWalk {
  readonly #places = new Map<string, number>()
  /**
   * Places of parents within the range, child by child; those of a child begin at its entry in
   * `#from`.
   */
  readonly #parents: number[] = []
  readonly #from: Int32Array
  /** Parents outside of the range, with the places of their children. */
  readonly #outside: { hash: string; child: number }[] = []
  /** Places of all commits, children before their parents. */
  readonly #order: Int32Array

  /** @param commits all of a range, in any order */
  constructor(commits: readonly Pick<LineCommit, 'hash' | 'parents'>[]) {
    for (const [place, { hash }] of commits.entries()) this.#places.set(hash, place)
    this.#from = new Int32Array(commits.length + 1)
    for (const [child, { parents }] of commits.entries()) {
      for (const hash of parents) {
        const place = this.#places.get(hash)
        if (place === undefined) this.#outside.push({ hash, child })
        else this.#parents.push(place)
      }
      this.#from[child + 1] = this.#parents.length
    }
    this.#order = this.#inOrder(commits.length)
  }

  /**
   * Returns the ancestors of each commit: the `marks` within the range, including the commit
   * itself, and the commits outside that the range builds on.
   */
  async behind(
    hashes: readonly string[],
    marks: readonly string[]
  ): Promise<Map<string, { inside: string[]; outside: string[] }>> {
    const found = new Map<string, { inside: string[]; outside: string[] }>()
    for (const some of chunked(hashes, AT_ONCE)) {
      const reached = await this.#pass(some)
      const outside = new Map<string, Bits>()
      for (const { hash, child } of this.#outside) {
        if (reached[child] !== 0) outside.set(hash, (outside.get(hash) ?? 0) | reached[child])
      }
      for (const [index, hash] of some.entries()) {
        const isBehind = (bits: Bits) => (bits & (1 << index)) !== 0
        found.set(hash, {
          inside: marks.filter((mark) => isBehind(reached[this.#places.get(mark) ?? -1] ?? 0)),
          outside: [...outside].flatMap(([each, bits]) => (isBehind(bits) ? each : [])),
        })
      }
    }
    return found
  }

  /** Returns, by place, which of the given commits are that commit or its descendants. */
  async #pass(hashes: readonly string[]): Promise<Int32Array> {
    const reached = new Int32Array(this.#order.length)
    for (const [index, hash] of hashes.entries()) {
      const place = this.#places.get(hash)
      if (place !== undefined) reached[place] |= 1 << index
    }
    for (let from = 0; from < this.#order.length; from += PER_TURN) {
      this.#carry(reached, from, Math.min(from + PER_TURN, this.#order.length))
      await yieldToOthers()
    }
    return reached
  }

  #carry(reached: Int32Array, from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const place = this.#order[index]
      const bits = reached[place]
      if (bits === 0) continue
      for (let at = this.#from[place]; at < this.#from[place + 1]; at++) {
        reached[this.#parents[at]] |= bits
      }
    }
  }

  /** Sorts by ancestry, not by stored place: a commit that returns to a branch gets a new place. */
  #inOrder(count: number): Int32Array {
    const order = new Int32Array(count)
    const children = new Int32Array(count)
    for (const parent of this.#parents) children[parent]++
    let end = 0
    for (let place = count - 1; place >= 0; place--) if (children[place] === 0) order[end++] = place
    for (let index = 0; index < end; index++) {
      const place = order[index]
      for (let at = this.#from[place]; at < this.#from[place + 1]; at++) {
        if (--children[this.#parents[at]] === 0) order[end++] = this.#parents[at]
      }
    }
    return order.subarray(0, end)
  }
}
