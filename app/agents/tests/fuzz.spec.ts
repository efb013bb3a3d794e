import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { JsonSchema } from '#foundation/api/openapi/collect_schemas'
import type {
  AnyOperation,
  BodyDeclaration,
  InputValidator,
} from '#foundation/api/operation/declaration'
import type { Api } from '#tests/support/api'
import { jsonOf, mutated, nasty, nastyText, valid } from '#tests/support/arbitrary_json'
import { Fixtures } from '#tests/support/fixtures'
import { exampleBody } from '#tests/support/references'
import { makeWorld } from '#tests/support/world'
import { tools } from '../tools/catalog.js'
import { operationOf } from '../tools/tool.js'
import { headersFor, messageOf, readAnswer, refusalOf } from './support.js'
import { isLong } from '#tests/support/effort'

/*
 * Tools answer any input of an agent and say what is wrong with it. Nothing causes an error of the
 * service or the protocol. FUZZ_SEED=<number> runs other calls, FUZZ_RUNS=<number> runs more.
 */

const SEED = Number(process.env.FUZZ_SEED ?? 20261122)
const RUNS = Number(process.env.FUZZ_RUNS ?? (isLong ? 24 : 8))

const noReferences = (ref: string): never => {
  throw new Error(`${ref} is of no input`)
}

/** Generates the usual value, and once in `times` another one. */
const mostly = <Value>(usual: fc.Arbitrary<Value>, times: number, other: fc.Arbitrary<Value>) =>
  fc.oneof({ arbitrary: usual, weight: times - 1 }, { arbitrary: other, weight: 1 })

/** Generates optional members. */
const sometimes = (members: Record<string, fc.Arbitrary<unknown>>) =>
  fc.record(members, { requiredKeys: [] })

function bodies(operation: AnyOperation, example: unknown): fc.Arbitrary<unknown> {
  const body = operation.body as BodyDeclaration<unknown> | undefined
  if (!body) return mostly<unknown>(fc.constant(undefined), 8, nasty)
  if (body.kind !== 'json') return fc.oneof(fc.constant(example), nastyText, nasty)
  const good = fc.oneof(valid(inputSchema(body.validator), noReferences), fc.constant(example))
  return fc.oneof(good, mutated(good), mutated(fc.constant(example)), nasty)
}

/** Generates arguments of an action: mostly existing ids and valid values. */
function calls(
  operation: AnyOperation,
  action: string,
  ids: Record<string, string>,
  example: unknown
) {
  const query = operation.query && inputSchema(operation.query as InputValidator<unknown>)
  const params = Object.entries(ids).map(([name, id]) => [
    name,
    mostly<unknown>(fc.constant(id), 12, nasty),
  ])
  const requested = Object.entries((query?.properties ?? {}) as Record<string, JsonSchema>).map(
    ([name, schema]) => [name, mostly(valid(schema, noReferences), 3, nasty)]
  )
  return fc
    .record({
      action: mostly<unknown>(fc.constant(action), 20, nasty),
      params: fc.record(Object.fromEntries(params) as Record<string, fc.Arbitrary<unknown>>),
      query: sometimes(Object.fromEntries(requested) as Record<string, fc.Arbitrary<unknown>>),
      body: bodies(operation, example),
      own: sometimes({
        fields: mostly<unknown>(fc.array(fc.constantFrom('id', 'data.id', 'a.b')), 3, nasty),
        dryRun: mostly<unknown>(fc.boolean(), 3, nasty),
        plan: nasty,
        ifMatch: mostly<unknown>(fc.constantFrom('*', '"x"'), 3, nasty),
      }),
      more: mostly<object>(fc.constant({}), 10, fc.dictionary(nastyText, nasty, { maxKeys: 2 })),
    })
    .map(({ params: path, query: said, body, own, more, ...rest }) => ({
      ...path,
      ...said,
      ...own,
      ...more,
      ...rest,
      ...(body !== undefined && { body }),
    }))
}

async function sent(api: Api, text: string, headers: Record<string, string>) {
  const response = await api.send<any>('POST', '/mcp', { raw: text, headers, uncounted: true })
  if (response.status >= 500) throw new Error(`${text} got ${response.status}: ${response.text}`)
  return response
}

const levelsOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? 1 + Math.max(0, ...Object.values(value).map(levelsOf))
    : 0

