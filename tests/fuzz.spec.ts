import { test } from '@japa/runner'
import fc from 'fast-check'
import { wholeDocument } from '#tests/support/whole_document'
import { writtenOut } from '#foundation/api/openapi/written_out'
import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { AnyOperation, UploadDeclaration } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Api, ApiOptions } from '#tests/support/api'
import { jsonOf, mutated, nastyText, valid, type Schema } from '#tests/support/arbitrary_json'
import { Fixtures, paramsOf } from '#tests/support/fixtures'
import { form } from '#tests/support/form'
import { bodyReferences, exampleBody, withValue } from '#tests/support/references'
import { exampleJson, PICTURE } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'
import { isLong } from './support/effort.js'

/*
 * Valid and broken requests for every operation, generated from the OpenAPI document. The client
 * checks that each answer is declared and matches its schema. This file checks that no answer is a
 * 5xx, and that every error is a problem document.
 * FUZZ_SEED=<number> generates other requests, FUZZ_RUNS=<number> sets how many per operation.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20261120)
/** What differs between the databases is known after fewer requests. */
const USUAL_RUNS = process.env.DATABASE_URL ? 5 : 10
const RUNS = Number(process.env.FUZZ_RUNS ?? (isLong ? 60 : USUAL_RUNS))

/** Operations that answered some request with success: without it, the requests test little. */
const succeeded = new Set<string>()

interface OperationObject {
  parameters: { name: string; in: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example: unknown }> }
}
const document = writtenOut(wholeDocument()) as {
  paths: Record<string, Record<string, OperationObject>>
  components: { schemas: Record<string, Schema> }
}
const all = operations.all()
const resolve = (ref: string) => document.components.schemas[ref.split('/').at(-1)!]

const JUNK_IDS = [
  'absent_0',
  'acme-ios:1.4.0',
  'a:b:c',
  ':',
  '%00',
  'a%00b',
  '%ff',
  '%',
  '%zz',
  '%c0%ae%c0%ae',
  '..%2f..%2fetc',
  // `%2e%2e` alone would be another path.
  '%2e%2e.',
  '%F0%9F%98%80',
  '%E2%80%AE',
  '%ed%a0%80',
  '__proto__',
  'constructor',
  '-1',
  '9'.repeat(30),
  '%20',
  "'%22--",
  '*',
  'x'.repeat(3000),
]

/** Generates `usual`, but `other` once in `times`. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, times: number, other: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: usual, weight: times - 1 }, { arbitrary: other, weight: 1 })

/** Path parameters of operations that need no organization. */
const OTHER_IDS: Record<string, string> = { code: 'not_found', fileName: 'icon.png' }

/** Returns values of path parameters by name; an empty one is replaced by its fixture. */
function arbitraryParams(names: string[]): fc.Arbitrary<Record<string, string>> {
  const made = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => encodeURIComponent(text))
  const junk = fc.oneof(
    fc.constantFrom(...JUNK_IDS),
    // A segment of dots alone would be another path.
    made.filter((text) => !/^\.+$/.test(text))
  )
  const members = names.map((name) => [name, mostly(fc.constant(''), 14, junk)])
  return fc.record(Object.fromEntries(members))
}

function arbitraryQuery({ parameters }: OperationObject): fc.Arbitrary<string> {
  const declared = parameters.filter((each) => each.in === 'query')
  const encoded = (value: unknown) =>
    encodeURIComponent(String(value).toWellFormed()).replaceAll("'", '%27')
  const pairs = declared.map(({ name, schema }) => {
    const item = schema.type === 'array' ? schema.items : schema
    const value = fc.oneof(
      { arbitrary: valid(item, resolve).map(encoded), weight: 5 },
      { arbitrary: nastyText.map(encoded), weight: 2 },
      { arbitrary: fc.constantFrom('%', '%ff', '%00', '-1', '0', '1e400', '1e99', ''), weight: 2 }
    )
    const spelling = fc.constantFrom(name, name, name, name, `${name}[]`, `${name}[a][b]`)
    const pair = fc.tuple(spelling, value).map(([key, text]) => `${key}=${text}`)
    return mostly<string[]>(fc.constant([]), 3, fc.array(pair, { maxLength: 2 }))
  })
  const strange = mostly<string[]>(
    fc.constant([]),
    5,
    fc.constantFrom('__proto__=1', 'x[__proto__]=1', '&&', '=', 'a=%').map((each) => [each])
  )
  return fc.tuple(strange, ...pairs).map((lists) => {
    // Node itself refuses headers of more than 16 KiB.
    const query = lists.flat().join('&').slice(0, 8000)
    return query === '' ? '' : `?${query}`
  })
}

