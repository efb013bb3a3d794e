import { chunked } from '#foundation/core/chunked'
import { yieldToOthers } from '#foundation/core/yielding'
import type { LineCommit } from './commit_line.js'

/** Number of queried commits per pass; each is one bit. */
const PER_PASS = 32
/** Number of commits processed before yielding the thread. */
const PER_SLICE = 10_000

/** A bit set of the queried commits that are descendants of a commit. */
type BitSet = number

/**
 * The ancestry of the commits of a range. One pass over the range handles many queried commits. A
 * node is the index of a commit in the range.
 */
export class RangeWalk {
  readonly #nodes = new Map<string, number>()
  /**
   * Nodes of the parents within the range, grouped by child. `#from` holds the start of each group.
   */
  readonly #parents: number[] = []
  readonly #from: Int32Array
  /** Parents outside of the range, with the nodes of their children. */
  readonly #outside: { hash: string; child: number }[] = []
  /** All nodes in topological order, children before parents. */
  readonly #order: Int32Array

  /** @param commits all commits of a range, in any order */
  constructor(commits: readonly Pick<LineCommit, 'hash' | 'parents'>[]) {
    for (const [node, { hash }] of commits.entries()) this.#nodes.set(hash, node)
    this.#from = new Int32Array(commits.length + 1)
    for (const [child, { parents }] of commits.entries()) {
      for (const hash of parents) {
        const node = this.#nodes.get(hash)
        if (node === undefined) this.#outside.push({ hash, child })
        else this.#parents.push(node)
      }
      this.#from[child + 1] = this.#parents.length
    }
    this.#order = this.#topologicalOrder(commits.length)
  }

  /**
   * Returns the ancestors of each of `hashes`: those of `marks` within the range (a commit counts
   * as its own ancestor), and those outside that are parents of commits in the range.
   */
  async ancestorsOf(
    hashes: readonly string[],
    marks: readonly string[]
  ): Promise<Map<string, { inside: string[]; outside: string[] }>> {
    const found = new Map<string, { inside: string[]; outside: string[] }>()
    for (const batch of chunked(hashes, PER_PASS)) {
      const reached = await this.#pass(batch)
      const outside = new Map<string, BitSet>()
      for (const { hash, child } of this.#outside) {
        if (reached[child] !== 0) outside.set(hash, (outside.get(hash) ?? 0) | reached[child])
      }
      for (const [index, hash] of batch.entries()) {
        const isAncestor = (bits: BitSet) => (bits & (1 << index)) !== 0
        found.set(hash, {
          inside: marks.filter((mark) => isAncestor(reached[this.#nodes.get(mark) ?? -1] ?? 0)),
          outside: [...outside].flatMap(([each, bits]) => (isAncestor(bits) ? each : [])),
        })
      }
    }
    return found
  }

  /** Returns, by node, which of the queried commits are that commit or its descendants. */
  async #pass(hashes: readonly string[]): Promise<Int32Array> {
    const reached = new Int32Array(this.#order.length)
    for (const [index, hash] of hashes.entries()) {
      const node = this.#nodes.get(hash)
      if (node !== undefined) reached[node] |= 1 << index
    }
    for (let from = 0; from < this.#order.length; from += PER_SLICE) {
      this.#propagate(reached, from, Math.min(from + PER_SLICE, this.#order.length))
      await yieldToOthers()
    }
    return reached
  }

  #propagate(reached: Int32Array, from: number, to: number): void {
    for (let index = from; index < to; index++) {
      const node = this.#order[index]
      const bits = reached[node]
      if (bits === 0) continue
      for (let at = this.#from[node]; at < this.#from[node + 1]; at++) {
        reached[this.#parents[at]] |= bits
      }
    }
  }

  /** The stored place is no substitute: a commit that returns to a branch gets a new place. */
  #topologicalOrder(count: number): Int32Array {
    const order = new Int32Array(count)
    const children = new Int32Array(count)
    for (const parent of this.#parents) children[parent]++
    let end = 0
    for (let node = count - 1; node >= 0; node--) if (children[node] === 0) order[end++] = node
    for (let index = 0; index < end; index++) {
      const node = order[index]
      for (let at = this.#from[node]; at < this.#from[node + 1]; at++) {
        if (--children[this.#parents[at]] === 0) order[end++] = this.#parents[at]
      }
    }
    return order.subarray(0, end)
  }
}
