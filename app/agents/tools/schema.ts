import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { JsonSchema } from '#foundation/api/openapi/collect_schemas'
import {
  isWrite,
  type AnyOperation,
  type BodyDeclaration,
  type InputValidator,
} from '#foundation/api/operation/declaration'
import { parameters } from '#foundation/api/operation/parameters'
import { operationOf, type Tool, type ToolAction } from './tool.js'

/** Default page size when no limit is given. */
export const USUAL_LIMIT = 10

/** Maximum number of members in `fields`. */
export const MAX_FIELDS = 30

/** The inputs of an operation, by location. */
interface Inputs {
  path: Record<string, JsonSchema>
  /** Path members that the key itself determines. They have one legal value and may be omitted. */
  own: ReadonlySet<string>
  query: Record<string, JsonSchema>
  requiredQuery: ReadonlySet<string>
  /** Absent when it takes none. */
  body?: JsonSchema
  bodyRequired: boolean
}

const cache = new Map<string, Inputs>()

/** Returns the inputs of an operation, from its declaration. */
export function partsOf(operation: AnyOperation): Inputs {
  let found = cache.get(operation.id)
  if (!found) cache.set(operation.id, (found = readParts(operation)))
  return found
}

function readParts(operation: AnyOperation): Inputs {
  const path: Inputs['path'] = {}
  const own = new Set<string>()
  for (const [name, declared] of parameters.in(operation.path)) {
    if (declared.own) own.add(name)
    else path[name] = { type: 'string', description: firstSentence(declared.description) }
  }
  const query = operation.query && inputSchema(operation.query as InputValidator<unknown>)
  const requested = Object.fromEntries(
    Object.entries((query?.properties ?? {}) as Record<string, JsonSchema>).filter(
      ([, schema]) => !hasSingleValue(schema)
    )
  )
  const body = operation.body as BodyDeclaration<unknown> | undefined
  return {
    path,
    own,
    query: briefMembers(requested, 0) as Inputs['query'],
    requiredQuery: new Set((query?.required as string[]) ?? []),
    ...(body && { body: bodySchema(body) }),
    bodyRequired: body !== undefined && !(body.kind === 'json' && body.optional),
  }
}

function bodySchema(body: BodyDeclaration<unknown>): JsonSchema {
  if (body.kind === 'text') {
    return { type: 'string', description: `The ${body.format.toUpperCase()} file, as text.` }
  }
  if (body.kind !== 'json') throw new Error('An agent sends no files')
  return brief(inputSchema(body.validator)) as JsonSchema
}

/** Maximum depth at which members keep descriptions. Deeper ones are clear from their names. */
const DEPTH = 1

const DOCUMENT_KEYWORDS = new Set(['$id', 'example', 'examples', 'title'])

/** Keywords that refusals explain well enough. They would make tool lists half as long again. */
const REFUSAL_KEYWORDS = new Set([
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
])

/** Longer enumerations are not listed: refusals name their values. */
const MAX_WORDS = 20

/**
 * Returns a schema with short descriptions, without keywords that only documents show or that
 * refusals explain.
 */
function brief(value: unknown, depth = 0): unknown {
  if (Array.isArray(value)) return value.map((each) => brief(each, depth))
  if (typeof value !== 'object' || value === null) return value
  const result: JsonSchema = {}
  for (const [keyword, member] of Object.entries(value)) {
    if (DOCUMENT_KEYWORDS.has(keyword) || REFUSAL_KEYWORDS.has(keyword)) continue
    if (isNoBound(keyword, member)) continue
    if (keyword === 'required' && (member as unknown[]).length === 0) continue
    if (keyword === 'description') {
      if (depth <= DEPTH) result.description = firstSentence(String(member))
    } else if (keyword === 'enum' && (member as unknown[]).length > MAX_WORDS)
      result.type = 'string'
    else if (keyword === 'properties') result.properties = briefMembers(member as object, depth + 1)
    else result[keyword] = brief(member, keyword === 'items' ? depth + 1 : depth)
  }
  // Tools read bodies strictly, at every depth.
  return 'properties' in result ? { additionalProperties: false, ...result } : result
}

/** Returns whether a bound only restates the range of safe integers. */
const isNoBound = (keyword: string, member: unknown) =>
  (keyword === 'maximum' || keyword === 'minimum') &&
  Math.abs(Number(member)) >= Number.MAX_SAFE_INTEGER

const briefMembers = (members: object, depth: number) =>
  Object.fromEntries(
    Object.entries(members)
      .filter(([, schema]) => !isItsDefault(schema as JsonSchema))
      .map(([name, schema]) => [name, brief(schema, depth)])
  )