/** Each header is mostly absent. */
const arbitraryHeaders: fc.Arbitrary<Record<string, string>> = fc
  .record(
    Object.fromEntries(
      Object.entries({
        'idempotency-key': ['one', 'two', '', ' ', 'é', 'x'.repeat(255), 'x'.repeat(256)],
        'if-match': ['*', '"x"', 'W/"x"', '"', 'x', '"a", "b"'],
        'if-none-match': ['*', '"x"', 'W/"x"', '"', ','],
        'accept': ['*/*', 'application/json', 'text/html', 'x', ';q=2', 'image/*;q=0'],
        'x-request-id': ['abc', '', 'x'.repeat(200), 'é'],
        'prefer': ['respond-async', '='],
      }).map(([name, values]) => [
        name,
        mostly<string | null>(fc.constant(null), 8, fc.constantFrom(...values)),
      ])
    )
  )
  .map((headers) =>
    Object.fromEntries(Object.entries(headers).filter((each) => each[1] !== null))
  ) as fc.Arbitrary<Record<string, string>>

/** Returns a text with pieces removed or replaced. */
function mangled(text: string): fc.Arbitrary<string> {
  const cut = fc.tuple(
    fc.nat({ max: text.length }),
    fc.nat({ max: 30 }),
    fc.oneof(
      nastyText,
      fc.constantFrom(
        '&a [*a]',
        '*a',
        '? ',
        '- - -',
        ': {',
        '\t',
        '!!js/function x',
        '<<: *a',
        '---\n',
        '"',
        '|2\n',
        '[{'.repeat(60)
      ),
      fc.constant('')
    )
  )
  return fc
    .array(cut, { maxLength: 3 })
    .map((cuts) =>
      cuts.reduce((now, [at, length, put]) => now.slice(0, at) + put + now.slice(at + length), text)
    )
}

type RequestBody = Pick<ApiOptions, 'raw' | 'headers'>

function arbitraryBody(
  operation: AnyOperation,
  shown: OperationObject,
  examples: unknown[]
): fc.Arbitrary<RequestBody> {
  const content = shown.requestBody?.content
  if (!content) return fc.constant({})
  const json = content['application/json']
  if (json) {
    const good = fc.oneof(valid(json.schema, resolve), fc.constantFrom(...examples))
    return fc
      .tuple(
        fc.oneof(good, mutated(good), mutated(fc.constantFrom(...examples))),
        fc.constantFrom(
          ...Array(12).fill('application/json'),
          'application/json; charset=utf-16',
          'text/plain',
          ''
        ),
        mostly<number | null>(fc.constant(null), 12, fc.nat({ max: 40 }))
      )
      .map(([value, type, cut]): RequestBody => {
        const text = jsonOf(value)
        return {
          raw: cut === null ? text : text.slice(0, -cut - 1),
          headers: type === '' ? {} : { 'content-type': type },
        }
      })
  }
  const body = operation.body as AnyOperation['body'] | undefined
  const example = body?.kind === 'text' ? body.example : 'GIF89a'
  const text = fc.oneof(mangled(example), nastyText)
  const multipart = fc
    .tuple(
      text,
      fc.constantFrom('file', 'file', 'file', 'data', 'x'.repeat(80), 'a[30000000]'),
      fc.boolean()
    )
    .chain(([inner, field, isMangled]) => {
      const whole = `--b\r\ncontent-disposition: form-data; name="${field}"; filename="\u202ea.yml"\r\n\r\n${inner}\r\n--b--\r\n`
      return (isMangled ? mangled(whole) : fc.constant(whole)).map((raw) => ({
        raw,
        headers: { 'content-type': 'multipart/form-data; boundary=b' },
      }))
    })
  if (body?.kind === 'upload') return fc.oneof(multipart, arbitraryUpload(body, examples))
  return fc.oneof(
    text.map((raw) => ({ raw, headers: { 'content-type': 'application/yaml' } })),
    multipart
  )
}

/**
 * Returns a well-formed form with a picture or another file, some data, and now and then a digest.
 */
