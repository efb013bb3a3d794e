import { LIMITS } from '../limits.ts'
import { CHUNK, StringPool, chunkAt, chunksIn, type Chunk } from './chunks.ts'
import type { AndroidResources, Candidate } from './elements.ts'
import { typedValue } from './typed_value.ts'

const SPARSE = 0x01
const SHORT_OFFSETS = 0x02
const COMPLEX = 0x0001
const COMPACT = 0x0008

const ID = 8
const FLAGS = 9
const ENTRY_COUNT = 12
const ENTRIES_START = 16
const CONFIGURATION = 20
const LOCALE = 8
const DENSITY = 14

/**
 * The resources of `resources.arsc`. Only the chunks of types are indexed; entries are read on
 * demand.
 */
export class ResourceTable implements AndroidResources {
  readonly #pool: StringPool
  readonly #types = new Map<number, Chunk[]>()

  /** @throws RangeError */
  constructor(bytes: Buffer) {
    const table = chunkAt(bytes, 0)
    if (table.type !== CHUNK.table) throw new RangeError('No resource table')
    let pool: StringPool | null = null
    let count = 0
    for (const chunk of chunksIn(table)) {
      if (chunk.type === CHUNK.stringPool) pool ??= new StringPool(chunk)
      if (chunk.type !== CHUNK.package) continue
      const packageId = chunk.bytes.readUInt32LE(8) & 0xff
      for (const inner of chunksIn(chunk)) {
        if (inner.type !== CHUNK.type) continue
        if ((count += 1) > LIMITS.elements) throw new RangeError('Too many types')
        this.#index((packageId << 8) | inner.bytes.readUInt8(ID), inner)
      }
    }
    if (!pool) throw new RangeError('No texts')
    this.#pool = pool
  }

  #index(key: number, type: Chunk): void {
    const chunks = this.#types.get(key)
    if (chunks) chunks.push(type)
    else this.#types.set(key, [type])
  }

  /** @throws RangeError if its entry is damaged */
  *candidates(id: number): Generator<Candidate> {
    for (const type of this.#types.get(id >>> 16) ?? []) {
      const value = this.#valueIn(type, id & 0xffff)
      if (value !== null) yield { ...configurationOf(type), value }
    }
  }

  #valueIn(type: Chunk, index: number) {
    const at = entryAt(type, index)
    if (at === null) return null
    const { bytes } = type
    const flags = bytes.readUInt16LE(at + 2)
    if (flags & COMPACT) return typedValue(flags >> 8, bytes.readUInt32LE(at + 4), this.#pool)
    if (flags & COMPLEX) return null
    const value = at + bytes.readUInt16LE(at)
    return typedValue(bytes.readUInt8(value + 3), bytes.readUInt32LE(value + 4), this.#pool)
  }
}

/** Returns the offset of an entry in a type; null if the type has no such entry. */
function entryAt({ bytes, headerSize }: Chunk, index: number): number | null {
  const flags = bytes.readUInt8(FLAGS)
  const count = bytes.readUInt32LE(ENTRY_COUNT)
  const start = bytes.readUInt32LE(ENTRIES_START)
  if (flags & SPARSE) {
    // Sparse types list the index with each entry; there are few.
    for (let each = 0; each < count; each++) {
      const at = headerSize + 4 * each
      if (bytes.readUInt16LE(at) === index) return start + 4 * bytes.readUInt16LE(at + 2)
    }
    return null
  }
  if (index >= count) return null
  if (flags & SHORT_OFFSETS) {
    const offset = bytes.readUInt16LE(headerSize + 2 * index)
    return offset === 0xffff ? null : start + 4 * offset
  }
  const offset = bytes.readUInt32LE(headerSize + 4 * index)
  return offset === 0xffffffff ? null : start + offset
}

/** Returns the configuration of a type, which is shorter in older versions. */
function configurationOf({ bytes }: Chunk): Omit<Candidate, 'value'> {
  const size = bytes.readUInt32LE(CONFIGURATION)
  const isAnyLanguage = size < LOCALE + 4 || bytes.readUInt32LE(CONFIGURATION + LOCALE) === 0
  const density = size < DENSITY + 2 ? 0 : bytes.readUInt16LE(CONFIGURATION + DENSITY)
  return { isAnyLanguage, density }
}
