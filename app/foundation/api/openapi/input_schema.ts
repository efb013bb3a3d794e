import type { InputValidator } from '../operation/declaration.js'
import type { JsonSchema } from './collect_schemas.js'

/**
 * The JSON Schema of an input. VineJS writes draft-07 and says that unknown members are
 * refused; the service ignores them, so the document must not say otherwise.
 */
export function inputSchema(validator: InputValidator<unknown>): JsonSchema {
  return mend(validator.toJSONSchema()) as JsonSchema
}

function mend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mend)
  if (typeof value !== 'object' || value === null) return value
  if ('x-json-schema' in value) return value['x-json-schema']
  const mended: JsonSchema = {}
  for (const [keyword, member] of Object.entries(value)) {
    if (keyword === '$schema') continue
    if (keyword === 'additionalProperties' && member === false) continue
    mended[keyword] = mend(member)
  }
  if (Array.isArray(mended.type) && mended.type.includes('null') && Array.isArray(mended.enum)) {
    if (!mended.enum.includes(null)) mended.enum = [...mended.enum, null]
  }
  return apartFromNull(mended)
}

/** A named model that may be null: the name is the model's alone. */
function apartFromNull(schema: JsonSchema): JsonSchema {
  if (!('$id' in schema) || !Array.isArray(schema.type)) return schema
  const [type] = schema.type
  return { anyOf: [{ ...schema, type }, { type: 'null' }] }
}