/** Checks that a call is answered like a tool, unless its message is nested deeper than allowed. */
async function answersAsTool(assert: Assert, api: Api, name: string, args: object) {
  const text = jsonOf(messageOf('tools/call', { name, arguments: args }))
  const { status, body } = await sent(api, text, headersFor('tools/call', name))
  if (levelsOf(JSON.parse(text)) > 32) {
    assert.deepEqual([status, body.code], [422, 'too_complex'], text)
    return
  }
  assert.equal(status, 200, text)
  assert.isUndefined(body.error, `${text} got ${JSON.stringify(body.error)}`)
  const { isError, content } = readAnswer(body.result)
  if (!isError) return
  const reported = refusalOf(body.result)
  assert.isBelow(reported.status, 500, `${text} got ${content[0].text}`)
  assert.isString(reported.next)
}

test.group('Calls of any kind', () => {
  for (const tool of tools) {
    test(`get an answer of ${tool.name}`, async ({ assert }) => {
      const fixtures = new Fixtures(await makeWorld())
      for (const [action, declared] of Object.entries(tool.actions)) {
        const operation = operationOf(declared)
        const ids = await fixtures.params(operation.path)
        const body = operation.body as BodyDeclaration<unknown> | undefined
        const example =
          body?.kind === 'text' ? body.example : await exampleBody(operation, fixtures.get)
        await fc.assert(
          fc.asyncProperty(calls(operation, action, ids, example), (args) =>
            answersAsTool(assert, fixtures.world.admin, tool.name, args)
          ),
          { seed: SEED, numRuns: RUNS, endOnFailure: true }
        )
      }
    }).timeout(120_000)
  }
})

test.group('Messages of any kind', () => {
  const uris = fc.oneof(
    nastyText,
    fc.constantFrom(
      'tarmac://app/%00/configuration',
      'tarmac://app/%ff/configuration',
      'tarmac://app/a/release/a%3A1/timeline'
    )
  )
  const argument = { name: fc.constantFrom('appId', 'releaseId', 'x'), value: nastyText }
  const METHODS: Record<string, fc.Arbitrary<unknown>> = {
    'tools/call': fc.record({ name: fc.constantFrom('find_releases', 'x'), arguments: nasty }),
    'tools/list': fc.record({ cursor: nasty }, { requiredKeys: [] }),
    'resources/read': fc.record({ uri: uris }),
    'prompts/get': fc.record({
      name: fc.constantFrom('go_no_go', 'constructor', 'x'),
      arguments: fc.dictionary(fc.constantFrom('appId', 'releaseId'), nastyText),
    }),
    'completion/complete': fc.record({
      ref: fc.constant({ type: 'ref/prompt', name: 'go_no_go' }),
      argument: fc.record(argument),
      context: fc.record({ arguments: fc.record({ appId: nastyText }) }),
    }),
    'initialize': fc.record({ protocolVersion: nasty, capabilities: nasty, clientInfo: nasty }),
    'subscriptions/listen': fc.record({ notifications: nasty }),
    'server/discover': fc.constant({}),
    'nothing/of_this': nasty,
  }

  for (const [method, params] of Object.entries(METHODS)) {
    test(`get an answer or an error of the protocol: ${method}`, async ({ assert }) => {
      const { admin } = await makeWorld()
      const message = fc
        .tuple(fc.oneof(params, mutated(params)), fc.boolean())
        .map(([given, isOfToday]) =>
          isOfToday
            ? messageOf(method, given as Record<string, unknown>)
            : { jsonrpc: '2.0', id: 1, method, params: given }
        )
      await fc.assert(
        fc.asyncProperty(
          fc.oneof(message, mutated(message)),
          fc.boolean(),
          async (value, named) => {
            const name = (value as any)?.params?.name ?? (value as any)?.params?.uri
            // A longer header is refused by the HTTP server, before anything is read of the message.
            const plain =
              typeof name === 'string' && /^[ -~]{1,8000}$/.test(name) ? name : undefined
            const headers = named
              ? headersFor(method, plain)
              : {
                  'content-type': 'application/json',
                  'accept': 'application/json, text/event-stream',
                }
            const { body, text } = await sent(admin, jsonOf(value), headers)
            // This is the protocol's code for an internal error. The SDK also uses it for
            // parameters of another shape.
            if (body?.error?.code === -32603) assert.match(body.error.message, /"params"/, text)
          }
        ),
        { seed: SEED, numRuns: RUNS * 4, endOnFailure: true }
      )
    }).timeout(60_000)
  }
})
