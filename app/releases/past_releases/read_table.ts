import { CsvError, parse } from 'csv-parse/sync'
import { parseInstant } from '#foundation/api/operation/input'
import type { Instant } from '#foundation/core/clock'
import { refuse, refuseFields, type ProblemPlace } from '#foundation/core/problems/problem'
import { lengthOf } from '#foundation/core/text'
import { normalVersion, parseVersion, type Version } from '#workflow/version'
import type { PastVersion } from '../actions/import_releases.js'
import { COLUMNS, DATES, MAX_COLUMNS, MAX_TABLE_BYTES, MAX_TABLE_ROWS, STAGES } from './columns.js'

/** Maximum number of lines. A quoted name may span several. */
const MAX_LINES = 4 * MAX_TABLE_ROWS
/** Maximum number of errors that are reported. */
const MAX_FAULTS = 100
const MAX_NAME = 200

type Column = (typeof COLUMNS)[number]
type DateColumn = (typeof DATES)[number]
type Dates = Record<DateColumn, Instant | null>

/** The types that a table may name. Rollbacks cannot be imported. */
const TYPES = ['major', 'minor', 'point', 'hotfix'] as const

/** Past releases as a table lists them. */
export interface ReleaseTable {
  releases: PastVersion[]
  /** Names of unknown columns, which are ignored. */
  ignoredColumns: string[]
}

interface Row {
  /** The number of its first line, from 1. */
  line: number
  cells: readonly string[]
}

/**
 * Reads a CSV file of past releases, separated by comma, semicolon or tab. The first line contains
 * the names of the columns.
 * @throws too_large; invalid_input with every fault, by line and column
 */
export function readReleaseTable(bytes: Buffer, now: Instant): ReleaseTable {
  if (bytes.byteLength > MAX_TABLE_BYTES) {
    const detail = `The file is larger than ${MAX_TABLE_BYTES / 1024} KiB.`
    throw refuse('too_large', { detail, members: { limit: MAX_TABLE_BYTES } })
  }
  const [first, ...rows] = rowsOf(textOf(bytes))
  if (rows.length === 0) throw broken('no_release', 1, 'The table contains no releases.')
  if (rows.length > MAX_TABLE_ROWS) {
    const message = `A table holds at most ${MAX_TABLE_ROWS} releases.`
    throw broken('too_many', rows[MAX_TABLE_ROWS].line, message)
  }
  const head = headOf(first)
  const read = rows.map((row) => readRow(row, head, now))
  const errors = [...read.flatMap((row) => row.errors), ...repeatedIn(read)]
  if (errors.length > 0) throw refuseFields(errors.sort(byPlace).slice(0, MAX_FAULTS))
  return {
    releases: read.map(({ release }) => release),
    ignoredColumns: head.cells
      .filter((name) => name !== '' && columnNamed(name) === null)
      .map(brief),
  }
}

const broken = (code: string, line: number, message: string) =>
  refuseFields([{ line, column: 1, code, message }])

/** Decodes UTF-8, and refuses other encodings of spreadsheets, which would give wrong letters. */
function textOf(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw broken('encoding', 1, 'The file is not UTF-8: save it as "CSV UTF-8".')
  }
}

/** Splits a table into rows of cells. Empty lines are left out. */
function rowsOf(text: string): Row[] {
  // Line breaks are unified, since CRLF within quotes would count as two lines.
  const lines = text.replace(/\r\n?/g, '\n')
  // The parser takes quadratic time for empty lines.
  const isTooLong = lines.split('\n', MAX_LINES + 1).length > MAX_LINES
  if (isTooLong) throw broken('too_many', MAX_LINES, `A table has at most ${MAX_LINES} lines.`)
  try {
    const found = parse(lines, {
      delimiter: delimiterOf(lines),
      info: true,
      relax_column_count: true,
      to: MAX_TABLE_ROWS + 2,
      skip_records_with_empty_values: true,
      trim: true,
    }) as unknown as { record: string[]; info: { lines: number } }[]
    return found.map(({ record, info }) => {
      const breaks = record.join('').split('\n').length - 1
      return { line: info.lines - breaks, cells: record.map((cell) => cell.trim()) }
    })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    const line = Number(error.lines ?? 1)
    throw broken('quotes', line, 'A quote is opened or closed in the wrong place.')
  }
}

/** Returns the separator that is most frequent in the first line. @throws invalid_input */
function delimiterOf(text: string): string {
  const [head] = text.replace(/"[^"]*"/g, '').split('\n', 1)
  const count = (separator: string) => head.split(separator, MAX_COLUMNS + 1).length
  const [most] = [',', ';', '\t'].toSorted((one, other) => count(other) - count(one))
  if (count(most) <= MAX_COLUMNS) return most
  throw broken('too_many', 1, `A table has at most ${MAX_COLUMNS} columns.`)
}

const plain = (name: string) => name.toLowerCase().replace(/[\s_-]/g, '')

/** Returns the column with a name in any spelling: `releasedAt`, `Released at`, `released_at`. */
const columnNamed = (name: string): Column | null =>
  COLUMNS.find((column) => plain(column) === plain(name)) ?? null

/** The cells of the first line, and the index of each known column. */
interface Head {
  cells: readonly string[]
  places: ReadonlyMap<Column, number>
}

