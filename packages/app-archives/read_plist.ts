import { parseBuffer } from 'bplist-parser'
import { parse } from 'plist'
import { LIMITS } from './limits.ts'
import { Unreadable, bytesAt, reading } from './unreadable.ts'

export type Plist = Record<string, unknown>

const TRAILER = 32
/** The maximum bytes of all texts and data; a value that is referenced twice counts twice. */
const EXPANDED = 32 * 1024 * 1024

/**
 * Reads a property list, as text or binary. Lists that would take the libraries too long are refused
 * beforehand.
 * @param called its name in error messages
 * @throws Unreadable
 */
export function readPlist(bytes: Buffer, called: string): Plist {
  const value = reading(called, () => {
    if (bytes.subarray(0, 8).toString('latin1') === 'bplist00') {
      requireBoundedBinary(bytes, called)
      return parseBuffer<unknown>(bytes)[0]
    }
    const text = decode(bytes)
    requireBoundedText(text, called)
    return quietly(() => parse(text) as unknown)
  })
  if (!isPlist(value)) throw new Unreadable(`${called} holds no dictionary.`)
  return value
}

/** Silences the library, which would write oddities of untrusted files to the console. */
function quietly<Result>(work: () => Result): Result {
  const { error, warn } = console
  console.error = console.warn = () => {}
  try {
    return work()
  } finally {
    Object.assign(console, { error, warn })
  }
}

export function isPlist(value: unknown): value is Plist {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof Uint8Array)
  )
}

/** Returns an own value of a dictionary; undefined if it is absent or inherited. */
export const own = (plist: Plist, key: string): unknown =>
  Object.hasOwn(plist, key) ? plist[key] : undefined

/** Returns the texts in an array, without other values. */
export const texts = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []

function decode(bytes: Buffer): string {
  const mark = bytes.readUInt16BE(0)
  const encoding = mark === 0xfffe ? 'utf-16le' : mark === 0xfeff ? 'utf-16be' : 'utf-8'
  return new TextDecoder(encoding, { fatal: true }).decode(bytes)
}

/** The maximum length of a tag; only the first one has an attribute. */
const TAG = 64

/** @throws Unreadable if a text defines entities, or exceeds the limits of tags or nesting */
function requireBoundedText(text: string, called: string): void {
  if (/<!\s*(ENTITY|DOCTYPE[^<>]{0,1000}\[)/i.test(text)) {
    throw new Unreadable(`${called} defines entities of its own.`)
  }
  let depth = 0
  let count = 0
  for (let at = text.indexOf('<'); at !== -1; at = text.indexOf('<', at)) {
    const next = text[at + 1]
    const end = text.indexOf(endOf(text, at), at)
    if (end === -1) throw new RangeError('A tag without an end')
    if (next === '/') depth -= 1
    else if (next !== '!' && next !== '?') {
      if (end - at > TAG) throw new Unreadable(`${called} has tags that no property list has.`)
      count += 1
      if (text[end - 1] !== '/') depth += 1
    }
    requireBounded(depth, count, called)
    at = end
  }
}

/** Returns the terminator of a comment, a CDATA section, or a tag. */
function endOf(text: string, at: number): string {
  if (text.startsWith('<!--', at)) return '-->'
  return text.startsWith('<![CDATA[', at) ? ']]>' : '>'
}

function requireBounded(depth: number, count: number, called: string): void {
  if (depth > LIMITS.depth) throw new Unreadable(`${called} is nested too deeply.`)
  if (count > LIMITS.plistValues) throw new Unreadable(`${called} holds too many values.`)
}

/**
 * Visits the values like a reader, each as often as it is referenced, to refuse lists that would
 * expand endlessly or exponentially.
 * @throws Unreadable
 */
function requireBoundedBinary(bytes: Buffer, called: string): void {
  const table = readTrailer(bytes)
  const waiting: { index: number; depth: number }[] = [{ index: table.top, depth: 1 }]
  let count = 0
  let expanded = 0
  for (let each = waiting.pop(); each; each = waiting.pop()) {
    requireBounded(each.depth, (count += 1), called)
    const { references, length } = objectAt(bytes, table, each.index)
    expanded += length
    if (expanded > EXPANDED || waiting.length + references.length > LIMITS.plistValues) {
      throw new Unreadable(`${called} holds too many values.`)
    }
    for (const index of references) waiting.push({ index, depth: each.depth + 1 })
  }
}

interface ObjectTable {
  top: number
  count: number
  start: number
  offsetSize: number
  referenceSize: number
}

function readTrailer(bytes: Buffer): ObjectTable {
  const at = bytes.length - TRAILER
  const [offsetSize, referenceSize] = [bytes.readUInt8(at + 6), bytes.readUInt8(at + 7)]
  const [count, top, start] = [8, 16, 24].map((each) => Number(bytes.readBigUInt64BE(at + each)))
  const isSane = [offsetSize, referenceSize].every((each) => each >= 1 && each <= 6)
  if (!isSane) throw new RangeError('Sizes that no list has')
  bytesAt(bytes, start, count * offsetSize)
  return { top, count, start, offsetSize, referenceSize }
}

/** Returns the references of a value to others, and its own bytes of text or data. */
function objectAt(bytes: Buffer, table: ObjectTable, index: number) {
  if (!(index < table.count)) throw new RangeError('No such value')
  const at = bytes.readUIntBE(table.start + index * table.offsetSize, table.offsetSize)
  const kind = bytes.readUInt8(at) >> 4
  const { size, start } = sizeAt(bytes, at, kind)
  const none: number[] = []
  switch (kind) {
    case 0x0:
      return { references: none, length: 0 }
    case 0x1:
    case 0x2:
      // Numbers have 2^size bytes, at most 16.
      if (size > 4) throw new RangeError('A number that is too long')
      return { references: none, length: bytesAt(bytes, start, 1 << size).length }
    case 0x3:
      return { references: none, length: bytesAt(bytes, start, 8).length }
    case 0x8:
      return { references: none, length: bytesAt(bytes, start, size + 1).length }
    case 0x4:
    case 0x5:
      return { references: none, length: bytesAt(bytes, start, size).length }
    case 0x6:
      return { references: none, length: bytesAt(bytes, start, 2 * size).length }
    case 0xa:
    case 0xd: {
      const { referenceSize } = table
      const named = kind === 0xd ? 2 * size : size
      const list = bytesAt(bytes, start, named * referenceSize)
      if (named > LIMITS.plistValues) throw new RangeError('Too many values')
      const references = Array.from({ length: named }, (_, each) =>
        list.readUIntBE(each * referenceSize, referenceSize)
      )
      return { references, length: 0 }
    }
    default:
      throw new RangeError('A kind that is not known')
  }
}

/** Returns the size that a value states in its first byte or after it. */
function sizeAt(bytes: Buffer, at: number, kind: number): { size: number; start: number } {
  const size = bytes.readUInt8(at) & 0xf
  if (size < 0xf || kind < 0x4 || kind === 0x8) return { size, start: at + 1 }
  const marker = bytes.readUInt8(at + 1)
  const width = 1 << (marker & 0xf)
  if (marker >> 4 !== 0x1 || width > 4) throw new RangeError('A size that is none')
  return { size: bytes.readUIntBE(at + 2, width), start: at + 2 + width }
}
