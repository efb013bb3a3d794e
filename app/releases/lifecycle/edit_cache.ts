/**
 * One edit of an app on its way into the open releases. What all of them need of the app is
 * loaded once: it does not change before the last of them has it.
 */
export class EditCache {
  readonly #loaded = new Map<string, Promise<unknown>>()

  once<Loaded>(name: string, load: () => Promise<Loaded>): Promise<Loaded> {
    let loaded = this.#loaded.get(name)
    if (!loaded) this.#loaded.set(name, (loaded = load()))
    return loaded as Promise<Loaded>
  }
}
