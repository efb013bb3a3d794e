/** Stops a service within the grace period, in milliseconds. */
type Ending = (graceMs: number) => Promise<void>

/**
 * Shutdown hooks of services. Until all have finished, the server keeps listening, so that probes
 * see its state.
 */
export class Endings {
  readonly #endings: Ending[] = []
  readonly #cuts: (() => void)[] = []

  add(ending: Ending): void {
    this.#endings.push(ending)
  }

  /** Registers a callback for the end of the grace period, if services still run then. */
  addCut(cut: () => void): void {
    this.#cuts.push(cut)
  }

  /** Runs all hooks, even if one fails. @throws the first failure, after all have finished */
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
