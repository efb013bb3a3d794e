import { isDeepStrictEqual } from 'node:util'
import { builtSchema, descriptionInPlace } from '../../core/schemas.js'

/** A JSON Schema as plain data. */
export type JsonSchema = { [keyword: string]: unknown }

/** Kinds of components that operations share beside schemas. */
export type Shared = 'parameters' | 'headers' | 'responses' | 'examples'

/**
 * Copies schemas into the document. A named schema (`$id`) is added once to `components.schemas`,
 * and replaced by a reference wherever it is used.
 */
export class SchemaCollector {
  readonly schemas: Record<string, JsonSchema> = {}
  readonly shared: Record<Shared, Record<string, unknown>> = {
    parameters: {},
    headers: {},
    responses: {},
    examples: {},
  }

  use(schema: unknown): JsonSchema {
    return this.#copy(schema) as JsonSchema
  }

  /** Adds a schema under a name. */
  add(name: string, schema: unknown): JsonSchema {
    if (!(name in this.schemas)) {
      this.schemas[name] = {}
      this.schemas[name] = this.#copyMembers(schema as JsonSchema)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /**
   * Adds something that operations share to `components`.
   * @throws Error if the name has another value
   */
  share(kind: Shared, name: string, value: unknown): JsonSchema {
    const before = (this.shared[kind][name] ??= value)
    if (!isDeepStrictEqual(before, value)) throw new Error(`${kind} ${name} stands for two things`)
    return { $ref: `#/components/${kind}/${name}` }
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#copy(each))
    if (typeof value !== 'object' || value === null) return value
    const copy = this.#copyObject(value as JsonSchema)
    const description = descriptionInPlace(value)
    return description === undefined ? copy : { ...copy, description }
  }

  #copyObject(schema: JsonSchema): JsonSchema {
    const built = builtSchema(schema)
    if (built) return this.#copy(built) as JsonSchema
    if (typeof schema.$id === 'string') return this.add(schema.$id, schema)
    return this.#copyMembers(schema)
  }

  #copyMembers(schema: JsonSchema): JsonSchema {
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== '$id') copy[keyword] = this.#copy(value)
    }
    return simplifyUnion(copy)
  }
}

/**
 * Writes `anyOf` of plain types, such as `[{type: T}, {type: null}]`, as `type: [T, null]`, which
 * reads better. The description of a nullable model moves beside its `anyOf`.
 */
function simplifyUnion(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  const variants = anyOf as JsonSchema[]
  if (variants.every((each) => each.type && Object.keys(each).length === 1)) {
    return { ...rest, type: variants.map(({ type }) => type) }
  }
  const [first, second] = variants
  if (variants.length !== 2 || second.type !== 'null') return schema
  if (typeof first.type !== 'string') {
    const { description, ...model } = first
    return { ...(description ? { description } : {}), ...rest, anyOf: [model, second] }
  }
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {}
  return { ...first, ...rest, ...values, type: [first.type, 'null'] }
}
