import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { JsonSchema } from '#foundation/api/openapi/collect_schemas'
import {
  isWrite,
  type AnyOperation,
  type BodyDeclaration,
  type InputValidator,
} from '#foundation/api/operation/declaration'
import { parameters } from '#foundation/api/operation/parameters'
import { operationOf, type Tool } from './tool.js'

/** Most entries of a page that is asked for without a limit. */
export const USUAL_LIMIT = 10

/** Most members that may be asked for by name. */
export const MOST_FIELDS = 30

/** What an operation is told, by where it belongs. */
interface Parts {
  path: Record<string, JsonSchema>
  /** Of the path: those that the key itself tells. */
  own: ReadonlySet<string>
  query: Record<string, JsonSchema>
  requiredQuery: ReadonlySet<string>
  /** Absent where it takes none. */
  body?: JsonSchema
  bodyRequired: boolean
}

const parts = new Map<string, Parts>()

/** What an operation takes, from its declaration. */
export function partsOf(operation: AnyOperation): Parts {
  let found = parts.get(operation.id)
  if (!found) parts.set(operation.id, (found = readParts(operation)))
  return found
}

function readParts(operation: AnyOperation): Parts {
  const path: Parts['path'] = {}
  const own = new Set<string>()
  for (const [name, declared] of parameters.in(operation.path)) {
    path[name] = { type: 'string', description: shortened(declared.description) }
    if (declared.own) own.add(name)
  }
  const query = operation.query && inputSchema(operation.query as InputValidator<unknown>)
  const body = operation.body as BodyDeclaration<unknown> | undefined
  return {
    path,
    own,
    query: briefMembers(query?.properties ?? {}, 0) as Parts['query'],
    requiredQuery: new Set((query?.required as string[]) ?? []),
    ...(body && { body: bodySchema(body) }),
    bodyRequired: body !== undefined && !(body.kind === 'json' && body.optional),
  }
}

function bodySchema(body: BodyDeclaration<unknown>): JsonSchema {
  if (body.kind === 'yaml') return { type: 'string', description: 'The YAML file, as text.' }
  if (body.kind !== 'json') throw new Error('An agent sends no files')
  const one = brief(inputSchema(body.validator)) as JsonSchema
  const { maxList } = body.validator
  return maxList === undefined
    ? one
    : { anyOf: [one, { type: 'array', items: one, maxItems: maxList }] }
}

/** Most characters that a member says of itself. */
const LONGEST = 48

/** How far inwards members say what they are: further in, names tell enough. */
const DEPTH = 1

const OF_DOCUMENTS = new Set(['$id', 'example', 'examples', 'title'])

/** A schema without what only documents show, and with short descriptions. */
function brief(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => brief(each, depth))
  if (typeof value !== 'object' || value === null) return value
  const kept: JsonSchema = {}
  for (const [keyword, member] of Object.entries(value)) {
    if (OF_DOCUMENTS.has(keyword)) continue
    if (keyword === 'description') {
      if (depth <= DEPTH) kept.description = shortened(String(member))
    } else if (keyword === 'properties') kept.properties = briefMembers(member, depth + 1)
    else kept[keyword] = brief(member, keyword === 'items' ? depth + 1 : depth)
  }
  return kept
}

const briefMembers = (members: object, depth: number) =>
  Object.fromEntries(Object.entries(members).map(([name, schema]) => [name, brief(schema, depth)]))

/** The first sentence, or as many words of it as there is room for. */
function shortened(text: string): string {
  const [first] = text.split(/(?<=[.;]) /)
  if (first.length <= LONGEST) return first
  return `${first.slice(0, first.lastIndexOf(' ', LONGEST))} …`
}

const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
const word = (description: string): JsonSchema => ({ type: 'string', description })

/** The members of every tool beside those of its operations. */
function common(tool: Tool): Record<string, JsonSchema> {
  const writes = Object.values(tool.actions).some((each) => isWrite(operationOf(each)))
  return {
    fields: {
      type: 'array',
      items: { type: 'string' },
      maxItems: MOST_FIELDS,
      description: 'Only these members of the answer or of each entry; `a.b` inwards.',
    },
    ...(writes && {
      dryRun: flag('Show what would happen; nothing is stored or sent.'),
      plan: word('Token of the plan to carry out.'),
      ifMatch: word('`entityTag` that was read: refused if it changed.'),
    }),
  }
}

/** The input of a tool: the action, what its operation is told, and the body under `body`. */
export function toolInput(tool: Tool): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const bodies: JsonSchema[] = []
  for (const [name, action] of Object.entries(tool.actions)) {
    const { path, query, body } = partsOf(operationOf(action))
    for (const [each, schema] of Object.entries({ ...path, ...query }))
      properties[each] = either(properties[each], schema)
    if (body && !bodies.some((known) => sameSchema(known, body))) {
      bodies.push({ title: name, ...body })
    }
  }
  const actions = Object.entries(tool.actions).map(
    ([name, action]) => `${name}: ${needsOf(action)}`
  )
  return {
    type: 'object',
    properties: {
      action: {
        type: 'string',
        enum: Object.keys(tool.actions),
        description: actions.join('\n'),
      },
      ...properties,
      ...(bodies.length > 0 && { body: bodies.length === 1 ? bodies[0] : { anyOf: bodies } }),
      ...common(tool),
    },
    required: ['action'],
    additionalProperties: false,
  }
}

const sameSchema = ({ title: _title, ...known }: JsonSchema, body: JsonSchema) =>
  JSON.stringify(known) === JSON.stringify(body)

/** A member that operations of one tool take in different ways may be either. */
function either(known: JsonSchema | undefined, schema: JsonSchema): JsonSchema {
  if (!known) return schema
  const { description, ...asked } = schema
  const { description: says = description, ...shown } = known
  const variants = (shown.anyOf as JsonSchema[] | undefined) ?? [shown]
  const isKnown = variants.some((each) => JSON.stringify(each) === JSON.stringify(asked))
  return isKnown ? known : { description: says, anyOf: [...variants, asked] }
}

/** What an action is for, and what it must be told. */
function needsOf(action: Tool['actions'][string]): string {
  const { path, own, requiredQuery, bodyRequired } = partsOf(operationOf(action))
  const needed = [
    ...Object.keys(path).filter((name) => !own.has(name)),
    ...requiredQuery,
    ...(bodyRequired ? ['body'] : []),
  ]
  const { steps } = operationOf(action)
  const confirmed = (steps?.take ?? 'one') === 'one' ? '' : ' Two steps.'
  return `${action.says}${needed.length > 0 ? ` Needs ${needed.join(', ')}.` : ''}${confirmed}`
}

const text: JsonSchema = { type: 'string' }
const list: JsonSchema = { type: 'array', items: { type: 'object' } }

/**
 * What every tool answers: `result` is the answer of `operation` as GET /openapi.json describes
 * it. `planned` is stored only when the token of the plan comes back. `sent` tells whether
 * webhooks would carry an event.
 */
export const TOOL_OUTPUT: JsonSchema = {
  type: 'object',
  properties: {
    outcome: { type: 'string', enum: ['answered', 'done', 'planned'] },
    operation: text,
    result: {},
    leftOut: { type: 'array', items: text },
    entityTag: text,
    plan: {
      type: 'object',
      properties: {
        token: text,
        validUntil: text,
        changes: list,
        destroys: list,
        calls: list,
        messages: list,
        events: list,
        leftOut: { type: 'integer' },
      },
      required: ['changes', 'destroys', 'calls', 'messages', 'events'],
      additionalProperties: false,
    },
  },
  required: ['outcome', 'operation'],
  additionalProperties: false,
}
