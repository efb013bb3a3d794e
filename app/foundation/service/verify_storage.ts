import { chunked } from '../core/chunked.js'
import type { SelectRunner, StatementRunner } from '../core/database/runner.js'
import type { FileNames, NamedFile } from '../core/files/file_names.js'
import { StoreFailure, type FileStore, type Unfinished } from '../core/files/file_store.js'
import { sha256Of } from '../core/files/running_hash.js'

/** Rows that are read at a time. */
const PAGE = 500

/** Concurrency of reading whole files, and of comparing sizes. */
const CONCURRENT_READS = 2
const CONCURRENT_SIZE_CHECKS = 8

/**
 * Faults of a file. `missing`: a row names it, but it does not exist; `corrupted`: it differs from
 * its row; `unreadable`: it exists, but cannot be read; `orphaned`: no row names it; `unfinished`:
 * its upload was never completed.
 */
export const FINDING_KINDS = [
  'missing',
  'corrupted',
  'unreadable',
  'orphaned',
  'unfinished',
] as const
export type FindingKind = (typeof FINDING_KINDS)[number]

export interface Finding {
  wrong: FindingKind
  /** The key of the file, or a description if it has none. */
  name: string
  detail: string
  /** The repair that `--fix` makes; null if only people can. */
  remedy: string | null
  isFixed: boolean
}

interface VerifyOptions {
  /** Compare only sizes, without reading the files. */
  quick: boolean
  /** Repair what can be repaired. */
  fix: boolean
  /** In milliseconds. Orphaned and unfinished files changed after this time may be in use. */
  before: number
}

interface Dependencies {
  store: FileStore
  selects: SelectRunner
  names: readonly FileNames[]
  /** Lists unfinished files on this machine, outside the store. */
  leftovers: (before: number) => Promise<Unfinished[]>
  write: (work: (statements: StatementRunner) => Promise<void>) => Promise<void>
}

/** Compares the stored files with the rows that name them, in batches. */
export class VerifyStorage {
  constructor(
    private readonly dependencies: Dependencies,
    private readonly options: VerifyOptions
  ) {}

  /** Yields the findings; returns the number of verified files. */
  async *run(): AsyncGenerator<Finding, number> {
    let count = 0
    for (const names of this.dependencies.names) count += yield* this.#named(names)
    for (const names of this.dependencies.names) yield* this.#orphans(names)
    yield* this.#unfinished()
    return count
  }

  /** Verifies the files that rows name. */
  async *#named(names: FileNames): AsyncGenerator<Finding, number> {
    let count = 0
    let page: NamedFile[]
    let cursor = ''
    do {
      page = await names.after(this.dependencies.selects, cursor, PAGE)
      for (const batch of chunked(
        page,
        this.options.quick ? CONCURRENT_SIZE_CHECKS : CONCURRENT_READS
      )) {
        const found = await Promise.all(batch.map((file) => this.#verifyFile(names, file)))
        for (const finding of found) if (finding) yield finding
      }
      count += page.length
      cursor = page.at(-1)?.place ?? cursor
    } while (page.length === PAGE)
    return count
  }

  async #verifyFile(names: FileNames, file: NamedFile): Promise<Finding | null> {
    const error = await this.#errorOf(file)
    // A file that was deleted meanwhile is not an error: its row was deleted first.
    if (!error || !(await this.#isNamed(names, file.key))) return null
    const [wrong, detail] = error
    const giveUp = wrong === 'unreadable' ? undefined : names.giveUp
    const remedy = giveUp ? 'let the next upload of the same content take its place' : null
    if (giveUp && this.options.fix) {
      await this.dependencies.write((statements) => giveUp.call(names, statements, file.key))
    }
    return { wrong, name: file.key, detail, remedy, isFixed: false }
  }

  async #errorOf(file: NamedFile): Promise<[FindingKind, string] | null> {
    try {
      return await this.#compare(file)
    } catch (error) {
      if (error instanceof StoreFailure && error.kind === 'missing') {
        return ['missing', 'It is not there.']
      }
      // An unreadable file is a finding, but a storage that fails altogether ends the run.
      await this.dependencies.store.check()
      return ['unreadable', `It cannot be read (${(error as Error).message}).`]
    }
  }

  async #compare({ key, size, sha256 }: NamedFile): Promise<[FindingKind, string] | null> {
    const { store } = this.dependencies
    const actualSize = await store.sizeOf(key)
    if (actualSize === null) return ['missing', 'It is not there.']
    if (size !== null && actualSize !== size) {
      return ['corrupted', `It has ${actualSize} bytes instead of ${size}.`]
    }
    if (this.options.quick || sha256 === null) return null
    const digest = await sha256Of(await store.open(key))
    return digest.startsWith(sha256) ? null : ['corrupted', `Its SHA-256 is ${digest}.`]
  }

  /** Finds files that no row names. */
  async *#orphans(names: FileNames): AsyncGenerator<Finding> {
    const { store, selects } = this.dependencies
    for await (const listed of store.list(names.folder)) {
      for (const page of chunked(listed, PAGE)) {
        const old = page.filter(({ modifiedAt }) => modifiedAt < this.options.before)
        if (old.length === 0) continue
        const keys = old.map(({ key }) => key)
        const namedKeys = new Set(await names.among(selects, keys))
        for (const { key, size } of old.filter((each) => !namedKeys.has(each.key))) {
          const isFixed = this.options.fix
          if (isFixed) {
            // Checks again right before the removal, which cannot be undone.
            if (await this.#isNamed(names, key)) continue
            await store.remove(key)
          }
          const detail = `No row names its ${size} bytes.`
          yield { wrong: 'orphaned', name: key, detail, remedy: 'remove it', isFixed }
        }
      }
    }
  }

  /** Finds files whose upload was never completed. */
  async *#unfinished(): AsyncGenerator<Finding> {
    const { store, names, leftovers } = this.dependencies
    yield* this.#leftOver(await leftovers(this.options.before))
    for await (const page of store.unfinished(names.map(({ folder }) => folder))) {
      yield* this.#leftOver(page)
    }
  }

  async *#leftOver(page: readonly Unfinished[]): AsyncGenerator<Finding> {
    for (const { name, begunAt, remove } of page) {
      if (begunAt >= this.options.before) continue
      if (this.options.fix) await remove()
      const detail = `It was left behind at ${new Date(begunAt).toISOString()}.`
      const isFixed = this.options.fix
      yield { wrong: 'unfinished', name, detail, remedy: 'remove it', isFixed }
    }
  }

  async #isNamed(names: FileNames, key: string): Promise<boolean> {
    return (await names.among(this.dependencies.selects, [key])).length > 0
  }
}
