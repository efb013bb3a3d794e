/** A part somebody adds to an extension point; `register` is called once, at the start. */
export interface Extension {
  register(): void
}

/**
 * Lets higher modules take part in a lower one, which defines the part and loops over the
 * registered ones without naming them. Parts come in the order of the modules.
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
