import { countingOf, countsAfter, countsBefore, isToldAlone } from './noting.js'
import type { StoredRow, TouchedRow } from './touched_rows.js'

/** Most names that are kept of what is destroyed in a table. */
const MOST_NAMES = 10

/** What people know a row by. */
interface NamedRow {
  name: string
  /** The app that it is of; null where it is of none. */
  appId: string | null
}

/** How many rows of a table are destroyed, and the first of them. */
export interface Destroyed {
  count: number
  first: NamedRow[]
}

/** A row that is added, or changed in some columns. */
export interface ChangedRow extends NamedRow {
  table: string
  /** Null for a row that is added. */
  from: StoredRow | null
  to: StoredRow
}

interface Kept {
  table: string
  /** As it was before the transaction; null for a row that was added. */
  origin: StoredRow | null
  row: StoredRow
}

/** What the changes of a transaction come to, row by row: what it did on the way is left out. */
export class ChangedRows {
  /** By table. */
  readonly destroyed = new Map<string, Destroyed>()
  /** Rows as they are afterwards, by table and what they hold. */
  readonly #kept = new Map<string, Kept>()
  /** What was there before of what is changed or destroyed. */
  readonly #before: string[] = []
  /** What counts beside that. */
  readonly #beside: string[] = []

  /** @param drawn ids and tokens that the transaction has drawn */
  private constructor(private readonly drawn: ReadonlySet<string>) {}

  static async of(
    changes: AsyncIterable<TouchedRow>,
    drawn: ReadonlySet<string>
  ): Promise<ChangedRows> {
    const changed = new ChangedRows(drawn)
    for await (const each of changes) changed.#take(each)
    changed.#takeMarked()
    return changed
  }

  /** What is only marked as deleted is gone, too. */
  #takeMarked() {
    for (const { table, origin, row } of this.#kept.values()) {
      if (origin && isMarked(row) && !isMarked(origin)) this.#tellDestroyed(table, origin)
    }
  }

  #take({ table, before, after }: TouchedRow) {
    const known = before && this.#kept.get(keyOf(table, before))
    if (known) this.#kept.delete(keyOf(table, before))
    const origin = known ? known.origin : before
    if (after) this.#kept.set(keyOf(table, after), { table, origin, row: after })
    else if (origin) this.#destroy(table, origin)
  }

  #destroy(table: string, row: StoredRow) {
    this.#tellDestroyed(table, row)
    if (!isToldAlone(table)) this.#before.push(textOf(table, row, countsBefore))
  }

  #tellDestroyed(table: string, row: StoredRow) {
    const destroyed = this.destroyed.get(table) ?? { count: 0, first: [] }
    destroyed.count += 1
    if (destroyed.first.length < MOST_NAMES) destroyed.first.push(named(row))
    this.destroyed.set(table, destroyed)
  }

  /** Rows of a table that were added or changed, as they are afterwards. */
  after(table: string): StoredRow[] {
    return [...this.#kept.values()].flatMap((each) => (each.table === table ? [each.row] : []))
  }

  /** Rows that are added or changed in what counts, with what they hold of it. */
  changes(): ChangedRow[] {
    return this.#counting().map(({ table, origin, row }) => {
      const columns = Object.keys(row).filter(
        (column) => countsAfter(table, column) && !isSame(table, column, origin ?? {}, row)
      )
      const some = (whole: StoredRow) =>
        Object.fromEntries(columns.map((column) => [column, whole[column]]))
      return { table, ...named(row), from: origin && some(origin), to: some(row) }
    })
  }

  /** The values of a column in the rows of a table that are added or changed. */
  valuesOf(table: string, column: string): string[] {
    const rows = this.#counting().filter((each) => each.table === table)
    return [...new Set(rows.map(({ row }) => String(row[column])))]
  }

  /** Has a row counted that is not changed itself, as it is afterwards. */
  countBeside(table: string, row: StoredRow) {
    this.#beside.push(this.lasting(textOf(table, row, countsAfter)))
  }

  /** Has what acts by itself count, with its times as they are. */
  countArmed(armed: readonly string[]) {
    this.#beside.push(...armed.map((each) => this.#undrawn(each)))
  }

  #counting(): Kept[] {
    return [...this.#kept.values()].filter(
      (each) => !isToldAlone(each.table) && (each.origin === null || isOther(each))
    )
  }

  /**
   * The same whenever the same is done to the same: what was there before of all that is changed
   * or destroyed, and what is there afterwards, but for times and what is drawn anew each time.
   */
  print(): string[] {
    const kept = this.#counting()
    const before = kept.flatMap(({ table, origin }) =>
      origin ? [textOf(table, origin, countsBefore)] : []
    )
    const after = kept.map(({ table, row }) => this.lasting(textOf(table, row, countsAfter)))
    return [[...this.#before, ...before], after, this.#beside].flatMap((each) => each.sort())
  }

  /** A text without what is another each time that the same is done. */
  lasting(text: string): string {
    return this.#undrawn(text.replace(INSTANT, 'T'))
  }

  #undrawn(text: string): string {
    return text.replace(DRAWN, (each) => (this.drawn.has(each) ? 'new' : each))
  }
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const DRAWN = /[0-9A-Za-z]{8,}/g

const keyOf = (table: string, row: StoredRow) => `${table} ${JSON.stringify(row)}`

type Counts = (table: string, column: string) => boolean

function textOf(table: string, row: StoredRow, counts: Counts): string {
  const members = Object.entries(row).flatMap(([column, value]) =>
    counts(table, column) ? [[column, countingOf(table, column, value)]] : []
  )
  return `${table} ${JSON.stringify(members)}`
}

/** Whether anything changed that counts. */
const isOther = ({ table, origin, row }: Kept) =>
  Object.keys(row).some(
    (column) => countsBefore(table, column) && !isSame(table, column, origin!, row)
  )

const isMarked = ({ deleted_at: at }: StoredRow) => (at ?? null) !== null

function isSame(table: string, column: string, one: StoredRow, other: StoredRow): boolean {
  const [before, after] = [one[column] ?? null, other[column] ?? null]
  if (before === after) return true
  const [counted, now] = [before, after].map((each) => countingOf(table, column, each))
  return JSON.stringify(counted) === JSON.stringify(now)
}

/** The columns that people know a row by, the first that says something. */
const NAMING = ['name', 'title', 'version', 'file_name', 'email', 'tag', 'key', 'id', 'user_id']

function named(row: StoredRow): NamedRow {
  const name = NAMING.map((column) => row[column]).find((value) => typeof value === 'string')
  const { build_number: number, app_id: appId } = row
  return {
    name: typeof number === 'string' ? `${name} (${number})` : String(name ?? ''),
    appId: typeof appId === 'string' ? appId : null,
  }
}
