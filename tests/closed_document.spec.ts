import { test } from '@japa/runner'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { closedDocument } from './support/closed_document.js'
import { assertDeclared } from './support/contract.js'

/*
 * Every answer of the whole test run is validated against the API document with all objects closed
 * (`support/contract.ts`): nothing leaves the service that is not described. These tests show that
 * an undescribed member is detected.
 */

const json = (schema: object) => ({ 'application/json': { schema } })
const text = { type: 'string' }
const object = (properties: object, more = {}) => ({ type: 'object', properties, ...more })

/** Returns whether a closed document accepts a body. */
function accepts(schema: object, schemas: object, body: unknown): boolean {
  const document = {
    paths: { '/a': { get: { responses: { 200: { content: json(schema) } } } } },
    webhooks: {},
    components: { schemas, responses: {} },
  }
  const ajv = new Ajv2020({ strict: false, validateSchema: false })
  ajv.addSchema(closedDocument(document), 'd')
  const place = '#/paths/~1a/get/responses/200/content/application~1json/schema'
  return ajv.compile({ $ref: `d${place}` })(body) as boolean
}

test.group('A document with its objects closed', () => {
  const Base = object({ id: text })
  const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
  const cases: [what: string, schema: object, body: unknown, stray: unknown][] = [
    ['an object', object({ a: text }), { a: '' }, { a: '', b: '' }],
    [
      'an object in a list',
      { type: 'array', items: ref('Base') },
      [{ id: '' }],
      [{ id: '', b: '' }],
    ],
    ['an object in a member', object({ m: ref('Base') }), { m: { id: '' } }, { m: { b: 1 } }],
    [
      'an object made of several',
      { allOf: [ref('Base'), object({ a: text })] },
      { id: '', a: '' },
      { id: '', a: '', b: '' },
    ],
    [
      'one of several objects',
      { oneOf: [object({ a: text }, { required: ['a'] }), { type: 'null' }] },
      { a: '' },
      { a: '', b: '' },
    ],
    ['an empty object', object({ m: object({}) }), { m: {} }, { m: { b: 1 } }],
  ]
  for (const [what, schema, body, stray] of cases) {
    test(`accepts ${what} as described, and no other member`, ({ assert }) => {
      assert.isTrue(accepts(schema, { Base }, body))
      assert.isFalse(accepts(schema, { Base }, stray))
    })
  }

  test('leaves objects open whose members the document does not describe', ({ assert }) => {
    assert.isTrue(accepts(object({ data: {} }), {}, { data: { any: { thing: 1 } } }))
    const map = { type: 'object', additionalProperties: true }
    assert.isTrue(accepts(object({ data: map }), {}, { data: { any: 1 } }))
  })

  test('is used to validate answers', ({ assert }) => {
    const result = {
      method: 'GET',
      path: '/app/acme/release/acme:1.0.0/metadata',
      status: 200,
      contentType: 'application/json',
    }
    const entries = [{ key: 'a', value: 'b' }]
    assert.equal(assertDeclared({ ...result, body: { entries } }), 'getReleaseMetadata')
    assert.throws(() => assertDeclared({ ...result, body: { entries, rowId: 1 } }), /rowId/)
    const inside = { entries: [{ ...entries[0], storedAt: 1 }] }
    assert.throws(() => assertDeclared({ ...result, body: inside }), /storedAt/)
  })
})
