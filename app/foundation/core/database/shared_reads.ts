import type { ClientBase } from 'pg'
import type { BoundSelect } from './connections.js'
import { askAll, prepare, textOfSelect } from './postgres_statements.js'
import type { Change } from './statement.js'
import type { Stored } from './table.js'

/** The next member of a transaction, and its first reads. */
export interface Next {
  ahead?(): readonly BoundSelect[]
}

interface Read {
  sql: string
  rows: Promise<Stored[][]>
}

/**
 * Reads that the members of one transaction share, so that later members need not wait for them:
 * rows that are already locked, and the first reads of the next member, which are sent while the
 * previous one is running. After any change of a table in the transaction, its reads are no longer
 * shared.
 */
export class SharedReads {
  readonly #locked = new Map<string, Read>()
  readonly #ahead = new Map<string, Read>()
  #askedFor: Next | undefined
  /** True once the running member has begun to change rows. */
  #isChanging = false
  /** True if it may change arbitrary tables at any time. */
  #isUnknown = false

  /** @param next gives the next member, if it is known */
  constructor(private readonly next: () => Next | undefined) {}

  /** Begins a member; reads that were made for another one are dropped. */
  begin(member: Next): void {
    if (this.#askedFor !== member) this.#ahead.clear()
    this.#askedFor = undefined
    this.#isChanging = false
    this.#isUnknown = false
  }

  find(select: BoundSelect): Promise<Stored[][]> | undefined {
    if (this.#locked.size === 0 && this.#ahead.size === 0) return undefined
    const text = textOfSelect(select)
    return (this.#ahead.get(text) ?? this.#locked.get(text))?.rows
  }

  /** Keeps the rows of a locking SELECT: nobody else changes them until the transaction ends. */
  keepLocked(select: BoundSelect, rows: Promise<Stored[][]>): void {
    const sql = prepare(select.statement).text
    if (this.#isUnknown || sql.includes('skip locked')) return
    this.#locked.set(textOfSelect(select), { sql, rows })
  }

  /** Notes that a change was sent, and drops the reads of its tables. */
  changed(statement: Change): void {
    this.#isChanging = true
    const tables = changedTables(statement)
    if (!tables) return this.#forget()
    for (const reads of [this.#locked, this.#ahead]) {
      for (const [text, { sql }] of reads) {
        if (tables.some((table) => sql.includes(table))) reads.delete(text)
      }
    }
  }

  /** Notes that any table may change: by models, the query builder or a rollback. */
  changesAnything(): void {
    this.#isUnknown = true
    this.#forget()
  }

  /**
   * Sends the first reads of the next member once the running one has begun to change rows: its
   * later changes seldom touch what the next one reads.
   */
  askForNext(connection: ClientBase): void {
    if (!this.#isChanging || this.#isUnknown || this.#askedFor) return
    const next = this.next()
    const selects = selectsOf(next)
    if (selects.length === 0) return
    this.#askedFor = next
    this.#ahead.clear()
    const results = askAll(connection, selects)
    for (const [index, select] of selects.entries()) {
      const rows = results.then((all) => all[index])
      rows.catch(() => {})
      const sql = prepare(select.statement).text
      this.#ahead.set(textOfSelect(select), { sql, rows })
    }
  }

  #forget() {
    this.#locked.clear()
    this.#ahead.clear()
  }
}

/** Reads that cannot be predicted are left to the next member itself. */
function selectsOf(next: Next | undefined): readonly BoundSelect[] {
  try {
    return next?.ahead?.() ?? []
  } catch {
    return []
  }
}

const changes = new WeakMap<Change, readonly string[] | null>()

/** Returns the tables that a statement changes; null if it does not say. */
function changedTables(statement: Change): readonly string[] | null {
  let tables = changes.get(statement)
  if (tables === undefined) {
    const named = [...statement.sql.matchAll(/\b(?:insert into|update(?! set\b)) (\w+)/g)]
    // A DELETE may cascade to other tables.
    const isKnown = named.length > 0 && !/\bdelete\b/.test(statement.sql)
    tables = isKnown ? named.map(([, table]) => table) : null
    changes.set(statement, tables)
  }
  return tables
}
