import { chunked } from '../core/chunked.js'
import type { SelectRunner, StatementRunner } from '../core/database/runner.js'
import type { FileNames, NamedFile } from '../core/files/file_names.js'
import { StoreFailure, type FileStore, type Unfinished } from '../core/files/file_store.js'
import { sha256Of } from '../core/files/running_hash.js'

/** Rows that are read at a time. */
const PAGE = 500

/**
 * Files that are verified at the same time: if they are read whole, and if only sizes are compared.
 */
const READ_AT_ONCE = 2
const ASKED_AT_ONCE = 8

/**
 * The errors of files. `missing`: a row names it and it does not exist; `corrupted`: it differs
 * from its row; `unreadable`: it exists and cannot be read; `orphaned`: no row names it;
 * `unfinished`: it was never completed.
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
  /** The key of the file, or another name for people. */
  name: string
  detail: string
  /** The remedy of `--fix`; null if only people have one. */
  remedy: string | null
  isFixed: boolean
}

interface VerifyOptions {
  /** Compare only sizes, without reading the files. */
  quick: boolean
  /** Fix the findings where that is possible. */
  fix: boolean
  /**
   * Orphans and leftovers changed after this time, in milliseconds, may be in use and are left
   * alone.
   */
  before: number
}

interface Dependencies {
  store: FileStore
  selects: SelectRunner
  names: readonly FileNames[]
  /** Lists remainders on this machine, outside of the store. */
  leftovers: (before: number) => Promise<Unfinished[]>
  write: (work: (statements: StatementRunner) => Promise<void>) => Promise<void>
}

/** Compares the stored files with the rows that name them, some at a time. */
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
    let place = ''
    do {
      page = await names.after(this.dependencies.selects, place, PAGE)
      for (const some of chunked(page, this.options.quick ? ASKED_AT_ONCE : READ_AT_ONCE)) {
        const found = await Promise.all(some.map((file) => this.#look(names, file)))
        for (const finding of found) if (finding) yield finding
      }
      count += page.length
      place = page.at(-1)?.place ?? place
    } while (page.length === PAGE)
    return count
  }

  async #look(names: FileNames, file: NamedFile): Promise<Finding | null> {
    const fault = await this.#faultOf(file)
    // A file that was removed meanwhile is no fault: its row was removed first.
    if (!fault || !(await this.#isNamed(names, file.key))) return null
    const [wrong, detail] = fault
    const giveUp = wrong === 'unreadable' ? undefined : names.giveUp
    const remedy = giveUp ? 'let the next upload of the same content take its place' : null
    if (giveUp && this.options.fix) {
      await this.dependencies.write((statements) => giveUp.call(names, statements, file.key))
    }
    return { wrong, name: file.key, detail, remedy, isFixed: false }
  }

  async #faultOf(file: NamedFile): Promise<[FindingKind, string] | null> {
    try {
      return await this.#compare(file)
    } catch (error) {
      if (error instanceof StoreFailure && error.kind === 'missing') {
        return ['missing', 'It is not there.']
      }
      // A failing finding is listed; a failing storage ends the check.
      await this.dependencies.store.check()
      return ['unreadable', `It cannot be read (${(error as Error).message}).`]
    }
  }

  async #compare({ key, size, sha256 }: NamedFile): Promise<[FindingKind, string] | null> {
    const { store } = this.dependencies
    const there = await store.sizeOf(key)
    if (there === null) return ['missing', 'It is not there.']
    if (size !== null && there !== size) {
      return ['corrupted', `It has ${there} bytes instead of ${size}.`]
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
        const named = new Set(await names.among(selects, keys))
        for (const { key, size } of old.filter((each) => !named.has(each.key))) {
          const isFixed = this.options.fix
          if (isFixed) {
            // Checked again right before the removal, which cannot be undone.
            if (await this.#isNamed(names, key)) continue
            await store.remove(key)
          }
          const detail = `No row names its ${size} bytes.`
          yield { wrong: 'orphaned', name: key, detail, remedy: 'remove it', isFixed }
        }
      }
    }
  }

  /** Lists files that were never completed. */
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
