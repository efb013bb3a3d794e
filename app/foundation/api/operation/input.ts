import { MINUTE } from '../../core/durations.js'
import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { enumerationId } from '../../core/enumerations.js'
import { lengthOf, plain } from '../../core/text.js'
import { webUrlFault } from '../../core/web_url.js'

/*
 * The building blocks of every input: bounded, strict about JSON types, and with a JSON Schema that
 * matches the rule. `null` clears a nullable field; an absent field stays unchanged.
 */

/**
 * Adds members to the JSON Schema of an input without checking anything. It replaces VineJS' own
 * `meta`, which makes the field accept null.
 */
export const jsonSchema = vine.createRule(() => {}, {
  name: 'jsonSchema',
  toJSONSchema: (schema, members: object) => Object.assign(schema, members),
})

/** The key in a field's schema that holds the text of `says`. */
export const SAID = 'x-said'

/**
 * Describes a field in the document, for integrators. A field without a description takes that of
 * the same field in `like`.
 */
export const describedAs = (description: string) => jsonSchema({ [SAID]: description })

/** Like `jsonSchema`, for members that are known only once every module is registered. */
const shownLater = vine.createRule(() => {}, {
  name: 'shownLater',
  toJSONSchema: (schema, members: () => object) => Object.assign(schema, members()),
})

/** Bounds a text in code points; VineJS would count both halves of a surrogate pair. */
const lengthRule = vine.createRule(
  (value: unknown, { min, max }: { min: number; max: number }, field: FieldContext) => {
    const length = lengthOf(value as string)
    if (length < min) {
      const message = 'The {{ field }} field must have at least {{ min }} characters'
      field.report(message, 'minLength', field, { min })
    } else if (length > max) {
      const message = 'The {{ field }} field must not be greater than {{ max }} characters'
      field.report(message, 'maxLength', field, { max })
    }
  },
  {
    name: 'length',
    toJSONSchema: (schema, { min, max }) => {
      if (min > 0) schema.minLength = min
      schema.maxLength = max
    },
  }
)

/** Text of 1 to `max` characters. */
export const text = (max: number) => vine.string().use(lengthRule({ min: 1, max }))

/** Text of 0 to `max` characters. */
export const anyText = (max: number) => vine.string().use(lengthRule({ min: 0, max }))

/** Refuses a text with control characters, or with characters that change its direction. */
export const plainRule = vine.createRule((value: unknown, _: undefined, field: FieldContext) => {
  if (typeof value !== 'string' || plain(value) === value) return
  field.report('The {{ field }} field must hold no control characters', 'characters', field)
})

/** Text of `min` to `max` characters, after trimming. */
export const trimmedText = (max: number, min = 1) =>
  vine.string().trim().use(lengthRule({ min, max }))

const webUrlRule = vine.createRule((value: unknown, _options: undefined, field: FieldContext) => {
  const fault = webUrlFault(value as string)
  if (fault !== null) field.report(`The {{ field }} field ${fault}`, 'url', field)
})

/** The http or https address of a page that people open, without a user name or password. */
export const webUrl = (max: number) =>
  text(max)
    .use(webUrlRule())
    .use(jsonSchema({ format: 'uri' }))

/** A JSON `true` or `false`. */
export const boolean = () => vine.boolean({ strict: true })

/** A boolean query parameter: `true`, `false`, `1` or `0`. */
export const queryBoolean = () =>
  vine.boolean().use(jsonSchema({ 'x-json-schema': { type: 'boolean' } }))

/** A whole JSON number within bounds. */
export const integer = (min: number, max: number) =>
  vine.number({ strict: true }).withoutDecimals().min(min).max(max)

/** One of a closed list of words; an `enumeration` is referred to by its name. */
export const oneOf = <const Values extends readonly string[]>(values: Values) =>
  vine.enum(values).use(jsonSchema(enumerationId(values)))

/** One of a list of words that is complete only once every module is registered. */
export const oneOfRegistered = (words: () => readonly string[]) =>
  vine.enum(() => [...words()]).use(shownLater(() => ({ type: 'string', enum: [...words()] })))

const RFC3339 =
  /^(\d{4})-(\d{2})-(\d{2})[Tt](\d{2}):(\d{2}):(\d{2})(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})$/

/** Parses an RFC 3339 date-time with any offset into an instant in UTC; null if it is invalid. */
export function parseInstant(value: string): string | null {
  const match = RFC3339.exec(value)
  if (!match) return null
  const time = Date.parse(value.toUpperCase())
  if (Number.isNaN(time)) return null
  // `Date.parse` turns 31 February into March; so the date must be the same after parsing.
  const offset = /([+-])(\d{2}):(\d{2})$/.exec(value)
  const minutes = offset ? (offset[1] === '-' ? -1 : 1) * (+offset[2] * 60 + +offset[3]) : 0
  const local = new Date(time + minutes * MINUTE)
  if (local.getUTCDate() !== Number(match[3]) || local.getUTCMonth() + 1 !== Number(match[2])) {
    return null
  }
  const instant = new Date(time).toISOString()
  // An offset can lead out of the years 0000 to 9999, the only ones that an instant can express.
  return instant.length === 24 ? instant : null
}

const instantRule = vine.createRule((value: unknown, _options: undefined, field: FieldContext) => {
  const instant = typeof value === 'string' ? parseInstant(value) : null
  if (instant === null) {
    field.report('The {{ field }} field must be an RFC 3339 date-time', 'dateTime', field)
  } else {
    field.mutate(instant, field)
  }
})

/** A date-time with any offset; the handler gets an instant in UTC. */
export const dateTime = () =>
  vine
    .string()
    .maxLength(40)
    .use(instantRule())
    .use(jsonSchema({ format: 'date-time' }))

/** An e-mail address, folded to lower case. */
export const emailAddress = () => anyText(320).email().toLowerCase()

const asList = (value: unknown) => (typeof value === 'string' ? [value] : value)

/** A query parameter that may be repeated; a single value becomes a list of one. */
export const repeatable = (max: number) => vine.array(anyText(max)).maxLength(500).parse(asList)

/** A repeatable query parameter with a closed list of words. */
export const repeatedOneOf = <const Values extends readonly string[]>(values: Values) =>
  vine.array(vine.enum(values)).maxLength(50).parse(asList)

/**
 * A value of several JSON types that VineJS has no union for: the handler checks it, the
 * document shows the given schema.
 */
export const checkedByHand = (schema: object) =>
  vine.any().use(jsonSchema({ 'x-json-schema': schema }))
