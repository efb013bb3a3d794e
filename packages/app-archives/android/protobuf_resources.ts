import type { AndroidElement, AndroidResources, AndroidValue, Candidate } from './elements.ts'
import { ElementBudget } from './elements.ts'
import { fieldsOf, messageOf, messagesOf, numberOf, textOf } from './read_protobuf.ts'

/*
 * Field numbers of the messages in Resources.proto (aapt2) that manifests and their resources use.
 */
const NODE = { element: 1 }
const ELEMENT = { name: 3, attribute: 4, child: 5 }
const ATTRIBUTE = { namespace: 1, name: 2, value: 3, resourceId: 5, compiled: 6 }
const ITEM = { reference: 1, text: 2, rawText: 3, styledText: 4, file: 5, primitive: 7 }
const PRIMITIVE = { decimal: 6, hexadecimal: 7, flag: 8 }
const TABLE = { package: 2 }
const PACKAGE = { id: 1, type: 3 }
const TYPE = { id: 1, entry: 3 }
const ENTRY = { id: 1, configured: 6 }
const CONFIGURED = { configuration: 1, value: 2 }
const VALUE = { item: 4 }
const CONFIGURATION = { locale: 3, density: 18 }
const REFERENCE = { id: 2 }

/** Decodes an `Item`: the value of an attribute or a resource. @throws RangeError */
function itemValue(item: Buffer): AndroidValue {
  for (const { number, bytes } of fieldsOf(item)) {
    if (bytes === null) continue
    switch (number) {
      case ITEM.reference:
        return { kind: 'reference', id: numberOf(bytes, REFERENCE.id) }
      case ITEM.text:
      case ITEM.rawText:
      case ITEM.styledText:
      case ITEM.file:
        return { kind: 'text', text: textOf(bytes, 1) }
      case ITEM.primitive:
        return primitiveValue(bytes)
    }
  }
  return { kind: 'other' }
}

function primitiveValue(primitive: Buffer): AndroidValue {
  for (const { number, value } of fieldsOf(primitive)) {
    if (value === null) continue
    const word = Number(BigInt.asUintN(32, value))
    if (number === PRIMITIVE.decimal) return { kind: 'number', value: word | 0 }
    if (number === PRIMITIVE.hexadecimal) return { kind: 'number', value: word }
    if (number === PRIMITIVE.flag) return { kind: 'flag', value: value !== 0n }
  }
  return { kind: 'other' }
}

/**
 * Yields the elements of a bundle's manifest, in document order.
 * @throws Unreadable, RangeError
 */
export function* readProtobufXml(bytes: Buffer, fileName: string): Generator<AndroidElement> {
  yield* nodeElements(bytes, 1, new ElementBudget(fileName))
}

function* nodeElements(
  node: Buffer,
  depth: number,
  budget: ElementBudget
): Generator<AndroidElement> {
  const element = messageOf(node, NODE.element)
  if (element === null) return
  budget.spend(depth)
  yield {
    name: textOf(element, ELEMENT.name),
    depth,
    attribute: (id, name) => attributeValue(element, id, name),
  }
  for (const child of messagesOf(element, ELEMENT.child)) {
    yield* nodeElements(child, depth + 1, budget)
  }
}

/** Compares by id if the attribute has one, because its name may be stripped. */
function isNamed(attribute: Buffer, id: number | null, name: string): boolean {
  const ownId = numberOf(attribute, ATTRIBUTE.resourceId)
  if (ownId !== 0) return ownId === id
  const hasNamespace = textOf(attribute, ATTRIBUTE.namespace) !== ''
  return hasNamespace === (id !== null) && textOf(attribute, ATTRIBUTE.name) === name
}

function attributeValue(element: Buffer, id: number | null, name: string): AndroidValue | null {
  for (const attribute of messagesOf(element, ELEMENT.attribute)) {
    if (!isNamed(attribute, id, name)) continue
    const compiled = messageOf(attribute, ATTRIBUTE.compiled)
    const value = compiled === null ? null : itemValue(compiled)
    if (value !== null && value.kind !== 'other') return value
    return { kind: 'text', text: textOf(attribute, ATTRIBUTE.value) }
  }
  return null
}

/** Looks up resources in `resources.pb`, without an index. */
export class ProtobufResources implements AndroidResources {
  readonly #table: Buffer

  constructor(table: Buffer) {
    this.#table = table
  }

  /** @throws RangeError if the table is damaged */
  *candidates(id: number): Generator<Candidate> {
    const [packageId, typeId, entryId] = [id >>> 24, (id >>> 16) & 0xff, id & 0xffff]
    for (const each of withId(this.#table, TABLE.package, PACKAGE.id, packageId)) {
      for (const type of withId(each, PACKAGE.type, TYPE.id, typeId)) {
        for (const entry of withId(type, TYPE.entry, ENTRY.id, entryId)) {
          for (const configured of messagesOf(entry, ENTRY.configured)) {
            const candidate = candidateOf(configured)
            if (candidate) yield candidate
          }
        }
      }
    }
  }
}

/** Yields the messages of a field whose id matches. An id is a message that holds one number. */
function* withId(parent: Buffer, field: number, idField: number, wanted: number) {
  for (const message of messagesOf(parent, field)) {
    const id = messageOf(message, idField)
    // An id of 0 is omitted.
    if ((id === null ? 0 : numberOf(id, 1)) === wanted) yield message
  }
}

function candidateOf(configured: Buffer): Candidate | null {
  const value = messageOf(configured, CONFIGURED.value)
  const item = value === null ? null : messageOf(value, VALUE.item)
  if (item === null) return null
  const configuration = messageOf(configured, CONFIGURED.configuration) ?? Buffer.alloc(0)
  return {
    isAnyLanguage: textOf(configuration, CONFIGURATION.locale) === '',
    density: numberOf(configuration, CONFIGURATION.density),
    value: itemValue(item),
  }
}
