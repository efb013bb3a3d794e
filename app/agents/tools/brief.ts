/** Most bytes of a usual result: with its frame it stays below 4 KB. */
const USUAL_BYTES = 3400

interface Brief {
  value: unknown
  /** The shortened parts. */
  leftOut: string[]
  /** Number of entries shown of a longer list or page. */
  shown?: number
}

/** Limits of inner lists and texts; the first attempt that fits counts. */
interface Most {
  entries: number
  characters: number
}
const ATTEMPTS: readonly Most[] = [
  { entries: 20, characters: 600 },
  { entries: 10, characters: 300 },
  { entries: 5, characters: 160 },
  { entries: 3, characters: 80 },
  { entries: 1, characters: 60 },
]
const LEAST = ATTEMPTS.at(-1)!

/** Most notes of what was shortened. */
const MOST_NOTES = 5

/** Limits for entries of a list, which can be requested by pages. */
const OF_ENTRIES = ATTEMPTS[2]

/**
 * An answer as an agent reads it: only the fields asked for, else lists and texts within it as
 * short as the whole needs to be. Of a list or a page, the last entries go.
 * @param taken bytes that something else of the result takes
 */
export function brief(answer: unknown, fields: readonly string[] | undefined, taken = 0): Brief {
  const room = USUAL_BYTES - taken
  if (fields) return { value: picked(answer, fields), leftOut: [] }
  const list = listOf(answer)
  if (list) return briefList(answer, list, room)
  let longest: Most = { entries: Infinity, characters: Infinity }
  for (const most of ATTEMPTS) {
    if (cutsNothing(most, longest)) continue
    const shortener = new Shortener(most, room)
    const value = shortener.whole(answer)
    if (!shortener.isFull) return { value, leftOut: shortener.notes }
    longest = shortener.longest
  }
  const shortener = new Shortener(LEAST, room)
  return { value: shortener.members(answer), leftOut: shortener.notes }
}

/** Limits that cut nothing lead to the same result. */
const cutsNothing = (most: Most, longest: Most) =>
  most.entries >= longest.entries && most.characters >= longest.characters

/** Most entries that are looked at before it is known whether all have room. */
const FEW = 10

function briefList(answer: unknown, list: readonly unknown[], room: number): Brief {
  // Measuring costs less than copying, where there is little.
  if (list.length <= FEW && Buffer.byteLength(JSON.stringify(answer)) <= room)
    return { value: answer, leftOut: [] }
  const entriesAs = (most: Most) => {
    const shortener = new Shortener(most, room)
    const frame = Array.isArray(answer) ? [] : shortener.whole(withList(answer, []))
    return { shortener, frame, kept: shortener.asManyAs(list) }
  }
  let made = entriesAs(ATTEMPTS[0])
  const isWhole = () => made.kept.length === list.length
  if (!isWhole() && !cutsNothing(OF_ENTRIES, made.shortener.longest)) made = entriesAs(OF_ENTRIES)
  const { shortener, frame, kept } = made
  const value = withList(frame, kept)
  if (isWhole()) return { value, leftOut: shortener.notes }
  const note = `${list.length - kept.length} of ${list.length} entries: ask with \`fields\`, filters or a smaller \`limit\``
  return { value, leftOut: [...shortener.notes, note], shown: kept.length }
}

