/** So long such a version is expected to be shown. */
const MOST_MS = 3_600_000

/** So many are kept in mind, the last ones. */
const MOST_KEPT = 1000

/**
 * Versions that were in their own way and that the store does not show yet: it took them and its
 * answer was lost, or somebody made them a moment ago. Who looks again does not send what was refused.
 */
class Unshown {
  readonly #since = new Map<string, number>()

  /** @param version which one, and of which account */
  of(version: string) {
    return {
      isExpected: (now: Date): boolean => {
        const since = this.#since.get(version)
        return since !== undefined && now.getTime() < since + MOST_MS && now.getTime() >= since
      },
      expect: (now: Date): void => {
        this.#since.delete(version)
        this.#since.set(version, now.getTime())
        const [oldest] = this.#since.keys()
        if (this.#since.size > MOST_KEPT) this.#since.delete(oldest)
      },
    }
  }
}

export const unshown = new Unshown()
