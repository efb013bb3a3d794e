import fc from 'fast-check'

/** The content of a file: ordered maps, lists and plain values. */
export type FileValue = string | number | boolean | null | FileValue[] | Map<string, FileValue>
export type FileMap = Map<string, FileValue>

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const awkward = fc.constantFrom(
  '1.10',
  'yes',
  'null',
  'true',
  '0x1F',
  '~',
  '- a',
  'a: b',
  '#x',
  '&a',
  '*a',
  '1e3',
  "it's",
  '"',
  '{a}',
  'é 😀',
  '10',
  '2'
)
/** Generates text that careless YAML code would misread. */
export const words = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _.-]{0,14}[A-Za-z0-9]$/),
    awkward,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  )
  .filter(
    (text) => text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text) && !FORBIDDEN.includes(text)
  )

export const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

export function object(
  fields: Record<string, fc.Arbitrary<FileValue | undefined>>
): fc.Arbitrary<FileMap> {
  const names = Object.keys(fields)
  return fc.tuple(...names.map((name) => fields[name])).map((values) => {
    const entries = names.map((name, index): [string, FileValue | undefined] => [
      name,
      values[index],
    ])
    return new Map(entries.filter((entry): entry is [string, FileValue] => entry[1] !== undefined))
  })
}

export function mapOf(value: fc.Arbitrary<FileValue>, max = 3): fc.Arbitrary<FileMap> {
  return fc
    .uniqueArray(fc.tuple(words, value), { selector: ([key]) => key, maxLength: max })
    .map((entries) => new Map(entries))
}

export const listOf = (value: fc.Arbitrary<FileValue>, max = 3): fc.Arbitrary<FileValue[]> =>
  fc.array(value, { maxLength: max })