/** @throws invalid_input */
function headOf({ line, cells }: Row): Head {
  const errors: ProblemPlace[] = []
  const places = new Map<Column, number>()
  for (const [index, name] of cells.entries()) {
    const column = columnNamed(name)
    if (column === null) continue
    if (places.has(column)) {
      const message = `There is more than one column ${column}.`
      errors.push({ path: column, line, column: index + 1, code: 'twice', message })
    }
    places.set(column, index)
  }
  for (const column of ['version', 'releasedAt'] as const) {
    if (places.has(column)) continue
    const message = `The column ${column} is missing; the first line has to have the names of the columns.`
    errors.push({ path: column, line, column: 1, code: 'missing_column', message })
  }
  if (errors.length > 0) throw refuseFields(errors)
  return { cells, places }
}

/** A row of a table as a release, with its errors. */
interface ReadRow {
  release: PastVersion
  /** Null if the version is invalid. */
  version: Version | null
  /** The place of the version, for errors. */
  place: Pick<ProblemPlace, 'path' | 'line' | 'column'>
  errors: ProblemPlace[]
}

function readRow({ line, cells }: Row, head: Head, now: Instant): ReadRow {
  const errors: ProblemPlace[] = []
  const placeOf = (column: Column) => {
    const index = head.places.get(column) ?? 0
    return { path: column, line, column: index + 1 }
  }
  const cell = (column: Column) => cells[head.places.get(column) ?? -1] ?? ''
  const fault = (column: Column, code: string, message: string) =>
    errors.push({ ...placeOf(column), code, message })

  const dateIn = (column: DateColumn): Instant | null => {
    const text = cell(column)
    if (text === '') return null
    const instant = instantIn(text)
    if (instant === null) {
      const message = `"${brief(text)}" is not a date such as 2025-03-14, or 2025-03-14T09:00:00+01:00 with its offset.`
      fault(column, 'date', message)
    } else if (instant > now && STAGES.some((stage) => stage === column)) {
      fault(column, 'future', `"${brief(text)}" is in the future.`)
    }
    return instant
  }

  const width = head.cells.length
  const beyond = cells.findIndex((text, index) => index >= width && text !== '')
  if (beyond >= 0) {
    const message = `The first line has ${width} names; this line has more cells.`
    errors.push({ line, column: beyond + 1, code: 'cells', message })
  }
  const version = parseVersion(cell('version').replace(/^v/i, ''))
  if (version === null) {
    const message = `"${brief(cell('version'))}" is not a version of one to three numbers, such as 4.2.0.`
    fault('version', 'version', message)
  }
  const typeText = cell('releaseType').toLowerCase()
  const releaseType = TYPES.find((each) => each === typeText) ?? null
  if (typeText !== '' && releaseType === null) {
    fault('releaseType', 'type', `"${brief(typeText)}" is none of ${TYPES.join(', ')}.`)
  }
  const releaseName = cell('releaseName').replace(/\s+/g, ' ') || null
  if (releaseName !== null && lengthOf(releaseName) > MAX_NAME) {
    fault('releaseName', 'maxLength', `A name has at most ${MAX_NAME} characters.`)
  }
  if (/\p{Cc}/u.test(releaseName ?? '')) {
    fault('releaseName', 'characters', 'A name cannot contain control characters.')
  }
  const dates = Object.fromEntries(DATES.map((column) => [column, dateIn(column)])) as Dates
  if (cell('releasedAt') === '') {
    fault('releasedAt', 'required', 'A past release needs the date when it reached users.')
  }
  // Dates of later stages must be later; otherwise columns were mixed up.
  const known = STAGES.filter((stage) => dates[stage] !== null)
  for (const [index, stage] of known.entries()) {
    const before = known[index - 1]
    if (before === undefined || dates[before]! <= dates[stage]!) continue
    fault(stage, 'order', `${stage} is before ${before}.`)
  }
  const release = { version: version!, tag: null, releaseName, releaseType, ...dates }
  return { release, version, place: placeOf('version'), errors }
}

/** Returns a fault for each repeated version. `1.2` and `1.2.0` are the same. */
function repeatedIn(rows: readonly ReadRow[]): ProblemPlace[] {
  const lines = new Map<string, number>()
  return rows.flatMap(({ version: given, place }) => {
    if (given === null) return []
    const version = normalVersion(given)
    const before = lines.get(version)
    lines.set(version, before ?? place.line!)
    if (before === undefined) return []
    return { ...place, code: 'twice', message: `${version} is already in line ${before}.` }
  })
}

const byPlace = (one: ProblemPlace, other: ProblemPlace) =>
  one.line! - other.line! || one.column! - other.column!

/** Parses a day, which begins in UTC, or a time with its offset; null for any other text. */
function instantIn(text: string): Instant | null {
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return parseInstant(`${text}T00:00:00Z`)
  const [, day, minutes, seconds = ':00', offset] = TIME.exec(text) ?? []
  if (day === undefined) return null
  const colon = /^[+-]\d{4}$/.test(offset) ? `${offset.slice(0, 3)}:${offset.slice(3)}` : offset
  return parseInstant(`${day}T${minutes}${seconds}${colon}`)
}

const TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2})(:\d{2}(?:\.\d{1,9})?)? ?(Z|[+-]\d{2}:?\d{2})$/i

const brief = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)
