import { LIMITS } from './limits.ts'
import type { ArchiveContents, Component, ExportedComponent } from './metadata.ts'
import { plainText } from './plain_text.ts'
import type { Archive } from './read_zip.ts'
import { Unreadable } from './unreadable.ts'

/** Maximum characters. */
const MAX_NAME = 200
const MAX_VERSION = 64
/** Minimum bytes that each file counts for, because opening it has a cost. */
const MIN_BYTES = 4096

/**
 * Collects the components of an app, each once by kind and name, with the first version that is
 * found. Components beyond the limits are only counted.
 */
export class ContentsList {
  readonly #components = new Map<string, Component>()
  readonly #exported = new Map<string, ExportedComponent>()
  /** The remaining budget for files that describe components, in bytes. */
  #budget: number = LIMITS.componentsBytes
  readonly #omitted = new Set<string>()
  #unread = 0
  #omittedExported = 0

  add(kind: Component['kind'], rawName: string | null | undefined, version?: unknown): void {
    const name = plainText(rawName, MAX_NAME)
    if (name === null) return
    const key = `${kind} ${name}`
    const known = this.#components.get(key)
    const plain = plainText(version, MAX_VERSION)
    if (known) known.version ??= plain
    else if (this.#components.size >= LIMITS.components) this.#omitted.add(key)
    else this.#components.set(key, { kind, name, version: plain })
  }

  export(type: ExportedComponent['type'], rawName: string, permission: string | null): void {
    const [name, guard] = [rawName, permission].map((each) =>
      plainText(each, MAX_NAME, { whole: false })
    )
    if (name === null) return
    const key = `${type} ${name}`
    const isCut = [name, guard].some((each) => each && [...each].length === MAX_NAME)
    if (isCut) this.#omittedExported += 1
    if (this.#exported.has(key)) return
    if (this.#exported.size >= LIMITS.exported) this.#omittedExported += isCut ? 0 : 1
    else this.#exported.set(key, { type, name, permission: guard })
  }

  /** Counts exported components that the reader omitted. */
  omitExported(count: number): void {
    this.#omittedExported += count
  }

  /** Reads a file that describes a component; null if it is unreadable, or a limit is reached. */
  async read(archive: Archive, name: string): Promise<Buffer | null> {
    if (this.#components.size >= LIMITS.components) return null
    if (this.#budget <= 0) {
      this.#unread += 1
      return null
    }
    this.#budget -= MIN_BYTES
    try {
      const bytes = await archive.read(name, LIMITS.componentBytes, 'A component')
      this.#budget -= Math.max(0, bytes.length - MIN_BYTES)
      return bytes
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      this.#unread += 1
      return null
    }
  }

  /**
   * Returns the contents, in an order that does not depend on the archive.
   * @param partOf the part of the app to which a file belongs; null for files that no device gets
   * @param abiOf the architecture of a file with native code
   */
  contents(
    archive: Archive,
    partOf: (name: string) => keyof ArchiveContents['sizes'] | null,
    abiOf: (name: string) => string | null = () => null
  ): ArchiveContents {
    const sizes = { code: 0, libraries: 0, extensions: 0, resources: 0, assets: 0, other: 0 }
    const abis = new Map<string, number>()
    for (const [name, bytes] of archive.sizes()) {
      const part = partOf(name)
      if (part !== null) sizes[part] += bytes
      const abi = plainText(abiOf(name), 32)
      if (abi !== null && (abis.has(abi) || abis.size < LIMITS.abis)) {
        abis.set(abi, (abis.get(abi) ?? 0) + bytes)
      }
    }
    return {
      components: [...this.#components.values()].sort(byKey(({ kind, name }) => `${kind} ${name}`)),
      exported: [...this.#exported.values()].sort(byKey(({ type, name }) => `${type} ${name}`)),
      omitted: this.#omitted.size + this.#unread,
      omittedExported: this.#omittedExported,
      sizes,
      abiSizes: [...abis].map(([abi, bytes]) => ({ abi, bytes })).sort(byKey(({ abi }) => abi)),
    }
  }
}

const byKey =
  <Item>(key: (item: Item) => string) =>
  (one: Item, other: Item) =>
    key(one) < key(other) ? -1 : 1
