/** Ends work beside requests within the grace period, in milliseconds. */
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

  /** Ends everything, even if one of them fails. @throws the first failure, once all are over */
  async run(graceMs: number): Promise<void> {
    const cut = setTimeout(() => this.#cuts.splice(0).forEach((cutOff) => cutOff()), graceMs)
    const results = await Promise.allSettled(this.#endings.splice(0).map((end) => end(graceMs)))
    clearTimeout(cut)
    for (const result of results) if (result.status === 'rejected') throw result.reason
  }
}

declare module '@adonisjs/core/types' {
  interface ContainerBindings {
    endings: Endings
  }
}
