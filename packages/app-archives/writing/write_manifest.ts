import { ATTRIBUTE } from '../android/elements.js'
import { Texts, chunk, u16, u32, type TypedValue } from './write_chunks.js'
import { bytesField, field, numberField, textField } from './write_protobuf.js'

const ANDROID = 'http://schemas.android.com/apk/res/android'

/** An element; attributes in `ATTRIBUTE` get Android's namespace, others none. */
export interface XmlElement {
  name: string
  attributes?: Record<string, TypedValue>
  children?: XmlElement[]
}

const idOf = (name: string): number | undefined => ATTRIBUTE[name as keyof typeof ATTRIBUTE]

interface BinaryXmlOptions {
  encoding?: 'utf8' | 'utf16le'
  /** Omits the resource ids, so that attributes have only names. */
  withoutIds?: boolean
}

/** Writes Android's binary XML. */
export function writeBinaryXml(root: XmlElement, options: BinaryXmlOptions = {}): Buffer {
  const texts = new Texts(options.encoding)
  const ids: number[] = []
  if (!options.withoutIds) {
    // Names with an id come first, because the resource map refers to names by index.
    for (const [name, id] of Object.entries(ATTRIBUTE)) {
      texts.index(name)
      ids.push(id)
    }
  }
  const body = writeElement(root, texts)
  const namespace = u32(texts.index('android'), texts.index(ANDROID))
  return chunk(
    0x0003,
    Buffer.alloc(0),
    Buffer.concat([
      texts.write(),
      chunk(0x0180, Buffer.alloc(0), u32(...ids)),
      chunk(0x0100, u32(1, 0xffffffff), namespace),
      body,
      chunk(0x0101, u32(1, 0xffffffff), namespace),
    ])
  )
}

function writeElement({ name, attributes = {}, children = [] }: XmlElement, texts: Texts): Buffer {
  const written = Object.entries(attributes).map(([attribute, value]) => {
    const isAndroid = idOf(attribute) !== undefined
    const { type, data, raw } = texts.value(value)
    return Buffer.concat([
      u32(isAndroid ? texts.index(ANDROID) : 0xffffffff, texts.index(attribute), raw),
      u16(8),
      Buffer.from([0, type]),
      u32(data),
    ])
  })
  const line = u32(1, 0xffffffff)
  const nameIndex = u32(0xffffffff, texts.index(name))
  const counts = u16(20, 20, written.length, 0, 0, 0)
  return Buffer.concat([
    chunk(0x0102, line, Buffer.concat([nameIndex, counts, ...written])),
    ...children.map((child) => writeElement(child, texts)),
    chunk(0x0103, line, nameIndex),
  ])
}

/** Writes an element in the protobuf format of app bundles. */
export function writeProtobufXml({ name, attributes = {}, children = [] }: XmlElement): Buffer {
  return field(
    1,
    textField(3, name),
    ...Object.entries(attributes).map(([attribute, value]) => {
      const id = idOf(attribute)
      return field(
        4,
        textField(1, id === undefined ? '' : ANDROID),
        textField(2, attribute),
        textField(3, 'text' in value ? value.text : ''),
        numberField(5, id ?? 0),
        'text' in value ? Buffer.alloc(0) : field(6, writeItem(value))
      )
    }),
    ...children.map((child) => bytesField(5, writeProtobufXml(child)))
  )
}

/** Writes a value as an `Item` message. */
export function writeItem(value: TypedValue): Buffer {
  if ('text' in value) return field(2, textField(1, value.text))
  if ('reference' in value) return field(1, numberField(2, value.reference))
  if ('flag' in value) return field(7, numberField(8, value.flag ? 1 : 0))
  return field(7, numberField(6, value.number))
}
