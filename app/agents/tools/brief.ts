/** Maximum size of a usual result, in bytes. With its frame it stays below 4 KB. */
const USUAL_BYTES = 3400

interface Brief {
  value: unknown
  /** Notes on what was shortened. */
  leftOut: string[]
  /** Number of entries shown of a list or page, if not all. */
  shown?: number
}

/** Limits of inner lists and texts. The first attempt that fits is used. */
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
const SHORTEST_FORM = ATTEMPTS.at(-1)!

/** Maximum number of notes on what was shortened. */
const MAX_NOTES = 5

/** Limits for entries of a list that do not all fit. Lists can be read page by page. */
const ENTRY_LIMITS = ATTEMPTS[2]

/**
 * Shortens an answer for an agent. Returns only the requested fields, or else shortens lists and
 * texts within it until the whole fits. In a list or a page, the last entries are dropped.
 * @param taken bytes taken by other parts of the result
 */
export function brief(result: unknown, fields: readonly string[] | undefined, taken = 0): Brief {
  const room = USUAL_BYTES - taken
  if (fields) return { value: picked(result, fields), leftOut: [] }
  const list = listOf(result)
  if (list) return briefList(result, list, room)
  let longest: Most = { entries: Infinity, characters: Infinity }
  for (const most of ATTEMPTS) {
    if (cutsNothing(most, longest)) continue
    const shortener = new Shortener(most, room)
    const value = shortener.whole(result)
    if (!shortener.isFull) return { value, leftOut: shortener.notes }
    longest = shortener.longest
  }
  const shortener = new Shortener(SHORTEST_FORM, room)
  return { value: shortener.members(result), leftOut: shortener.notes }
}

/**
 * Returns whether limits cut nothing from the answer that was too large: the result is the same.
 */
const cutsNothing = (most: Most, longest: Most) =>
  most.entries >= longest.entries && most.characters >= longest.characters

/** Maximum number of entries that are measured first to see whether all fit. */
const FEW = 10

function briefList(result: unknown, list: readonly unknown[], room: number): Brief {
  // For a few entries, measuring costs less than copying.
  if (list.length <= FEW && Buffer.byteLength(JSON.stringify(result)) <= room)
    return { value: result, leftOut: [] }
  const entriesAs = (most: Most) => {
    const shortener = new Shortener(most, room)
    const frame = Array.isArray(result) ? [] : shortener.whole(withList(result, []))
    return { shortener, frame, kept: shortener.asManyAs(list) }
  }
  let made = entriesAs(ATTEMPTS[0])
  const isWhole = () => made.kept.length === list.length
  if (!isWhole() && !cutsNothing(ENTRY_LIMITS, made.shortener.longest))
    made = entriesAs(ENTRY_LIMITS)
  const { shortener, frame, kept } = made
  const value = withList(frame, kept)
  if (isWhole()) return { value, leftOut: shortener.notes }
  const note = `${list.length - kept.length} of ${list.length} entries: ask with \`fields\`, filters or a smaller \`limit\``
  return { value, leftOut: [...shortener.notes, note], shown: kept.length }
}

/** Returns the entries of a page or a list. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) return value
  const { data } = (value ?? {}) as { data?: unknown }
  return Array.isArray(data) ? data : null
}

const withList = (value: unknown, list: readonly unknown[]) =>
  Array.isArray(value) ? list : { ...(value as object), data: list }

/** Matches text that needs escapes, or more than one byte per character. */
// oxlint-disable-next-line no-control-regex
const WIDE = /["\\\u0000-\u001f]|[^\u0000-\u007f]/

/** Copies a value within the limits, and stops once no room is left. */
class Shortener {
  readonly #notes = new Set<string>()
  /** The length of the longest inner list and of the longest text copied. */
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
    return all.length > MAX_NOTES ? [...all.slice(0, MAX_NOTES), 'and more like it'] : all
  }

  whole(value: unknown): unknown {
    return this.#copy(value, '', 0)
  }

  /** Returns the first entries that fit, at least one. */
  asManyAs(list: readonly unknown[]): unknown[] {
    const kept: unknown[] = []
    for (const each of list) {
      const before = this.room
      const entry = this.#copy(each, 'data', 1)
      if (!this.isFull) kept.push(entry)
      else if (kept.length > 0) break
      else {
        // A single entry does not fit, so only some of its members are shown.
        this.room = before
        kept.push(this.members(each))
        break
      }
    }
    return kept
  }

  /** Returns the members that fit, and notes the names of the others. */
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
      // The requested list itself is not cut here.
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

/** Picks members by dotted names, from each entry if the answer is a list or a page. */
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
  const input = value as Record<string, unknown>
  const result: Record<string, unknown> = {}
  for (const name of new Set(fields.map((field) => field.split('.')[0]))) {
    if (!Object.hasOwn(input, name)) continue
    const inner = fields.flatMap((field) =>
      field.startsWith(`${name}.`) ? field.slice(name.length + 1) : []
    )
    const whole = fields.includes(name) || inner.length === 0
    result[name] = whole ? input[name] : pick(input[name], inner)
  }
  return result
}
