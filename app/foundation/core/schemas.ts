import { Type, type SchemaOptions, type TSchema, type TUnsafe } from '@sinclair/typebox'
import { enumerationId } from './enumerations.js'

/** A named schema of the OpenAPI document: everything that uses it refers to it by name. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, $id: name }
}

const BUILD = Symbol('build')

/**
 * A schema that is written down only when a document is made: parts may add to what it is
 * built from until then.
 */
export function deferred<Value>(build: () => TSchema): TUnsafe<Value> {
  return { [BUILD]: build } as unknown as TUnsafe<Value>
}

/** What a deferred schema is by now; null for any other. */
export function builtSchema(schema: object): unknown {
  return BUILD in schema ? (schema[BUILD] as () => TSchema)() : null
}

/** A required member that may be null. */
export const nullable = <Schema extends TSchema>(schema: Schema, options: SchemaOptions = {}) =>
  Type.Union([schema, Type.Null()], options)

export const instant = (options: SchemaOptions = {}) =>
  Type.String({ format: 'date-time', ...options })

/** A closed list of words; an enumeration stands under its name. */
export function words<const Values extends readonly string[]>(
  values: Values,
  options: SchemaOptions = {}
) {
  return Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...enumerationId(values),
    ...options,
  })
}

/** A page of a named entity. */
export function pageOf<Schema extends TSchema>(schema: Schema) {
  return Type.Object({
    data: Type.Array(schema, { maxItems: 200 }),
    pagination: Pagination,
  })
}

export const Pagination = named(
  'Pagination',
  Type.Object({
    limit: Type.Integer({ minimum: 1, maximum: 200 }),
    hasMore: Type.Boolean(),
    nextCursor: nullable(Type.String()),
  })
)

export const ActorEntity = named(
  'Actor',
  Type.Object({
    type: words(['user', 'apiKey', 'automation', 'system']),
    id: nullable(Type.String()),
    name: Type.String(),
  })
)
