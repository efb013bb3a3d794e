import fc from 'fast-check'

export type Schema = { [keyword: string]: any }
type Resolve = (ref: string) => Schema

/** Placeholder for a number that JSON can write but JavaScript cannot hold. */
const HUGE = '@@1e400@@'

/**
 * Returns the JSON text of a generated value, with the numbers that JSON.stringify cannot write.
 */
export function jsonOf(value: unknown): string {
  return (JSON.stringify(value) ?? 'undefined').replaceAll(`"${HUGE}"`, '1e400')
}

const NASTY_TEXTS = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\u202eexe.fdp',
  '\u2066isolate\u2069',
  '\ufeff',
  '\ud800',
  'x\udfff',
  '\u{10ffff}',
  'e\u0301'.repeat(40),
  '👩‍👩‍👧‍👦',
  "'; drop table releases; --",
  '%s%n%x',
  '${7*7}{{7*7}}',
  '../../etc/passwd',
  '__proto__',
  'constructor',
  'toString',
  'null',
  'NaN',
  '-0',
  '1e309',
  '9'.repeat(40),
  '\r\nX-Injected: 1',
  '<script>alert(1)</script>',
]

const nastyText = fc.oneof(
  fc.constantFrom(...NASTY_TEXTS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => {
    return String.fromCharCode(...units)
  })
)

const nastyNumber = fc.oneof(
  fc.constantFrom(
    0,
    -1,
    1.5,
    -0.5,
    2 ** 31,
    -(2 ** 31) - 1,
    2 ** 53,
    2 ** 63,
    2 ** 64,
    1e308,
    -1e308
  ),
  fc.constant(HUGE),
  fc.double({ noNaN: true, noDefaultInfinity: true })
)

/**
 * Returns an object with an own member whose name is special in JavaScript, such as `__proto__`.
 */
function withMember(name: string, value: unknown): object {
  const object = {}
  Object.defineProperty(object, name, {
    value,
    enumerable: true,
    configurable: true,
    writable: true,
  })
  return object
}

const deep = (depth: number): unknown => (depth === 0 ? 1 : [{ a: deep(depth - 1) }])

/** Any JSON value, often one that is known to break programs. */
export const nasty: fc.Arbitrary<unknown> = fc.oneof(
  { arbitrary: nastyText, weight: 4 },
  { arbitrary: nastyNumber, weight: 3 },
  { arbitrary: fc.constantFrom<unknown>(null, true, false, [], {}, [[]], [null], [{}]), weight: 3 },
  {
    arbitrary: fc
      .constantFrom('__proto__', 'constructor', 'hasOwnProperty', '')
      .map((name) => withMember(name, { polluted: true })),
    weight: 1,
  },
  { arbitrary: fc.constantFrom(20, 200).map(deep), weight: 1 },
  { arbitrary: fc.constant('x'.repeat(20_000)), weight: 1 },
  { arbitrary: fc.jsonValue({ maxDepth: 2 }), weight: 1 }
)

/** Returns values that a schema allows. Some texts reach or exceed the longest allowed length. */
export function valid(given: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const schema = given.$ref ? resolve(given.$ref) : given
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if ('const' in schema) return fc.constant(schema.const)
  const variants: Schema[] | undefined = schema.anyOf ?? schema.oneOf
  if (variants) return fc.oneof(...variants.map((each) => valid(each, resolve)))
  const types: string[] = [schema.type].flat()
  return fc.oneof(...types.map((type) => validOf(type, schema, resolve)))
}

function validOf(type: string, schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  switch (type) {
    case 'null':
      return fc.constant(null)
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.oneof(
        fc.constantFrom(schema.minimum, schema.maximum),
        fc.maxSafeInteger().map((n) => Math.min(schema.maximum, Math.max(schema.minimum, n)))
      )
    case 'number':
      return fc.double({ min: schema.minimum, max: schema.maximum, noNaN: true })
    case 'string':
      return validText(schema)
    case 'array':
      return fc.array(valid(schema.items, resolve), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems, Math.max(3, schema.minItems ?? 0)),
      })
    default:
      return validObject(schema, resolve)
  }
}

function validText(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.format === 'date-time') {
    return fc.oneof(
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        '2026-11-20T18:50:14Z',
        '2024-02-29T23:59:59.999999999+14:00',
        '0000-01-01T00:00:00-12:00'
      )
    )
  }
  if (schema.pattern?.includes('0-9a-fA-F')) return fc.constantFrom('abcdef1', 'A'.repeat(64))
  const min: number = schema.minLength ?? 0
  const max: number = schema.maxLength
  return fc.oneof(
    { arbitrary: fc.string({ minLength: min, maxLength: Math.min(max, min + 30) }), weight: 4 },
    {
      arbitrary: fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(max, min + 8) }),
      weight: 2,
    },
    {
      arbitrary: fc.constantFrom('1.4.0', '1.4', '2', 'ada@acme.example', 'https://acme.example/x'),
      weight: 3,
    },
    {
      arbitrary: fc.constantFrom(
        'x'.repeat(max),
        'é'.repeat(max),
        'x'.repeat(max + 1),
        '😀'.repeat(max)
      ),
      weight: 1,
    }
  )
}

function validObject(schema: Schema, resolve: Resolve): fc.Arbitrary<unknown> {
  const properties: Record<string, Schema> = schema.properties ?? {}
  if (Object.keys(properties).length === 0 && typeof schema.additionalProperties === 'object') {
    return fc.dictionary(fc.string(), valid(schema.additionalProperties, resolve), { maxKeys: 3 })
  }
  const members = Object.entries(properties).map(([name, each]) => [name, valid(each, resolve)])
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [] })
}

type Path = (string | number)[]

function* placesOf(value: unknown, path: Path = []): Generator<Path> {
  yield path
  if (typeof value !== 'object' || value === null) return
  for (const [name, each] of Object.entries(value)) {
    yield* placesOf(each, [...path, Array.isArray(value) ? Number(name) : name])
  }
}

/** Returns a copy with the value at a path replaced; `undefined` removes the member. */
function changed(value: unknown, [head, ...rest]: Path, wanted: unknown): unknown {
  if (head === undefined) return wanted
  const copy = (Array.isArray(value) ? [...value] : { ...(value as object) }) as Record<
    string | number,
    unknown
  >
  if (rest.length === 0 && wanted === undefined) delete copy[head]
  else copy[head] = changed(copy[head], rest, wanted)
  return copy
}

/** Returns generated values with one to three of their parts replaced or removed. */
export function mutated(of: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const breaks = fc.array(fc.tuple(fc.nat(), fc.option(nasty, { nil: undefined, freq: 6 })), {
    minLength: 1,
    maxLength: 3,
  })
  return fc.tuple(of, breaks, fc.boolean()).map(([start, wanted, isExtended]) => {
    let value = start
    for (const [index, replacement] of wanted) {
      const places = [...placesOf(value)]
      value = changed(value, places[index % places.length], replacement)
    }
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    if (isExtended && isObject) {
      value = Object.assign(withMember('__proto__', { admin: true }), value, {
        id: 'forged',
        orgId: 'org_forged',
        status: 'completed',
      })
    }
    return value
  })
}

export { nastyText }
