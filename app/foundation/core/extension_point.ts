/** A part somebody adds to an extension point; `register` is called once, at the start. */
export interface Extension {
  register(): void
}

/**
 * Where a module lets those above it take part: it defines what a part is and loops over
 * them, without knowing one by name. Parts come in the order of the modules.
 */
export class ExtensionPoint<Part> {
  readonly #parts: Part[] = []

  /** A part for a module's manifest. */
  extend(part: Part): Extension {
    return { register: () => void this.#parts.push(part) }
  }

  get parts(): readonly Part[] {
    return this.#parts
  }
}
