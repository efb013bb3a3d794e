import { described } from '../../core/schemas.js'
import type { InputValidator } from '../operation/declaration.js'
import { SAID } from '../operation/input.js'
import type { JsonSchema, SchemaCollector } from './collect_schemas.js'

/**
 * Returns the JSON Schema of an input. VineJS writes draft-07 and declares that unknown members are
 * refused; that is removed, because the service ignores them.
 */
export function inputSchema(validator: InputValidator<unknown>): JsonSchema {
  return mend(validator.toJSONSchema()) as JsonSchema
}

function mend(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(mend)
  if (typeof value !== 'object' || value === null) return value
  const mended: JsonSchema = {}
  for (const [keyword, member] of Object.entries(value)) {
    if (keyword === '$schema' || keyword === SAID) continue
    if (keyword === 'additionalProperties' && member === false) continue
    mended[keyword] = mend(member)
  }
  if (Array.isArray(mended.type) && mended.type.includes('null') && Array.isArray(mended.enum)) {
    if (!mended.enum.includes(null)) mended.enum = [...mended.enum, null]
  }
  const said = (value as JsonSchema)[SAID] as string | undefined
  const byHand = mended['x-json-schema'] as JsonSchema | undefined
  const schema = byHand ?? apartFromNull(mended)
  return said === undefined ? schema : described(said, schema as never)
}

/** Separates null from a named model, so that the name refers to the model without null. */
function apartFromNull(schema: JsonSchema): JsonSchema {
  if (!('$id' in schema) || !Array.isArray(schema.type)) return schema
  const [type] = schema.type
  const { enum: values, ...model } = schema
  const words = Array.isArray(values) ? { enum: values.filter((each) => each !== null) } : {}
  return { anyOf: [{ ...model, ...words, type }, { type: 'null' }] }
}

/**
 * Gives fields of an input without a description that of the field of the same name in the entity
 * that the input creates or changes.
 */
export function describeLike(
  input: JsonSchema,
  entity: JsonSchema,
  collector: SchemaCollector
): void {
  const [target, source] = [input, entity].map((each) => modelOf(each, collector))
  const known = (source.properties ?? {}) as Record<string, JsonSchema>
  for (const [name, field] of Object.entries((target.properties ?? {}) as typeof known)) {
    if (!(name in known)) continue
    const { description } = known[name]
    if (!('description' in field) && description !== undefined) field.description = description
    describeLike(field, known[name], collector)
  }
  if (target.items && source.items) {
    const [item, shown] = [target.items as JsonSchema, source.items as JsonSchema]
    if (!('description' in item) && shown.description) item.description = shown.description
    describeLike(item, shown, collector)
  }
}

/** Returns the schema behind a nullable one. */
function modelOf(schema: JsonSchema, collector: SchemaCollector): JsonSchema {
  if (typeof schema.$ref === 'string') {
    return modelOf(collector.schemas[schema.$ref.split('/').at(-1)!], collector)
  }
  if (Array.isArray(schema.anyOf)) return modelOf(schema.anyOf[0] as JsonSchema, collector)
  return schema
}
