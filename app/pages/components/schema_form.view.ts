import type { ListSchema, ObjectSchema, TextSchema, ValueSchema } from '#plugin-kit/schema'
import { FORGET, isTicked, listIn, rawTextOf, type FormState } from '../frame/fields.js'
import type { Fields } from '../frame/page.js'

/*
 * Forms out of the part of JSON Schema that plugins use. A field is named by its place, such as
 * `settings.host`; groups of a list by their number, such as `settings.hosts.0.name`.
 */

/** The most values of an enumeration that are shown as radio buttons; more become a select. */
const MAX_RADIOS = 5
/** A text that may have more characters gets several lines, unless it has a pattern. */
const LONG = 200
/** A secret that may have more characters is taken as a file, unless it has a pattern. */
const MAX_LINE_LENGTH = 1000
/**
 * Empty groups that are shown at the end of a list, to be filled in: the settings of a connection are
 * given once, so one would allow no second entry.
 */
const SPARE_GROUPS = 3

type Looks = 'line' | 'area' | 'secret' | 'file' | 'radios' | 'select' | 'flag' | 'group' | 'list'

/** A field of such a form, as `components/control` shows it. */
export interface ControlView {
  as: Looks
  id: string
  label: string
  hint: string | null
  error: string | null
  describedBy: string
  value: string
  isNumber: boolean
  isOn: boolean
  /** True if the optional stored value is to be deleted; null if there is none to delete. */
  isForgotten: boolean | null
  options: readonly { value: string; label: string; isOn: boolean }[]
  /** The members of a group, or the groups of a list. */
  controls: readonly ControlView[]
}

/** Returns the field that a pointer into the body leads to; entries of a list of texts share one. */
export const fieldAt = (pointer: string): string =>
  pointer
    .split('/')
    .slice(1)
    .join('.')
    .replace(/\.\d+$/, '')

/** The context of a form beside its schema. */
interface Known {
  state: FormState
  /** Names of the secrets that are stored: an empty field keeps them. */
  kept?: ReadonlySet<string>
}

/**
 * Returns the fields of an object, in the order of its schema, without those of the service's
 * operator.
 */
export const controlsOf = (
  { properties, required = [] }: ObjectSchema,
  place: string,
  known: Known
): ControlView[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    if (schema['x-operator'] === true) return []
    const isKept = known.kept?.has(name) ?? false
    const label = labelOf(name, schema)
    const isPlain = required.includes(name) || isKept || schema.type === 'boolean'
    return controlOf(schema, `${place}.${name}`, known, {
      label: isPlain ? label : `${label} (optional)`,
      isKept,
      isRequired: required.includes(name),
    })
  })

interface Named {
  label: string
  isKept?: boolean
  isRequired?: boolean
}

function controlOf(
  schema: ValueSchema,
  id: string,
  known: Known,
  { label, isKept = false, isRequired = false }: Named
): ControlView {
  const { state } = known
  const as = looksOf(schema)
  const error = state.error(id)
  const isSecret = schema['x-secret'] === true
  const isTyped = rawTextOf(state.typed, id) !== null
  const hint = hintOf(schema, { isKept, isAgain: isSecret && isTyped })
  return {
    ...{ as, id, label, hint, error },
    describedBy: [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' '),
    value: isSecret ? '' : state.text(id),
    isNumber: schema.type === 'integer',
    isOn: state.has(id, 'true', false),
    isForgotten: isKept && !isRequired ? !isTyped && state.has(FORGET, id, false) : null,
    options: schema.type === 'string' ? optionsOf(schema, id, state, isRequired) : [],
    controls: partsOf(schema, id, known),
  }
}

function looksOf(schema: ValueSchema): Looks {
  if (schema.type === 'boolean') return 'flag'
  if (schema.type === 'object') return 'group'
  if (schema.type === 'array') return schema.items.type === 'object' ? 'list' : 'area'
  if (schema.type === 'integer') return 'line'
  if (schema.enum && !schema['x-secret']) {
    return schema.enum.length > MAX_RADIOS ? 'select' : 'radios'
  }
  const most = schema.pattern === undefined ? (schema.maxLength ?? 0) : 0
  if (schema['x-secret']) return most > MAX_LINE_LENGTH ? 'file' : 'secret'
  return most > LONG ? 'area' : 'line'
}

function hintOf(schema: ValueSchema, { isKept, isAgain }: { isKept: boolean; isAgain: boolean }) {
  const hints = [
    schema.description,
    schema.type === 'array' && schema.items.type === 'string' && 'One per line.',
    isKept && 'Kept. Leave empty to keep it.',
    isAgain && !isKept && 'It is not shown again: enter it once more.',
  ]
  return hints.filter(Boolean).join(' ') || null
}

