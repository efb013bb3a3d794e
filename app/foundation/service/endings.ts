/** Work beside requests that ends with the service, within a grace in milliseconds. */
type Ending = (graceMs: number) => Promise<void>

/**
 * What ends when the service is asked to, at the same time as its requests: while it does the
 * service still listens, so that probes learn how it stands.
 */
export class Endings {
  readonly #endings: Ending[] = []
  readonly #cuts: (() => void)[] = []

  add(ending: Ending): void {
    this.#endings.push(ending)
  }

  /** What is done where the grace is over before all that ends is. */
  addCut(cut: () => void): void {
    this.#cuts.push(cut)
  }

  /** One that fails keeps no other from ending. @throws the first failure, once all are over */
  async run(graceMs: number): Promise<void> {
    const cut = setTimeout(() => this.#cuts.splice(0).forEach((each) => each()), graceMs)
    const ended = await Promise.allSettled(this.#endings.splice(0).map((end) => end(graceMs)))
    clearTimeout(cut)
    for (const each of ended) if (each.status === 'rejected') throw each.reason
  }
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    endings: Endings
  }
}
