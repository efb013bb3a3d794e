import {
  countingOf,
  countsAfter,
  countsBefore,
  isSharedRow,
  isReportedAlone,
} from './recording_rules.js'
import type { StoredRow, TouchedRow } from './touched_rows.js'

/** Maximum number of destroyed rows per table whose names are listed. */
const MAX_NAMES = 10

/** The name by which people recognize a row. */
export interface NamedRow {
  name: string
  /** The id of the row that it is named after, if it has no name of its own. */
  after?: string
  /** The app that it belongs to; null if none. */
  appId: string | null
}

/** The number of destroyed rows of a table, and the first of them. */
export interface Destroyed {
  count: number
  first: NamedRow[]
}

/** An added or changed row; `from` and `to` hold the changed columns. */
export interface ChangedRow extends NamedRow {
  table: string
  /** Null for a row that is added. */
  from: StoredRow | null
  to: StoredRow
  /** Columns whose secret has changed. */
  secrets: string[]
  /** The whole row after the transaction. */
  row: StoredRow
}

interface RemainingRow {
  table: string
  /** The row before the transaction; null for an added row. */
  origin: StoredRow | null
  row: StoredRow
}

/** The net changes of a transaction, row by row, without intermediate states. */
export class ChangedRows {
  /** By table. */
  readonly destroyed = new Map<string, Destroyed>()
  /** Added and changed rows after the transaction, by table and content. */
  readonly #remaining = new Map<string, RemainingRow>()
  /** The previous values of destroyed rows. */
  readonly #before: string[] = []
  /** The names of destroyed rows, by id. */
  readonly #destroyedNames = new Map<string, string>()
  /** Unchanged rows and other values that `print` includes. */
  readonly #additional: string[] = []

  /** @param drawn ids and tokens that the transaction has generated */
  private constructor(private readonly drawn: ReadonlySet<string>) {}

  static async of(
    changes: AsyncIterable<TouchedRow>,
    drawn: ReadonlySet<string>
  ): Promise<ChangedRows> {
    const changed = new ChangedRows(drawn)
    for await (const change of changes) changed.#take(change)
    changed.#reportSoftDeleted()
    return changed
  }

  /** Reports soft-deleted rows as destroyed. */
  #reportSoftDeleted() {
    for (const { table, origin, row } of this.#remaining.values()) {
      if (origin && isSoftDeleted(row) && !isSoftDeleted(origin))
        this.#reportDestroyed(table, origin)
    }
  }

  #take({ table, before, after }: TouchedRow) {
    const known = before && this.#remaining.get(keyOf(table, before))
    if (known) this.#remaining.delete(keyOf(table, before))
    const origin = known ? known.origin : before
    if (after) this.#remaining.set(keyOf(table, after), { table, origin, row: after })
    else if (origin) this.#destroy(table, origin)
  }

  #destroy(table: string, row: StoredRow) {
    this.#reportDestroyed(table, row)
    if (!isReportedAlone(table, row)) this.#before.push(textOf(table, row, countsBefore))
  }

  #reportDestroyed(table: string, row: StoredRow) {
    const destroyed = this.destroyed.get(table) ?? { count: 0, first: [] }
    destroyed.count += 1
    if (typeof row.id === 'string') this.#destroyedNames.set(row.id, named(row).name)
    if (destroyed.first.length < MAX_NAMES) destroyed.first.push(named(row))
    this.destroyed.set(table, destroyed)
  }

  /** Returns the former name of a destroyed row. */
  goneName(id: string): string | undefined {
    return this.#destroyedNames.get(id)
  }

  /** Returns added and changed rows of a table, in their final state. */
  after(table: string): StoredRow[] {
    return [...this.#remaining.values()].flatMap((each) => (each.table === table ? [each.row] : []))
  }

  /** Returns added rows, and changes of relevant columns with their values. */
  changes(): ChangedRow[] {
    return this.#relevant().map(({ table, origin, row }) => {
      const columns = Object.keys(row).filter(
        (column) => countsAfter(table, column) && !isSame(table, column, origin ?? {}, row)
      )
      const changedIn = (whole: StoredRow) =>
        Object.fromEntries(columns.map((column) => [column, whole[column]]))
      const secrets = Object.keys(row).filter(
        (column) => isSecret(table, column) && origin && !isSame(table, column, origin, row)
      )
      return {
        table,
        ...named(row),
        from: origin && changedIn(origin),
        to: changedIn(row),
        secrets,
        row,
      }
    })
  }

  /** Returns the values of a column in the relevant rows of a table. */
  valuesOf(table: string, column: string): string[] {
    const rows = [...this.#remaining.values()].filter(
      (each) => each.table === table && isRelevant(each)
    )
    return [...new Set(rows.map(({ row }) => String(row[column])))]
  }

  /** Includes an unchanged row in `print`. */
  countBeside(table: string, row: StoredRow) {
    this.#additional.push(this.lasting(textOf(table, row, countsAfter)))
  }

  /** Includes armed automations, with their exact times, in `print`. */
  countArmed(armed: readonly string[]) {
    this.#additional.push(...armed.map((each) => this.#withoutGenerated(each)))
  }

  #relevant(): RemainingRow[] {
    return [...this.#remaining.values()].filter((each) => {
      const { table, origin, row } = each
      return (
        !(isReportedAlone(table, origin ?? row) && isReportedAlone(table, row)) && isRelevant(each)
      )
    })
  }

  /**
   * Returns a fingerprint: texts that are equal whenever the same change is made to the same rows.
   * They contain the previous values of changed and destroyed rows, and new values without times
   * and generated ids. Rows that several actions share contribute only their changed and identifying
   * columns.
   */
  print(): string[] {
    const kept = this.#relevant()
    const before = kept.flatMap((each) => {
      const { table, origin } = each
      return origin ? [textOf(table, touchedOf(each, origin), countsBefore)] : []
    })
    const after = kept.map((each) => {
      const { table, row } = each
      return this.lasting(textOf(table, touchedOf(each, row), countsAfter))
    })
    return [[...this.#before, ...before], after, this.#additional].flatMap((each) => each.sort())
  }

  /** Returns whether a text contains an id or token that this transaction generated. */
  isDrawn(text: string): boolean {
    return this.#withoutGenerated(text) !== text
  }

  /** Replaces times and generated ids in a text. */
  lasting(text: string): string {
    return this.#withoutGenerated(text.replace(INSTANT, 'T'))
  }

  #withoutGenerated(text: string): string {
    return text.replace(GENERATED, (each) => (this.drawn.has(each) ? 'new' : each))
  }
}

