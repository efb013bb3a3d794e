/** The tags of operations in the document, in the order of the modules. */
class TagRegistry {
  readonly #tags = new Map<string, string>()

  /** Adds tags. Several modules may use one tag, but only one may describe it. */
  add(tags: Readonly<Record<string, string>>): void {
    for (const [name, description] of Object.entries(tags)) {
      if (this.#tags.has(name)) throw new Error(`The tag ${name} is described twice`)
      this.#tags.set(name, description)
    }
  }

  has(name: string): boolean {
    return this.#tags.has(name)
  }

  all(): { name: string; description: string }[] {
    return [...this.#tags].map(([name, description]) => ({ name, description }))
  }
}

export const tags = new TagRegistry()
