/** An extension that a module lists in its manifest; `register` is called once, at the start. */
export interface Extension {
  register(): void
}

/**
 * Lets higher modules extend a lower one. The lower one defines what an extension is and calls all
 * registered extensions, in the order of the modules, without knowing them.
 */
export class ExtensionPoint<Extending> {
  readonly #all: Extending[] = []

  /** Returns an extension for a module's manifest. */
  extend(extending: Extending): Extension {
    return { register: () => void this.#all.push(extending) }
  }

  get all(): readonly Extending[] {
    return this.#all
  }
}
