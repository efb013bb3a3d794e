import { isDeepStrictEqual } from 'node:util'
import { inputSchema } from '#foundation/api/openapi/input_schema'
import type { JsonSchema } from '#foundation/api/openapi/collect_schemas'
import {
  isWrite,
  type AnyOperation,
  type BodyDeclaration,
  type InputValidator,
} from '#foundation/api/operation/declaration'
import { parameterNames } from '#foundation/api/operation/parameters'
import { operationOf, type Tool } from '../tools/tool.js'

/** Schema keywords that describe and require nothing. */
const WORDS = ['description', 'title', '$id', 'example', 'examples']

/**
 * Keywords that tools leave to refusals. A listed schema may be wider than what is accepted, never
 * narrower.
 */
const LEFT_TO_REFUSALS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'uniqueItems',
  'pattern',
  'minimum',
  'maximum',
]
/** Keywords that only tools add. Their operations ignore unknown members. */
const OF_TOOLS = ['additionalProperties']
const NOT_COMPARED = new Set([...WORDS, ...LEFT_TO_REFUSALS, ...OF_TOOLS])

/** Returns whether an enumeration is too long to be listed. It is then shown as text. */
const isLong = (name: string, member: unknown) =>
  name === 'enum' && Array.isArray(member) && member.length > 20

/** Returns whether a member has one legal value that is also its default. It is then left out. */
const isItsDefault = ({ enum: words, default: usual }: JsonSchema) =>
  (words as unknown[] | undefined)?.length === 1 && (words as unknown[])[0] === usual

/**
 * Returns a schema without the keywords that are not compared. Members with such names are kept.
 */
function bare(value: unknown, isMembers = false): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      !isMembers && (NOT_COMPARED.has(name) || (name === 'required' && isNone(member)))
        ? []
        : !isMembers && isLong(name, member)
          ? [['type', 'string']]
          : isMembers && isItsDefault(member as JsonSchema)
            ? []
            : [[name, bare(member, name === 'properties' && !isMembers)]]
    )
  )
}

/** Returns the members with one legal value, anywhere in a schema. */
export function singleWordsIn(value: unknown, name = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((each) => singleWordsIn(each))
  if (typeof value !== 'object' || value === null) return []
  const { enum: words } = value as JsonSchema
  const inner = Object.entries(value).flatMap(([each, member]) => singleWordsIn(member, each))
  return Array.isArray(words) && words.length === 1 ? [name, ...inner] : inner
}

/** Returns the objects of a body that do not exclude further members. */
export function openObjectsIn(value: unknown, isMembers = false): object[] {
  if (Array.isArray(value)) return value.flatMap((each) => openObjectsIn(each))
  if (typeof value !== 'object' || value === null) return []
  const isOpen =
    !isMembers && 'properties' in value && (value as JsonSchema).additionalProperties !== false
  const inner = Object.entries(value).flatMap(([name, member]) =>
    openObjectsIn(member, name === 'properties' && !isMembers)
  )
  return isOpen ? [value, ...inner] : inner
}

const isNone = (member: unknown) => Array.isArray(member) && member.length === 0

/** Returns the schemas a tool may show for a member: one per operation that differs. */
function variants(schema: JsonSchema | undefined): unknown[] {
  if (schema === undefined) return []
  return [
    bare(schema),
    ...((schema.anyOf as JsonSchema[] | undefined) ?? []).map((each) => bare(each)),
  ]
}

function bodyOf(operation: AnyOperation): unknown {
  const body = operation.body as BodyDeclaration<unknown> | undefined
  if (body?.kind === 'text') return { type: 'string' }
  if (body?.kind !== 'json') return undefined
  return bare(inputSchema(body.validator))
}

const isOptional = ({ body }: AnyOperation) =>
  (body as { optional?: boolean } | undefined)?.optional === true

/** Returns whether a list can only hold one word. */
const hasOneValue = ({ items }: JsonSchema) =>
  ((items as JsonSchema | undefined)?.enum as unknown[] | undefined)?.length === 1

/** Lists the differences between the input of a tool and that of its operations. */
export function differences(tool: Tool, listed: JsonSchema): string[] {
  const found: string[] = []
  const properties = listed.properties as Record<string, JsonSchema>
  const known = new Set(['fields'])
  const bodies: unknown[] = []
  const demand = (holds: boolean, what: string) => {
    if (!holds) found.push(what)
  }
  const names = Object.keys(tool.actions)
  // An argument with only one legal value is left out.
  if (names.length > 1) {
    known.add('action')
    demand(isDeepStrictEqual(properties.action?.enum, names), 'action')
  }
  const needed: string[][] = []
  demand(listed.additionalProperties === false, 'additionalProperties')
  for (const [name, action] of Object.entries(tool.actions)) {
    const operation = operationOf(action)
    const query = operation.query && inputSchema(operation.query as InputValidator<unknown>)
    const own = { ...(query?.properties as Record<string, JsonSchema> | undefined) }
    for (const [each, schema] of Object.entries(own)) if (hasOneValue(schema)) delete own[each]
    const ids = parameterNames(operation.path).filter((each) => each !== 'orgId')
    for (const each of ids) own[each] = { type: 'string' }
    needed.push([...ids, ...((query?.required as string[] | undefined) ?? [])])
    for (const [each, schema] of Object.entries(own)) {
      known.add(each)
      const isShown = variants(properties[each]).some((one) => isDeepStrictEqual(one, bare(schema)))
      demand(isShown, `${name}: ${each}`)
    }
    const body = bodyOf(operation)
    if (body !== undefined) {
      known.add('body')
      if (!isOptional(operation)) needed.at(-1)!.push('body')
      bodies.push(body)
      const isShown = variants(properties.body).some((one) => isDeepStrictEqual(one, body))
      demand(isShown, `${name}: body`)
    }
    if (isWrite(operation)) for (const each of ['dryRun', 'plan', 'ifMatch']) known.add(each)
  }
  const always = needed[0].filter((each) => needed.every((all) => all.includes(each)))
  const required = [...(names.length > 1 ? ['action'] : []), ...always]
  demand(isDeepStrictEqual(listed.required, required), 'required')
  for (const each of Object.keys(properties)) demand(known.has(each), `${each} is of no operation`)
  const shown =
    properties.body && !bodies.some((one) => isDeepStrictEqual(one, bare(properties.body)))
  for (const one of shown
    ? ((properties.body.anyOf as JsonSchema[] | undefined) ?? [properties.body])
    : [])
    demand(
      bodies.some((body) => isDeepStrictEqual(body, bare(one))),
      'a body is of no operation'
    )
  return found
}