/** Returns whether a member has only one legal value, which is also its default. */
const isItsDefault = ({ enum: words, default: usual }: JsonSchema): boolean =>
  Array.isArray(words) && words.length === 1 && words[0] === usual

/** Returns the first sentence of a text, without asides in brackets. */
function firstSentence(text: string): string {
  const [first] = text.replace(/ \([^()]*\)/g, '').split(/(?<=[.;])\s/)
  return first.replace(/[.;]?$/, '.')
}

/** Returns whether the items of a list have only one legal value, so that it says nothing. */
const hasSingleValue = ({ type, items }: JsonSchema): boolean =>
  type === 'array' &&
  ((items as JsonSchema | undefined)?.enum as unknown[] | undefined)?.length === 1

const flag = (description: string): JsonSchema => ({ type: 'boolean', description })
const word = (description: string): JsonSchema => ({ type: 'string', description })

/** Returns the members every tool has besides those of its operations. */
function common(actions: Tool['actions']): Record<string, JsonSchema> {
  const writes = Object.values(actions).some((each) => isWrite(operationOf(each)))
  return {
    fields: {
      type: 'array',
      items: { type: 'string' },
      description: 'Only these members of the answer, as `a.b`.',
    },
    ...(writes && {
      dryRun: flag('Only show what would happen.'),
      plan: word('Token of the plan that was shown, to carry it out.'),
      ifMatch: word('`entityTag` that was read.'),
    }),
  }
}

/**
 * Returns the input schema of a tool: the action, its operation's inputs, and the body as `body`.
 * @param actions the actions that are shown; a single one needs no name
 */
export function toolInput(actions: Tool['actions']): JsonSchema {
  const properties: Record<string, JsonSchema> = {}
  const bodies: JsonSchema[] = []
  for (const [name, action] of Object.entries(actions)) {
    const { path, query, body } = partsOf(operationOf(action))
    for (const [each, schema] of Object.entries({ ...path, ...query }))
      properties[each] = either(properties[each], schema)
    if (body && !bodies.some((known) => sameSchema(known, body))) {
      bodies.push({ title: name, ...body })
    }
  }
  const names = Object.keys(actions)
  const always = neededByAll(actions)
  const isOne = names.length === 1
  return {
    type: 'object',
    properties: {
      ...(!isOne && { action: actionMember(actions, always) }),
      ...properties,
      ...(bodies.length > 0 && { body: bodies.length === 1 ? bodies[0] : { anyOf: bodies } }),
      ...common(actions),
    },
    required: [...(isOne ? [] : ['action']), ...always],
    additionalProperties: false,
  }
}

function actionMember(actions: Tool['actions'], always: readonly string[]): JsonSchema {
  const lines = Object.entries(actions).map(
    ([name, action]) => `${name}: ${needsOf(action, always)}`
  )
  return { type: 'string', enum: Object.keys(actions), description: lines.join('\n') }
}

/** Returns the inputs that all of the actions require. */
function neededByAll(actions: Tool['actions']): string[] {
  const [first = [], ...others] = Object.values(actions).map(neededBy)
  return first.filter((name) => others.every((each) => each.includes(name)))
}

const sameSchema = ({ title: _title, ...known }: JsonSchema, body: JsonSchema) =>
  JSON.stringify(known) === JSON.stringify(body)

const joinDescriptions = (one: string, other: string) =>
  one.includes(other) ? one : `${one} ${other}`

/** Merges a member that operations of one tool take in different forms: either form is allowed. */
function either(known: JsonSchema | undefined, schema: JsonSchema): JsonSchema {
  if (!known) return schema
  const { description, ...requested } = schema
  const { description: says = description, ...shown } = known
  const variants = (shown.anyOf as JsonSchema[] | undefined) ?? [shown]
  const isKnown = variants.some((each) => JSON.stringify(each) === JSON.stringify(requested))
  return isKnown
    ? known
    : {
        description: joinDescriptions(String(says), String(description)),
        anyOf: [...variants, requested],
      }
}

function neededBy(action: ToolAction): string[] {
  const { path, requiredQuery, bodyRequired } = partsOf(operationOf(action))
  return [...Object.keys(path), ...requiredQuery, ...(bodyRequired ? ['body'] : [])]
}

/** Describes an action: its purpose, and the inputs it requires beyond those of all actions. */
function needsOf(action: ToolAction, always: readonly string[]): string {
  const needed = neededBy(action).filter((name) => !always.includes(name))
  const needs = needed.length > 0 ? `Needs ${needed.join(', ')}.` : ''
  const steps = operationOf(action).steps?.brief ?? ''
  return [action.says, needs, steps].filter((each) => each !== '').join(' ')
}