/** The entries of a page or a list. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  const { data } = (value ?? {}) as { data?: unknown }
  return Array.isArray(data) ? data : null
}

const withList = (value: unknown, list: readonly unknown[]) =>
  Array.isArray(value) ? list : { ...(value as object), data: list }

/** Needs escapes, or more than a byte a character. */
// eslint-disable-next-line no-control-regex
const WIDE = /["\\\u0000-\u001f]|[^\u0000-\u007f]/

/** Copies a value as short as it is told to, and stops once it has no room left. */
class Shortener {
  readonly #notes = new Set<string>()
  /** The longest copied inner list and text. */
  readonly longest: Most = { entries: 0, characters: 0 }

  constructor(
    private readonly most: Most,
    private room: number
  ) {}

  get isFull(): boolean {
    return this.room < 0
  }

  get notes(): string[] {
    const all = [...this.#notes]
    return all.length > MOST_NOTES ? [...all.slice(0, MOST_NOTES), 'and more like it'] : all
  }

  whole(value: unknown): unknown {
    return this.#copy(value, '', 0)
  }

  /** The first entries that there is room for, at least one. */
  asManyAs(list: readonly unknown[]): unknown[] {
    const kept: unknown[] = []
    for (const each of list) {
      const before = this.room
      const entry = this.#copy(each, 'data', 1)
      if (!this.isFull) kept.push(entry)
      else if (kept.length > 0) break
      else {
        // It has no room alone: some of it is told.
        this.room = before
        kept.push(this.members(each))
        break
      }
    }
    return kept
  }

  /** The members that there is room for; the names of the others are noted. */
  members(value: unknown): unknown {
    if (typeof value !== 'object' || value === null) return null
    const names: string[] = []
    const kept: [string, unknown][] = []
    for (const [name, member] of Object.entries(value)) {
      const before = this.room
      const copied = this.#copy(member, name, 1)
      this.room -= name.length + 4
      if (!this.isFull) kept.push([name, copied])
      else {
        this.room = before
        names.push(name)
      }
    }
    this.#notes.add(`members without room: ask for them with \`fields\` (${names.join(', ')})`)
    return Object.fromEntries(kept)
  }

  #copy(value: unknown, path: string, depth: number): unknown {
    if (this.isFull) return null
    if (typeof value === 'string') return this.#text(value, path)
    if (typeof value !== 'object' || value === null) {
      this.room -= String(value).length + 1
      return value
    }
    this.room -= 3
    if (Array.isArray(value)) {
      // The list that was asked for stays whole as long as it can.
      const isOuter = depth === 0 || (path === 'data' && depth === 1)
      const kept = isOuter ? value : value.slice(0, this.most.entries)
      if (!isOuter) this.longest.entries = Math.max(this.longest.entries, kept.length)
      if (kept.length < value.length)
        this.#notes.add(`entries of ${path} after ${this.most.entries}`)
      return kept.map((each) => this.#copy(each, path, depth + 1))
    }
    const copied: Record<string, unknown> = {}
    for (const name of Object.keys(value)) {
      this.room -= name.length + 4
      const inner = path === '' || path === 'data' ? name : `${path}.${name}`
      copied[name] = this.#copy((value as Record<string, unknown>)[name], inner, depth + 1)
    }
    return copied
  }

  #text(value: string, path: string): string {
    const { characters } = this.most
    const length = Math.min(value.length, characters)
    if (length > this.longest.characters) this.longest.characters = length
    let kept = value
    if (value.length > characters) {
      this.#notes.add(`texts over ${characters} characters${path && ` (${path})`}`)
      kept = `${value.slice(0, characters).toWellFormed()}…`
    }
    this.room -= WIDE.test(kept) ? Buffer.byteLength(JSON.stringify(kept)) + 1 : kept.length + 3
    return kept
  }
}

/** Members by dotted names, of each entry where the answer is a list or a page. */
function picked(value: unknown, fields: readonly string[]): unknown {
  const list = listOf(value)
  if (!list) return pick(value, fields)
  return withList(
    value,
    list.map((each) => pick(each, fields))
  )
}

function pick(value: unknown, fields: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((each) => pick(each, fields))
  if (typeof value !== 'object' || value === null) return value
  const given = value as Record<string, unknown>
  const result: Record<string, unknown> = {}
  for (const name of new Set(fields.map((field) => field.split('.')[0]))) {
    if (!Object.hasOwn(given, name)) continue
    const inner = fields.flatMap((field) =>
      field.startsWith(`${name}.`) ? field.slice(name.length + 1) : []
    )
    const whole = fields.includes(name) || inner.length === 0
    result[name] = whole ? given[name] : pick(given[name], inner)
  }
  return result
}
