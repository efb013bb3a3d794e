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

/** What a schema says of itself, and does not ask for. */
const WORDS = new Set(['description', 'title', '$id', 'example', 'examples'])

/** A schema without its words; a member of that name is no word. */
function bare(value: unknown, isMembers = false): unknown {
  if (Array.isArray(value)) return value.map((each) => bare(each))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) =>
      !isMembers && WORDS.has(name)
        ? []
        : [[name, bare(member, name === 'properties' && !isMembers)]]
    )
  )
}

/** The schemas that a tool may show for a member: one for each of its operations that differs. */
function variants(schema: JsonSchema | undefined): unknown[] {
  if (schema === undefined) return []
  return [
    bare(schema),
    ...((schema.anyOf as JsonSchema[] | undefined) ?? []).map((each) => bare(each)),
  ]
}

function bodyOf(operation: AnyOperation): unknown {
  const body = operation.body as BodyDeclaration<unknown> | undefined
  if (body?.kind === 'yaml') return { type: 'string' }
  if (body?.kind !== 'json') return undefined
  const one = bare(inputSchema(body.validator))
  const { maxList } = body.validator
  return maxList === undefined
    ? one
    : { anyOf: [one, { type: 'array', items: one, maxItems: maxList }] }
}

/** Where the input of a tool is not that of the operations it stands for. */
export function differences(tool: Tool, listed: JsonSchema): string[] {
  const found: string[] = []
  const properties = listed.properties as Record<string, JsonSchema>
  const known = new Set(['action', 'fields'])
  const bodies: unknown[] = []
  const demand = (holds: boolean, what: string) => {
    if (!holds) found.push(what)
  }
  demand(isDeepStrictEqual(properties.action?.enum, Object.keys(tool.actions)), 'action')
  demand(isDeepStrictEqual(listed.required, ['action']), 'required')
  demand(listed.additionalProperties === false, 'additionalProperties')
  for (const [name, action] of Object.entries(tool.actions)) {
    const operation = operationOf(action)
    const query = operation.query && inputSchema(operation.query as InputValidator<unknown>)
    const own = { ...(query?.properties as Record<string, JsonSchema> | undefined) }
    for (const each of parameterNames(operation.path)) own[each] = { type: 'string' }
    for (const [each, schema] of Object.entries(own)) {
      known.add(each)
      const isShown = variants(properties[each]).some((one) => isDeepStrictEqual(one, bare(schema)))
      demand(isShown, `${name}: ${each}`)
    }
    const body = bodyOf(operation)
    if (body !== undefined) {
      known.add('body')
      bodies.push(body)
      const isShown = variants(properties.body).some((one) => isDeepStrictEqual(one, body))
      demand(isShown, `${name}: body`)
    }
    if (isWrite(operation)) for (const each of ['dryRun', 'plan', 'ifMatch']) known.add(each)
  }
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
