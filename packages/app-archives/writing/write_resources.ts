import { Texts, chunk, u16, u32, type TypedValue } from './write_chunks.js'
import { field, numberField, textField } from './write_protobuf.js'
import { writeItem } from './write_manifest.js'

/** A value of a resource for a device configuration. */
export interface ResourceValue {
  id: number
  value: TypedValue
  density?: number
  /** A code of two letters. */
  language?: string
}

interface TableOptions {
  encoding?: 'utf8' | 'utf16le'
  layout?: 'plain' | 'sparse' | 'short' | 'compact'
}

/** Writes a `resources.arsc` with one type chunk for each value. */
export function writeResourceTable(
  values: readonly ResourceValue[],
  options: TableOptions = {}
): Buffer {
  const texts = new Texts(options.encoding)
  const types = values.map((each) => writeType(each, texts, options.layout ?? 'plain'))
  const name = Buffer.alloc(256)
  name.write('com.acme', 'utf16le')
  const empty = new Texts().write()
  const header = Buffer.concat([u32(0x7f), name, u32(288, 0, 288 + empty.length, 0, 0)])
  const contents = chunk(0x0200, header, Buffer.concat([empty, empty, ...types]))
  return chunk(0x0002, u32(1), Buffer.concat([texts.write(), contents]))
}

function writeType(
  { id, value, density = 0, language = '' }: ResourceValue,
  texts: Texts,
  layout: NonNullable<TableOptions['layout']>
): Buffer {
  const index = id & 0xffff
  const { type, data } = texts.value(value)
  const entry =
    layout === 'compact'
      ? Buffer.concat([u16(0, (type << 8) | 0x8), u32(data)])
      : Buffer.concat([u16(8, 0), u32(0), u16(8), Buffer.from([0, type]), u32(data)])
  const offsets = {
    plain: () => u32(...Array.from({ length: index }, () => 0xffffffff), 0),
    compact: () => u32(...Array.from({ length: index }, () => 0xffffffff), 0),
    short: () => pad(u16(...Array.from({ length: index }, () => 0xffff), 0)),
    sparse: () => u16(index, 0),
  }[layout]()
  const flags = { plain: 0, compact: 0, sparse: 1, short: 2 }[layout]
  const configuration = Buffer.alloc(64)
  configuration.writeUInt32LE(64, 0)
  configuration.write(language, 8, 'latin1')
  configuration.writeUInt16LE(density, 14)
  const headerSize = 20 + configuration.length
  const header = Buffer.concat([
    Buffer.from([(id >>> 16) & 0xff, flags, 0, 0]),
    u32(layout === 'sparse' ? 1 : index + 1, headerSize + offsets.length),
    configuration,
  ])
  return chunk(0x0201, header, Buffer.concat([offsets, entry]))
}

const pad = (bytes: Buffer) => Buffer.concat([bytes, Buffer.alloc(bytes.length % 4)])

/** Writes a `resources.pb`. */
export function writeProtobufTable(values: readonly ResourceValue[]): Buffer {
  return field(
    2,
    field(1, numberField(1, 0x7f)),
    ...values.map(({ id, value, density = 0, language = '' }) =>
      field(
        3,
        field(1, numberField(1, (id >>> 16) & 0xff)),
        field(
          3,
          field(1, numberField(1, id & 0xffff)),
          field(
            6,
            field(1, textField(3, language), numberField(18, density)),
            field(2, field(4, writeItem(value)))
          )
        )
      )
    )
  )
}
