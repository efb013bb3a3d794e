import { builtSchema } from '../../core/schemas.js'

/** A JSON Schema as plain data. */
export type JsonSchema = { [keyword: string]: unknown }

/**
 * Copies schemas into the document: a named one (`$id`) moves to `components.schemas`
 * once, and stands as a reference wherever it is used.
 */
export class SchemaCollector {
  readonly schemas: Record<string, JsonSchema> = {}

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

  #copy(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((each) => this.#copy(each))
    if (typeof value !== 'object' || value === null) return value
    const built = builtSchema(value)
    if (built) return this.#copy(built)
    const schema = value as JsonSchema
    if (typeof schema.$id === 'string') return this.add(schema.$id, schema)
    return this.#copyMembers(schema)
  }

  #copyMembers(schema: JsonSchema): JsonSchema {
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries(schema)) {
      if (keyword !== '$id') copy[keyword] = this.#copy(value)
    }
    return simplifyNull(copy)
  }
}

/** `anyOf [{type: T}, {type: null}]` reads better as `type: [T, null]`. */
function simplifyNull(schema: JsonSchema): JsonSchema {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length !== 2) return schema
  const [first, second] = anyOf as JsonSchema[]
  if (second.type !== 'null' || typeof first.type !== 'string') return schema
  const values = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {}
  return { ...rest, ...first, ...values, type: [first.type, 'null'] }
}
