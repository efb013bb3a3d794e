import { bytesAt } from '../unreadable.ts'
import { CHUNK, StringPool, chunkAt, chunksIn, textIndex, type Chunk } from './chunks.ts'
import { ElementBudget, type AndroidElement, type AndroidValue } from './elements.ts'
import { typedValue } from './typed_value.ts'

/** Offsets in an attribute: of its name, and of the type and data of its value. */
const NAME = 4
const TYPE = 15
const DATA = 16
const ATTRIBUTE_BYTES = 20

/**
 * Yields the elements of Android's binary XML in their order; their attributes are read on demand.
 * @throws Unreadable, RangeError
 */
export function* readBinaryXml(bytes: Buffer, called: string): Generator<AndroidElement> {
  const document = chunkAt(bytes, 0)
  if (document.type !== CHUNK.xml) throw new RangeError('No binary XML')
  const budget = new ElementBudget(called)
  let pool: StringPool | null = null
  let ids: number[] = []
  let depth = 0
  for (const chunk of chunksIn(document)) {
    if (chunk.type === CHUNK.stringPool) pool ??= new StringPool(chunk)
    else if (chunk.type === CHUNK.resourceMap) ids = resourceIds(chunk)
    else if (chunk.type === CHUNK.endElement) depth -= 1
    else if (chunk.type === CHUNK.startElement) {
      if (!pool) throw new RangeError('No texts')
      budget.spend((depth += 1))
      yield elementOf(chunk, depth, pool, ids)
    }
  }
}

/** Returns the resource ids of attributes, by the index of the name. */
function resourceIds({ bytes, headerSize }: Chunk): number[] {
  const count = Math.min(Math.floor((bytes.length - headerSize) / 4), 65_536)
  return Array.from({ length: count }, (_, each) => bytes.readUInt32LE(headerSize + 4 * each))
}

function elementOf(
  { bytes, headerSize }: Chunk,
  depth: number,
  pool: StringPool,
  ids: readonly number[]
): AndroidElement {
  const name = textIndex(bytes, headerSize + 4)
  const start = headerSize + bytes.readUInt16LE(headerSize + 8)
  const stride = bytes.readUInt16LE(headerSize + 10)
  const count = bytes.readUInt16LE(headerSize + 12)
  if (count > 0 && stride < ATTRIBUTE_BYTES) throw new RangeError('Attributes without room')
  bytesAt(bytes, start, count * stride)
  return {
    name: name === null ? '' : pool.get(name),
    depth,
    attribute(id, wanted) {
      for (let each = 0; each < count; each++) {
        const at = start + each * stride
        if (isNamed(bytes, at, { id, wanted }, pool, ids)) return valueAt(bytes, at, pool)
      }
      return null
    },
  }
}

/** Compares by id if the attribute has one, as names may be stripped or wrong. */
function isNamed(
  bytes: Buffer,
  at: number,
  { id, wanted }: { id: number | null; wanted: string },
  pool: StringPool,
  ids: readonly number[]
): boolean {
  const index = textIndex(bytes, at + NAME)
  if (index === null) return false
  const ownId = ids[index] ?? 0
  if (ownId !== 0) return ownId === id
  const hasNamespace = textIndex(bytes, at) !== null
  return hasNamespace === (id !== null) && pool.get(index) === wanted
}

function valueAt(bytes: Buffer, at: number, pool: StringPool): AndroidValue {
  return typedValue(bytes.readUInt8(at + TYPE), bytes.readUInt32LE(at + DATA), pool)
}
