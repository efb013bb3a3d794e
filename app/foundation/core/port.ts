import type { Extension } from './extension_point.js'

/** An interface that a higher module implements for lower ones, which do not know it by name. */
export class Port<Provided> {
  #provided: Provided | null = null

  constructor(private readonly name: string) {}

  /** For a module's manifest. */
  provide(provided: Provided): Extension {
    return { register: () => void (this.#provided = provided) }
  }

  /** @throws Error if no module provides it */
  get provided(): Provided {
    if (this.#provided) return this.#provided
    throw new Error(`No module provides ${this.name}`)
  }
}
