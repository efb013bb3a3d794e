/*
 * The part of JSON Schema (draft 7) in which a plugin describes its input. It is small enough to be
 * checked, shown as a form and described in a sentence. VineJS validators produce it with
 * `toJSONSchema()`.
 */

/** Texts of a property for forms. */
interface Described {
  'title'?: string
  'description'?: string
  /** The value is a secret: it can be set, and is never shown again. */
  'x-secret'?: boolean
  'writeOnly'?: boolean
  /**
   * Marks a member of `connectionSchema` that only the operator of the service may set, at the
   * console, such as a path of its machine. A regular expression marks only the text values that
   * match.
   */
  'x-operator'?: true | string
}

export interface TextSchema extends Described {
  type: 'string'
  /** Counted in Unicode characters. */
  minLength?: number
  maxLength?: number
  /** A regular expression, read with the flag `u`. */
  pattern?: string
  enum?: readonly string[]
}

export interface IntegerSchema extends Described {
  type: 'integer'
  minimum?: number
  maximum?: number
}

export interface FlagSchema extends Described {
  type: 'boolean'
}

export interface ListSchema extends Described {
  type: 'array'
  items: TextSchema | ObjectSchema
  minItems?: number
  maxItems?: number
}

export interface ObjectSchema extends Described {
  type: 'object'
  properties: Readonly<Record<string, ValueSchema>>
  required?: readonly string[]
  /** Other properties are always refused, with or without this member. */
  additionalProperties?: false
}

export type ValueSchema = TextSchema | IntegerSchema | FlagSchema | ListSchema | ObjectSchema

/** An object without properties. */
export const NOTHING: ObjectSchema = { type: 'object', properties: {} }

/** A fault of a value or a schema, and its location. */
export interface SchemaProblem {
  path: (string | number)[]
  message: string
}
