/** Work beside requests that ends with the service, within a grace in milliseconds. */
type Ending = (graceMs: number) => Promise<void>

/**
 * Services that end when the process is asked to stop, along with its requests. The service still
 * listens meanwhile, so that probes see its state.
 */
export class Endings {
  readonly #endings: Ending[] = []
  readonly #cuts: (() => void)[] = []

  add(ending: Ending): void {
    this.#endings.push(ending)
  }

  /** Registers what runs if the grace period is over before everything has ended. */
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
