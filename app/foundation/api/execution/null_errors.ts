import { jsonPointer } from '../../core/json_pointer.js'
import type { ProblemPlace } from '../../core/problems/problem.js'
import type { JsonSchema } from '../openapi/collect_schemas.js'

/**
 * Finds each null for a member that cannot be cleared. VineJS treats the null of an optional member
 * as absent, but a client that tries to clear a member must learn that it cannot.
 * @param schema of the value, as the document shows it
 */
export function nullErrors(schema: JsonSchema, value: unknown, pointer: string): ProblemPlace[] {
  if (value === null) {
    if (takesNull(schema)) return []
    const name = pointer.slice(1).replaceAll('/', '.')
    const message = `The ${name} field cannot be null: leave it out to keep its value`
    return [{ pointer, code: 'null', message }]
  }
  // Most bodies have no null, and need no walk along their schema.
  if (typeof value !== 'object' || !holdsNull(value)) return []
  const { items, properties, additionalProperties } = shapeOf(schema)
  if (Array.isArray(value)) {
    return items ? value.flatMap((each, at) => nullErrors(items, each, `${pointer}/${at}`)) : []
  }
  const errors: ProblemPlace[] = []
  for (const name of Object.keys(value)) {
    const known = Object.hasOwn(properties, name) ? properties[name] : additionalProperties
    if (!known) continue
    const member = (value as Record<string, unknown>)[name]
    errors.push(...nullErrors(known, member, pointer + jsonPointer(name)))
  }
  return errors
}

function holdsNull(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return value === null
  for (const name in value) if (holdsNull((value as Record<string, unknown>)[name])) return true
  return false
}

function takesNull({ type, anyOf, enum: words }: JsonSchema): boolean {
  if (Array.isArray(anyOf)) return anyOf.some((each: JsonSchema) => takesNull(each))
  if (Array.isArray(type)) return type.includes('null')
  if (type !== undefined) return type === 'null'
  return !Array.isArray(words) || words.includes(null)
}

interface Shape {
  items?: JsonSchema
  properties: Record<string, JsonSchema>
  additionalProperties?: JsonSchema
}

/**
 * Returns the shape of a value's members; for a nullable value, that of its first other variant.
 */
function shapeOf(schema: JsonSchema): Shape {
  const { anyOf } = schema
  const chosen: JsonSchema = Array.isArray(anyOf)
    ? (anyOf.find((each: JsonSchema) => each.type !== 'null') ?? {})
    : schema
  const { items, properties, additionalProperties } = chosen
  return {
    ...(isSchema(items) && { items }),
    properties: isSchema(properties) ? (properties as Record<string, JsonSchema>) : {},
    ...(isSchema(additionalProperties) && { additionalProperties }),
  }
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