function optionsOf({ enum: words }: TextSchema, id: string, state: FormState, isNeeded: boolean) {
  if (!words) return []
  const values = isNeeded ? words : ['', ...words]
  return values.map((value) => ({
    ...{ value, label: value === '' ? 'Not set' : value },
    isOn: state.has(id, value, value === '' && !isNeeded),
  }))
}

function partsOf(schema: ValueSchema, id: string, known: Known): ControlView[] {
  const { state } = known
  const inner = { ...known, kept: undefined }
  if (schema.type === 'object') return controlsOf(schema, id, inner)
  if (schema.type !== 'array' || schema.items.type !== 'object') return []
  const { items, minItems = 0, maxItems = Infinity, title } = schema
  const filledIn = indexesOf(state.typed, id).length
  const count = Math.min(Math.max(filledIn + SPARE_GROUPS, minItems), maxItems)
  return Array.from({ length: count }, (_, index) =>
    controlOf(items, `${id}.${index}`, inner, { label: `${title ?? 'Entry'} ${index + 1}` })
  )
}

/** Returns what people call a property: its title, or `Committer name` of `committerName`. */
export function labelOf(name: string, schema: ValueSchema | undefined): string {
  if (schema?.title !== undefined) return schema.title
  const words = name
    .replace(/^x-/, '')
    .replace(/[-_]|(?=[A-Z])/g, ' ')
    .toLowerCase()
    .trim()
  return words[0].toUpperCase() + words.slice(1)
}

/**
 * Returns the values of an object from the fields of a form. An empty field is absent, and a value
 * of the wrong type stays as it was typed, for the service to refuse.
 */
export function valuesOf(
  { properties }: ObjectSchema,
  place: string,
  fields: Fields
): Record<string, unknown> {
  const values = Object.entries(properties).map(([name, schema]): [string, unknown] => [
    name,
    valueOf(schema, `${place}.${name}`, fields),
  ])
  return Object.fromEntries(values.filter(([, value]) => value !== undefined))
}

/** Returns null for each member of an object that a form says to forget. */
export const forgottenIn = (
  { properties }: ObjectSchema,
  place: string,
  fields: Fields
): Record<string, null> =>
  Object.fromEntries(
    Object.keys(properties)
      .filter((name) => listIn(fields, FORGET).includes(`${place}.${name}`))
      .map((name) => [name, null])
  )

function valueOf(schema: ValueSchema, id: string, fields: Fields): unknown {
  switch (schema.type) {
    case 'string':
      return textIn(schema, id, fields)
    case 'integer':
      return integerIn(id, fields)
    case 'boolean':
      return isTicked(fields, id) ? true : undefined
    case 'array':
      return entriesIn(schema, id, fields)
    case 'object':
      return unlessEmpty(valuesOf(schema, id, fields))
  }
}

/** Returns a text trimmed, but a secret as it was typed. */
function textIn(schema: TextSchema, id: string, fields: Fields): string | undefined {
  const text = rawTextOf(fields, id) ?? undefined
  return schema['x-secret'] ? text : text?.trim()
}

function integerIn(id: string, fields: Fields) {
  const text = rawTextOf(fields, id)?.trim()
  return text !== undefined && /^-?\d{1,15}$/.test(text) ? Number(text) : text
}

function entriesIn({ items }: ListSchema, id: string, fields: Fields): unknown[] | undefined {
  const entries =
    items.type === 'object'
      ? indexesOf(fields, id)
          .map((index) => valuesOf(items, `${id}.${index}`, fields))
          .filter((each) => unlessEmpty(each))
      : (rawTextOf(fields, id) ?? '')
          .split('\n')
          .map((line) => line.trim())
          .filter(Boolean)
  return entries.length > 0 ? entries : undefined
}

/** Returns the numbers of a list's groups that something was typed into. */
function indexesOf(fields: Fields, id: string): number[] {
  const found = Object.keys(fields).flatMap((name) => {
    const [, index] = name.startsWith(`${id}.`)
      ? (/^(\d{1,3})\./.exec(name.slice(id.length + 1)) ?? [])
      : []
    return index !== undefined && rawTextOf(fields, name) !== null ? [Number(index)] : []
  })
  return [...new Set(found)].toSorted((one, other) => one - other)
}

const unlessEmpty = (values: Record<string, unknown>) =>
  Object.keys(values).length > 0 ? values : undefined