const INSTANT = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
const GENERATED = /[0-9A-Za-z]{8,}/g

const keyOf = (table: string, row: StoredRow) => `${table} ${JSON.stringify(row)}`

type Counts = (table: string, column: string) => boolean

function textOf(table: string, row: StoredRow, counts: Counts): string {
  const members = Object.entries(row).flatMap(([column, value]) =>
    counts(table, column) ? [[column, countingOf(table, column, value)]] : []
  )
  return `${table} ${JSON.stringify(members)}`
}

/** Returns whether a row was added, or changed in a relevant column. */
const isRelevant = ({ table, origin, row }: RemainingRow) =>
  origin === null ||
  Object.keys(row).some(
    (column) => countsBefore(table, column) && !isSame(table, column, origin, row)
  )

/**
 * Returns the relevant values of a row: if several actions share it, the changed values and those
 * that identify it.
 */
function touchedOf({ table, origin, row }: RemainingRow, whole: StoredRow): StoredRow {
  if (origin === null || !isSharedRow(table)) return whole
  const isTouched = (column: string) => isIdentifying(column) || !isSame(table, column, origin, row)
  return Object.fromEntries(Object.entries(whole).filter(([column]) => isTouched(column)))
}

/** Returns whether a column identifies a row: its name, or an id that it refers to. */
const isIdentifying = (column: string) =>
  NAMING.includes(column) || /^(id|release_name|.*_id)$/.test(column)

/** Returns whether a column holds a secret. */
const isSecret = (table: string, column: string) =>
  countsBefore(table, column) && !countsAfter(table, column)

const isSoftDeleted = ({ deleted_at: at }: StoredRow) => (at ?? null) !== null

function isSame(table: string, column: string, one: StoredRow, other: StoredRow): boolean {
  const [before, after] = [one[column] ?? null, other[column] ?? null]
  if (before === after) return true
  const [was, is] = [before, after].map((value) => countingOf(table, column, value))
  return JSON.stringify(was) === JSON.stringify(is)
}

/** The columns by which people recognize a row, in order of preference. */
const NAMING = [
  'name',
  'title',
  'version',
  'file_name',
  'email',
  'tag',
  'key',
  'url',
  'description',
]
/** Columns with the id of the row that a nameless row is named after. */
const AFTER = ['user_id', 'step_id', 'group_id']

function named(row: StoredRow): NamedRow {
  const first = (columns: readonly string[]) =>
    columns.map((column) => row[column]).find((value) => typeof value === 'string' && value !== '')
  const { build_number: number, app_id: appId, id, version_major: major } = row
  const own = first(NAMING) ?? (typeof major === 'number' ? versionOf(row) : undefined)
  const after = own === undefined ? first(AFTER) : undefined
  // The part of a URL after its host may be secret.
  const name = String(own ?? after ?? id ?? '').replace(/^(https?:\/\/[^/?#]+).*$/s, '$1')
  return {
    name: typeof number === 'string' ? `${name} (${number})` : name,
    ...(typeof after === 'string' && { after }),
    appId: typeof appId === 'string' ? appId : null,
  }
}

const versionOf = ({ version_major, version_minor, version_patch }: StoredRow) =>
  [version_major, version_minor, version_patch].join('.')
