import { createHash } from 'node:crypto'
import type { Numbered } from './dialects.js'
import type { Stored } from './table.js'

/** Maximum number of different SELECTs that are sent as one statement. */
const MAX_KINDS = 24
/** Maximum number of sets of bindings in one statement. */
const MAX_SELECTS = 600
/** Maximum number of cached combinations; the service uses the same ones again and again. */
const MAX_COMBINATIONS = 1000

/** A statement that is prepared under its name, once per connection. */
export interface Prepared extends Numbered {
  name: string
}

/** A requested SELECT that waits for the end of the current tick. */
export interface Waiting<Query> {
  query: Query
  resolve(result: never): void
  reject(error: unknown): void
}

/**
 * Batches the SELECTs of one tick into one statement, because a statement costs PostgreSQL and this
 * process more than its rows do.
 */
export class SelectBatcher<Query> {
  #waiting: Waiting<Query>[] = []
  readonly #kinds = new Set<unknown>()

  /**
   * @param execute runs the SELECTs of one batch and resolves them
   * @param defer schedules a function for the end of the tick
   */
  constructor(
    private readonly execute: (waiting: readonly Waiting<Query>[]) => void,
    private readonly defer: (run: () => void) => unknown = process.nextTick
  ) {}

  /** @param kind SELECTs of one kind count once towards `MAX_KINDS` */
  add<Result>(query: Query, kind: unknown = query): Promise<Result> {
    const isFull = this.#kinds.size >= MAX_KINDS && !this.#kinds.has(kind)
    if (isFull || this.#waiting.length >= MAX_SELECTS) this.send()
    this.#kinds.add(kind)
    if (this.#waiting.length === 0) this.defer(() => this.send())
    return new Promise((resolve, reject) => this.#waiting.push({ query, resolve, reject }))
  }

  /** Sends the waiting SELECTs now, before a statement that must follow them. */
  send(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#kinds.clear()
    if (waiting.length > 0) this.execute(waiting)
  }
}

/** Resolves each waiting SELECT with its result, or rejects all of them with the same error. */
export function settleAll<Query>(
  waiting: readonly Waiting<Query>[],
  execute: () => Promise<readonly unknown[]>
): void {
  execute().then(
    (results) => waiting.forEach(({ resolve }, index) => resolve(results[index] as never)),
    (error: unknown) => waiting.forEach(({ reject }) => reject(error))
  )
}

/** Returns the name under which a statement is prepared, the same on every connection. */
export const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url')

/** A part of a statement: an expression that returns rows as JSON arrays of their values. */
export interface Part {
  /** The same on every connection. */
  name: string
  /** Values in the order of its placeholders. */
  values: Stored[]
  /** @param placeholder returns the placeholder of a value by its number, from 1 */
  write(placeholder: (number: number) => string): string
}

const withPlaceholders = (text: string, placeholder: (number: number) => string) =>
  text.replace(/\$(\d+)/g, (_, number) => placeholder(Number(number)))

const rowsOf = (columns: readonly string[], text: string) => {
  const values = columns.map((name) => `q."${name}"`).join(', ')
  return `(select coalesce(json_agg(json_build_array(${values})), '[]') from (${text}) q)`
}

/** Returns the part for a SELECT with one set of bindings. */
export function singlePart(columns: readonly string[], prepared: Prepared, values: Stored[]): Part {
  const { name, text } = prepared
  return {
    name,
    values,
    write: (placeholder) => rowsOf(columns, withPlaceholders(text, placeholder)),
  }
}

/**
 * Returns one part for a SELECT with several sets of bindings. Its result is a list with an entry
 * per set. Bindings that are equal in all sets are bound once.
 * @returns null if the values of a binding differ in type
 */
export function repeatedPart(
  columns: readonly string[],
  prepared: Prepared,
  all: readonly Stored[][]
): Part | null {
  const [first] = all
  const varying = first.flatMap((value, index) =>
    all.every((values) => values[index] === value) ? [] : [index]
  )
  const types = varying.map((index) => typeOf(all.map((values) => values[index])))
  if (types.includes(null)) return null
  const constant = first.flatMap((_, index) => (varying.includes(index) ? [] : [index]))
  const rows = all.map((values, n) => ({
    n,
    ...Object.fromEntries(varying.map((index) => [`v${index}`, values[index]])),
  }))
  const members = varying.map((binding, index) => `v${binding} ${types[index]}`)
  const name = `${prepared.name} each ${members.join(', ')}`
  const values = [...constant.map((index) => first[index]), JSON.stringify(rows)]
  return {
    name,
    values,
    write(placeholder) {
      const select = withPlaceholders(prepared.text, (number) => {
        const index = constant.indexOf(number - 1)
        return index < 0 ? `batch_values.v${number - 1}` : placeholder(index + 1)
      })
      const list = `jsonb_to_recordset(cast(${placeholder(values.length)} as jsonb))`
      return `(select json_agg(a.found order by a.n) from (
        select batch_values.n, ${rowsOf(columns, select)} as found
        from ${list} as batch_values(${['n integer', ...members].join(', ')})) a)`
    },
  }
}

/** Returns the column type of values; null if they have no common one. */
function typeOf(values: readonly Stored[]): string | null {
  const types = new Set(values.flatMap((value) => (value === null ? [] : [typeName(value)])))
  return types.size === 1 ? [...types][0] : null
}

function typeName(value: NonNullable<Stored>): string {
  if (typeof value === 'string') return 'text'
  if (typeof value === 'boolean') return 'boolean'
  return Number.isSafeInteger(value) ? 'bigint' : 'double precision'
}

const combinations = new Map<string, Omit<Prepared, 'order'>>()

/**
 * Combines parts into one statement, whose single row contains the result of each.
 * @returns null if too many combinations are cached already
 */
export function combine(parts: readonly Part[]): Omit<Prepared, 'order'> | null {
  const key = parts.map(({ name }) => name).join('\n')
  const found = combinations.get(key)
  if (found) return found
  if (combinations.size >= MAX_COMBINATIONS) return null
  let before = 0
  const results = parts.map(({ values, write }) => {
    const start = before
    before += values.length
    return write((number) => `$${start + number}`)
  })
  const text = `select ${results.join(', ')}`
  const created = { text, name: nameOf(text) }
  combinations.set(key, created)
  return created
}
