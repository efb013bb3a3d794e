import { test } from '@japa/runner'
import vine from '@vinejs/vine'
import { Ajv, type AnySchema } from 'ajv'
import fc from 'fast-check'
import { checkObjectSchema } from '../check_schema.js'
import { checkValue } from '../check_value.js'
import type { ObjectSchema, ValueSchema } from '../schema.js'

const ajv = new Ajv({ strict: false, ownProperties: true })

const name = fc.constantFrom('a', 'b', 'token', 'toString', 'x-region')
const word = fc.constantFrom('', 'a', 'ab', 'abc', '😀', 'eu-1')
const bounds = fc.tuple(fc.nat(3), fc.nat(3)).map(([one, other]) => [one, one + other])
const some = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined })

/** Returns an object without the members that were left undefined. */
const dense = <Value extends object>(value: Value): Value =>
  Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined)) as Value

const textSchema = fc
  .record({
    bounds: some(bounds),
    pattern: some(fc.constantFrom('^a', 'b$', '^.{2}$')),
    words: some(fc.uniqueArray(word, { minLength: 1 })),
  })
  .map(({ bounds: limits, pattern, words }) =>
    dense({
      type: 'string' as const,
      minLength: limits?.[0],
      maxLength: limits?.[1],
      pattern,
      enum: words,
    })
  )

const { schema } = fc.letrec<{ schema: ObjectSchema; value: ValueSchema }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    textSchema,
    fc.constant<ValueSchema>({ type: 'boolean' }),
    bounds.map<ValueSchema>(([minimum, maximum]) => ({ type: 'integer', minimum, maximum })),
    fc
      .tuple(bounds, fc.oneof(textSchema, tie('schema')))
      .map<ValueSchema>(([[minItems, maxItems], items]) => ({
        type: 'array',
        minItems,
        maxItems,
        items,
      })),
    tie('schema')
  ),
  schema: fc
    .dictionary(name, tie('value'), { maxKeys: 3, noNullPrototype: true })
    .chain((properties) =>
      fc.subarray(Object.keys(properties)).map((required): ObjectSchema => ({
        type: 'object',
        properties,
        required,
        additionalProperties: false,
      }))
    ),
}))

const value: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  any: fc.oneof(
    { depthSize: 'small' },
    word,
    fc.boolean(),
    fc.integer({ min: -1, max: 5 }),
    fc.constantFrom(null, 1.5),
    fc.array(tie('any'), { maxLength: 3 }),
    fc.dictionary(name, tie('any'), { maxKeys: 3, noNullPrototype: true })
  ),
})).any

/** Returns a value that fits the schema more often than a random one. */
function fitting(of: ValueSchema): fc.Arbitrary<unknown> {
  switch (of.type) {
    case 'string':
      return of.enum ? fc.constantFrom(...of.enum) : word
    case 'boolean':
      return fc.boolean()
    case 'integer':
      return fc.integer({ min: of.minimum, max: of.maximum })
    case 'array':
      return fc.array(fitting(of.items), { minLength: of.minItems, maxLength: of.maxItems })
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(of.properties).map(([key, each]) => [key, fitting(each)])
        ),
        { requiredKeys: [...(of.required ?? [])], noNullPrototype: true }
      )
  }
}

test.group('Plugin kit | schemas', () => {
  test('a value is valid exactly if JSON Schema says so', ({ assert }) => {
    const verdicts = { valid: 0, invalid: 0 }
    const pairs = schema.chain((each) =>
      fc.tuple(fc.constant(each), fc.oneof(value, fitting(each)))
    )
    fc.assert(
      fc.property(pairs, ([of, given]) => {
        const expected = ajv.validate(of as AnySchema, given)
        verdicts[expected ? 'valid' : 'invalid'] += 1
        assert.deepEqual(checkObjectSchema(of), [])
        assert.equal(checkValue(of, given).length === 0, expected)
      }),
      { numRuns: 400 }
    )
    assert.isAbove(verdicts.valid, 40)
    assert.isAbove(verdicts.invalid, 40)
  })

  test('a problem names its place and never the value', ({ assert }) => {
    const of: ObjectSchema = {
      type: 'object',
      required: ['token'],
      properties: {
        token: { type: 'string', maxLength: 3 },
        hosts: { type: 'array', items: { type: 'string', minLength: 2 } },
      },
    }
    const problems = checkValue(of, { token: 'hunter22', hosts: ['ok', ''], other: 'hunter22' })
    assert.deepEqual(
      problems.map(({ path }) => path.join('.')),
      ['token', 'hosts.1', 'other']
    )
    assert.notInclude(JSON.stringify(problems), 'hunter22')
    assert.deepEqual(checkValue(of, {}), [{ path: ['token'], message: 'is required' }])
  })

  test('a schema outside of the kit’s is refused: {$i}')
    .with([
      [null, 'has to be a schema'],
      [{ type: 'string' }, 'has to be of type object'],
      [{ type: 'object' }, 'needs properties'],
      [{ type: 'object', properties: {}, additionalProperties: true }, 'additional'],
      [{ type: 'object', properties: {}, required: ['a'] }, 'requires a'],
      [{ type: 'object', properties: {}, required: 'a' }, 'not a list of names'],
      [{ type: 'object', properties: { a: { type: 'number' } } }, 'has a type other than'],
      [{ type: 'object', properties: { a: { type: 'string', format: 'x' } } }, 'keyword format'],
      [{ type: 'object', properties: { a: { type: 'string', pattern: '(' } } }, 'not a regular'],
      [
        { type: 'object', properties: { a: { type: 'string', enum: [] } } },
        'not a list of strings',
      ],
      [
        { type: 'object', properties: { a: { type: 'string', minLength: -1 } } },
        'not a valid bound',
      ],
      [{ type: 'object', properties: { a: { type: 'integer', minimum: 2, maximum: 1 } } }, 'above'],
      [{ type: 'object', properties: { a: { type: 'array' } } }, 'needs items'],
      [{ type: 'object', properties: { a: { 'type': 'string', 'x-secret': 1 } } }, 'x-secret'],
      [
        { type: 'object', properties: { a: { 'type': 'boolean', 'x-operator': '^/' } } },
        'x-operator',
      ],
      [{ type: 'object', properties: { constructor: { type: 'string' } } }, 'not allowed'],
    ] as [unknown, string][])
    .run(({ assert }, [of, message]) => {
      const reported = checkObjectSchema(of).map((each) => each.message)
      assert.include(reported.join('; '), message)
    })

  test('the schemas of VineJS for text, numbers and lists are accepted', ({ assert }) => {
    const validator = vine.create({
      host: vine.string().maxLength(200).optional(),
      port: vine.number().withoutDecimals().optional(),
      regions: vine.array(vine.string()).maxLength(3),
      token: vine.string().meta({ 'x-secret': true, 'title': 'Token' }),
    })
    const written = validator.toJSONSchema() as { properties: Record<string, object> }
    assert.deepEqual(checkObjectSchema(written), [])
    assert.containsSubset(written.properties.token, { 'type': 'string', 'x-secret': true })
  })
})
