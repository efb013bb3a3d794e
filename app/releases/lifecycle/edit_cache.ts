/**
 * The cache of one edit of an app while it is applied to the open releases. Data of the app that
 * all of them need is loaded once. It cannot change until the edit is applied to the last one.
 */
export class EditCache {
  readonly #loaded = new Map<string, Promise<unknown>>()

  once<Loaded>(name: string, load: () => Promise<Loaded>): Promise<Loaded> {
    let loaded = this.#loaded.get(name)
    if (!loaded) this.#loaded.set(name, (loaded = load()))
    return loaded as Promise<Loaded>
  }
}
