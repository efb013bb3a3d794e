import { isDeepStrictEqual } from 'node:util'
import { builtSchema, saidHere } from '../../core/schemas.js'

/** A JSON Schema as plain data. */
export type JsonSchema = { [keyword: string]: unknown }

/** Kinds of components that operations share beside schemas. */
export type Shared = 'parameters' | 'headers' | 'responses' | 'examples'

/**
 * Copies schemas into the document: a named one (`$id`) moves to `components.schemas`
 * once, and stands as a reference wherever it is used.
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

  /** Puts a schema under a name. */
  add(name: string, schema: unknown): JsonSchema {
    if (!(name in this.schemas)) {
      this.schemas[name] = {}
      this.schemas[name] = this.#copyMembers(schema as JsonSchema)
    }
    return { $ref: `#/components/schemas/${name}` }
  }

  /** Puts what several operations have into `components`, once. @throws where one has another */
  share(kind: Shared, name: string, value: unknown): JsonSchema {
    const before = (this.shared[kind][name] ??= value)
    if (!isDeepStrictEqual(before, value)) throw new Error(`${kind} ${name} stands for two things`)
    return { $ref: `#/components/${kind}/${name}` }
  }

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#copy(each))
    if (typeof value !== 'object' || value === null) return value
    const copy = this.#copyObject(value as JsonSchema)
    const description = saidHere(value)
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
 * `anyOf [{type: T}, {type: null}]` reads better as `type: [T, null]`, as do types alone; what
 * a model says in this place stands beside the choice between it and null.
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
