import {
  Type,
  type IntegerOptions,
  type NumberOptions,
  type StringOptions,
  type TProperties,
  type TSchema,
  type TUnsafe,
} from '@sinclair/typebox'
import { enumerationId } from './enumerations.js'

/*
 * The building blocks of the API's entities. Each takes the description of its field, for
 * integrators: what the field is, its unit, and when it is null.
 */

/** A named schema of the OpenAPI document: everything that uses it refers to it by name. */
export function named<Schema extends TSchema>(name: string, schema: Schema): Schema {
  return { ...schema, $id: name }
}

/** A named object. */
export const entity = <Members extends TProperties>(
  name: string,
  description: string,
  members: Members
) => named(name, Type.Object(members, { description }))

/** A named model with further members. */
export const extending = (name: string, description: string, model: TSchema, more: TProperties) =>
  named(name, { description, allOf: [model, Type.Object(more)] } as unknown as TSchema)

const DESCRIPTION = Symbol('description')

/** Describes a schema in the place it is used; a named schema keeps its own description as well. */
export function described<Schema extends TSchema>(description: string, schema: Schema): Schema {
  const isNamed = '$id' in schema || BUILD in schema
  return isNamed ? { ...schema, [DESCRIPTION]: description } : { ...schema, description }
}

/** Returns the description of a schema in the place it is used, if `described` gave one. */
export function descriptionInPlace(schema: object): string | undefined {
  return DESCRIPTION in schema ? (schema[DESCRIPTION] as string) : undefined
}

const BUILD = Symbol('build')

/**
 * A schema that is built only when the document is made, because modules may add to its parts
 * until then.
 */
export function deferred<Value>(build: () => TSchema): TUnsafe<Value> {
  return { [BUILD]: build } as unknown as TUnsafe<Value>
}

/** Returns the built schema of a deferred one; null for any other schema. */
export function builtSchema(schema: object): unknown {
  return BUILD in schema ? (schema[BUILD] as () => TSchema)() : null
}

/** A required member that may be null; its description says when. */
export const nullable = <Schema extends TSchema>(schema: Schema) =>
  Type.Union([schema, Type.Null()])

/** Text with a maximum number of characters. */
export const text = (description: string, maxLength: number, options: StringOptions = {}) =>
  Type.String({ description, maxLength, ...options })

/** Text that is never empty. */
export const nonEmpty = (description: string, maxLength: number) =>
  text(description, maxLength, { minLength: 1 })

/** An opaque id; those of releases are longer and not opaque. */
export const id = (description: string) => nonEmpty(description, 100)

/** An RFC 3339 date-time in UTC with milliseconds. */
export const instant = (description?: string) =>
  Type.String({ ...(description && { description }), format: 'date-time' })

/** An e-mail address; `format: email` would refuse valid addresses beyond ASCII. */
export const email = (description: string) => text(description, 320, { minLength: 3 })

/** The address of a page or file. */
export const url = (description: string) => text(description, 2048, { format: 'uri' })

export const flag = (description: string) => Type.Boolean({ description })

/** A whole number from 0. */
export const count = (description: string, options: IntegerOptions = {}) =>
  Type.Integer({ description, minimum: 0, ...options })

export const percentage = (description: string, options: NumberOptions = {}) =>
  Type.Number({ description, minimum: 0, maximum: 100, ...options })

export const list = <Schema extends TSchema>(
  description: string,
  schema: Schema,
  maxItems: number
) => Type.Array(schema, { description, maxItems })

/** An unnamed object, described in place. */
export const object = <Members extends TProperties>(description: string, members: Members) =>
  Type.Object(members, { description })

/** A closed list of words; an `enumeration` is referred to by its name. */
export function enumOf<const Values extends readonly string[]>(
  values: Values,
  description?: string
) {
  const schema = Type.Unsafe<Values[number]>({
    type: 'string',
    enum: [...values],
    ...enumerationId(values),
  })
  return description === undefined ? schema : described(description, schema)
}

/** A page of a named entity. */
export function pageOf<Schema extends TSchema>(schema: Schema) {
  return Type.Object(
    {
      data: list('Entries of the page; empty after the last page.', schema, 200),
      pagination: described('Position of the page in the list.', Pagination),
    },
    { description: 'One page of a list.' }
  )
}

export const Pagination = entity('Pagination', 'Position of a page in its list.', {
  limit: Type.Integer({
    description: 'Maximum entries of a page, as requested; 50 by default, at most 200.',
    minimum: 1,
    maximum: 200,
  }),
  hasMore: flag('Whether more entries follow.'),
  nextCursor: nullable(
    nonEmpty('Pass as `cursor`, with the same filters, for the next page; null on the last.', 1000)
  ),
})

export const ActorEntity = entity('Actor', 'Who performed an action.', {
  type: enumOf(
    ['user', 'apiKey', 'automation', 'system'],
    'A person, an API key, an automation, or the service itself.'
  ),
  id: nullable(id('Id of the user or API key; null for automations and the service.')),
  name: text('Display name of the person, key or automation.', 320),
})
