/*
 * The part of JSON Schema (draft 7) in which a plugin describes its input. It is small enough to be
 * checked, shown as a form, and put into one sentence; a validator of VineJS writes it with
 * `toJSONSchema()`.
 */

/** Texts of a property for forms. */
interface Described {
  'title'?: string
  'description'?: string
  /** The value is a secret: it is taken, and never shown again. */
  'x-secret'?: boolean
  'writeOnly'?: boolean
  /**
   * A mark of a member of `connectionSchema`: only the operator of the service gives it, at the
   * console, such as a path of its machine. A regular expression marks such values of a text alone.
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
  /** Other properties are refused, whether this is said or not. */
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