function arbitraryUpload(
  { data }: UploadDeclaration<never>,
  examples: unknown[]
): fc.Arbitrary<RequestBody> {
  const good = data
    ? fc.oneof(valid(inputSchema(data.validator), resolve), fc.constantFrom(...examples))
    : fc.constant({})
  const text = fc.oneof(good.map(jsonOf), mutated(good).map(jsonOf), nastyText)
  const file = mostly<Buffer | string>(fc.constant(PICTURE), 3, nastyText)
  const digest = mostly<string | null>(
    fc.constant(null),
    5,
    fc.constantFrom('sha-256=:AAAA:', 'sha-256', 'sha-512=:x:', ',,=')
  )
  return fc
    .record({
      file,
      text: fc.option(text, { nil: undefined }),
      dataLast: fc.boolean(),
      fileName: fc.constantFrom('a.bin', '..', '\u202ea.png', 'x'.repeat(300)),
      digest,
    })
    .map((part) => {
      const { raw, headers } = form(part, part.text, part)
      return part.digest === null
        ? { raw, headers }
        : { raw, headers: { ...headers, 'repr-digest': part.digest } }
    })
}

/** Returns the example of an operation with every reference its body could hold. */
async function filledExample(operation: AnyOperation, fixtures: Fixtures): Promise<unknown> {
  let filled = exampleJson(operation)
  for (const { path, value } of bodyReferences(operation)) {
    filled = withValue(filled, path, await value(fixtures.get))
  }
  return filled
}

async function ask(api: Api, operation: AnyOperation, path: string, request: ApiOptions) {
  const response = await api.send(operation.method, path, { ...request, uncounted: true })
  const what = `${operation.method} ${path} answered ${response.status}: ${response.text.slice(0, 500)}`
  if (response.status >= 500) throw new Error(what)
  if (response.status < 300) succeeded.add(operation.id)
  if (response.status < 400) return
  const type = response.headers['content-type'] ?? ''
  const isBatch = operation.responses[response.status] !== undefined
  if (!type.startsWith('application/problem+json') && !isBatch) throw new Error(what)
}

/**
 * Generated requests rarely succeed here: these operations need a signature, a state, a key or a
 * store, and have tests of their own.
 */
const HARD_TO_REACH = new Set([
  // These need a store with a build.
  'submitRelease',
  'submitStepRun',
  'developerRejectSubmission',
  'developerRejectStepRunSubmission',
  'takeOffRelease',
  'takeOffStepRun',
  'setSelectedBuilds',
  'replyToAppStoreReview',
  'distributeBetaBuild',
  'changeRollout',
  'changeStepRunRollout',
  // These need flags of a service, messages of a protocol or a state.
  'updateFeatureFlag',
  'callAgentProtocol',
  'beginDeviceLogin',
  'takeProviderCallback',
  'takeConnectionCallback',
  'beginProviderAuthorization',
  'finishProviderAuthorization',
  'updateIntegrationAuth',
])

test.group('requests of any kind', () => {
  for (const operation of all) {
    test(`get a declared answer from ${operation.id}`, async () => {
      const fixtures = new Fixtures(await makeWorld())
      const ids = await fixtures.params(operation.path, OTHER_IDS)
      const shown = document.paths[operation.path][operation.method.toLowerCase()]
      const examples = [
        await exampleBody(operation, fixtures.get),
        await filledExample(operation, fixtures),
      ]

      const request = fc.record({
        params: arbitraryParams(paramsOf(operation.path)),
        query: arbitraryQuery(shown),
        headers: arbitraryHeaders,
        body: arbitraryBody(operation, shown, examples),
      })
      await fc.assert(
        fc.asyncProperty(request, async ({ params, query, headers, body }) => {
          const path = operation.path.replace(
            /\{(\w+)\}/g,
            (_, name: string) => params[name] || encodeURIComponent(ids[name])
          )
          await ask(fixtures.world.admin, operation, path + query, {
            raw: body.raw,
            headers: { ...headers, ...body.headers },
          })
        }),
        { seed: SEED, numRuns: RUNS, endOnFailure: true }
      )
    }).timeout(60_000)
  }

  if (!process.argv.includes('--tests')) {
    test('succeed at least once for nearly every operation', ({ assert }) => {
      const reachable = all.filter(({ id }) => !HARD_TO_REACH.has(id))
      const missed = reachable.filter(({ id }) => !succeeded.has(id)).map(({ id }) => id)
      // Fewer requests reach fewer operations.
      const share = RUNS < 10 ? 1 / 3 : RUNS < 20 ? 1 / 4 : 1 / 6
      assert.isAtMost(missed.length, all.length * share, missed.join(', '))
    })
  }
})
