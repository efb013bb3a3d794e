import { createHash } from 'node:crypto'
import type { Numbered } from './dialects.js'
import type { Stored } from './table.js'

/** Maximum number of different SELECTs that are sent as one statement. */
const MAX_KINDS = 24
/** Maximum number of sets of bindings in one statement. */
const MAX_ASKED = 600
/** Maximum number of combinations kept: a program always asks for the same ones. */
const MAX_COMBINATIONS = 1000

/** A statement as PostgreSQL gets it: prepared under its name once per connection. */
export interface Prepared extends Numbered {
  name: string
}

/** A SELECT that was asked for and waits until the process turns to something else. */
export interface Waiting<Asked> {
  asked: Asked
  resolve(result: never): void
  reject(error: unknown): void
}

/**
 * Collects the SELECTs of one turn of the event loop and sends them as one statement: each
 * statement costs PostgreSQL and this process more than its rows do.
 */
export class SelectBatcher<Asked> {
  #waiting: Waiting<Asked>[] = []
  readonly #kinds = new Set<unknown>()

  /**
   * @param result answers all SELECTs of one turn, in their order
   * @param later schedules a function for the end of the turn
   */
  constructor(
    private readonly result: (waiting: readonly Waiting<Asked>[]) => void,
    private readonly later: (run: () => void) => unknown = process.nextTick
  ) {}

  /** @param kind SELECTs of one kind count once against the maximum number of different ones */
  ask<Result>(requested: Asked, kind: unknown = requested): Promise<Result> {
    const isFull = this.#kinds.size >= MAX_KINDS && !this.#kinds.has(kind)
    if (isFull || this.#waiting.length >= MAX_ASKED) this.send()
    this.#kinds.add(kind)
    if (this.#waiting.length === 0) this.later(() => this.send())
    return new Promise((resolve, reject) =>
      this.#waiting.push({ asked: requested, resolve, reject })
    )
  }

  /** Sends the waiting SELECTs now, before a statement that must follow them. */
  send(): void {
    const waiting = this.#waiting
    this.#waiting = []
    this.#kinds.clear()
    if (waiting.length > 0) this.result(waiting)
  }
}

/** Resolves each waiting SELECT with its answer, or rejects all of them with the same error. */
export function answerAll<Asked>(
  waiting: readonly Waiting<Asked>[],
  ask: () => Promise<readonly unknown[]>
): void {
  ask().then(
    (results) => waiting.forEach(({ resolve }, index) => resolve(results[index] as never)),
    (error: unknown) => waiting.forEach(({ reject }) => reject(error))
  )
}

/** Returns the name under which a statement is prepared, the same on every connection. */
export const nameOf = (text: string) => createHash('sha1').update(text).digest('base64url')

/** A part of a statement: an expression that gives rows as JSON of their values in order. */
export interface Part {
  /** The same on every connection. */
  name: string
  /** Values in the order of its placeholders. */
  values: Stored[]
  /** @param place gives the placeholder of a value by its number, from 1 */
  write(place: (number: number) => string): string
}

const placed = (text: string, place: (number: number) => string) =>
  text.replace(/\$(\d+)/g, (_, number) => place(Number(number)))

const rowsOf = (columns: readonly string[], text: string) => {
  const values = columns.map((name) => `q."${name}"`).join(', ')
  return `(select coalesce(json_agg(json_build_array(${values})), '[]') from (${text}) q)`
}

/** Returns the rows of a SELECT. */
export function askedOnce(columns: readonly string[], prepared: Prepared, values: Stored[]): Part {
  const { name, text } = prepared
  return { name, values, write: (place) => rowsOf(columns, placed(text, place)) }
}

/**
 * Returns the rows of one SELECT for several sets of bindings, as a list with an entry per set: a
 * single part, however many sets there are. Bindings that are equal in all sets are bound once.
 * @returns null if the values of a binding differ in type
 */
export function askedEach(
  columns: readonly string[],
  prepared: Prepared,
  all: readonly Stored[][]
): Part | null {
  const [first] = all
  const varying = first.flatMap((value, place) =>
    all.every((values) => values[place] === value) ? [] : [place]
  )
  const types = varying.map((place) => typeOf(all.map((values) => values[place])))
  if (types.includes(null)) return null
  const constant = first.flatMap((_, place) => (varying.includes(place) ? [] : [place]))
  const rows = all.map((values, n) => ({
    n,
    ...Object.fromEntries(varying.map((place) => [`v${place}`, values[place]])),
  }))
  const members = varying.map((place, index) => `v${place} ${types[index]}`)
  const name = `${prepared.name} each ${members.join(', ')}`
  const values = [...constant.map((place) => first[place]), JSON.stringify(rows)]
  return {
    name,
    values,
    write(place) {
      const own = placed(prepared.text, (number) => {
        const index = constant.indexOf(number - 1)
        return index < 0 ? `asked_each.v${number - 1}` : place(index + 1)
      })
      const list = `jsonb_to_recordset(cast(${place(values.length)} as jsonb))`
      return `(select json_agg(a.found order by a.n) from (
        select asked_each.n, ${rowsOf(columns, own)} as found
        from ${list} as asked_each(${['n integer', ...members].join(', ')})) a)`
    },
  }
}

/** Returns the type of values as a column of a record; null if they have no common one. */
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
 * Combines parts into one statement, whose single row holds the result of each.
 * @returns null if too many combinations are kept already
 */
export function asOne(parts: readonly Part[]): Omit<Prepared, 'order'> | null {
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
  const made = { text, name: nameOf(text) }
  combinations.set(key, made)
  return made
}
