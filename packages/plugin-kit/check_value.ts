import { isMembers } from './check_schema.js'
import type {
  IntegerSchema,
  ListSchema,
  ObjectSchema,
  SchemaProblem,
  TextSchema,
  ValueSchema,
} from './schema.js'

type Place = SchemaProblem['path']

/**
 * Returns the errors of a value under a schema; empty for a valid one. The messages never repeat
 * the value, which may be a secret.
 */
export function checkValue(schema: ValueSchema, value: unknown, path: Place = []): SchemaProblem[] {
  switch (schema.type) {
    case 'string':
      return checkText(schema, value).map((message) => ({ path, message }))
    case 'integer':
      return checkInteger(schema, value).map((message) => ({ path, message }))
    case 'boolean':
      return typeof value === 'boolean' ? [] : [{ path, message: 'has to be true or false' }]
    case 'array':
      return checkList(schema, value, path)
    case 'object':
      return checkObject(schema, value, path)
  }
}

function checkText({ minLength, maxLength, pattern, enum: words }: TextSchema, value: unknown) {
  if (typeof value !== 'string') return ['has to be text']
  const problems: string[] = []
  const length = [...value].length
  if (minLength !== undefined && length < minLength) {
    problems.push(`needs at least ${minLength} characters`)
  }
  if (maxLength !== undefined && length > maxLength) {
    problems.push(`can have at most ${maxLength} characters`)
  }
  if (words && !words.includes(value)) problems.push(`has to be one of ${words.join(', ')}`)
  if (pattern !== undefined && !new RegExp(pattern, 'u').test(value)) {
    problems.push(`has to match ${pattern}`)
  }
  return problems
}

function checkInteger({ minimum, maximum }: IntegerSchema, value: unknown): string[] {
  if (!Number.isInteger(value)) return ['has to be a whole number']
  const problems: string[] = []
  if (minimum !== undefined && (value as number) < minimum) {
    problems.push(`has to be at least ${minimum}`)
  }
  if (maximum !== undefined && (value as number) > maximum) {
    problems.push(`has to be at most ${maximum}`)
  }
  return problems
}

function checkList({ items, minItems, maxItems }: ListSchema, value: unknown, path: Place) {
  if (!Array.isArray(value)) return [{ path, message: 'has to be a list' }]
  const problems = value.flatMap((item, index) => checkValue(items, item, [...path, index]))
  if (minItems !== undefined && value.length < minItems) {
    problems.unshift({ path, message: `needs at least ${minItems} entries` })
  }
  if (maxItems !== undefined && value.length > maxItems) {
    problems.unshift({ path, message: `can have at most ${maxItems} entries` })
  }
  return problems
}

function checkObject(schema: ObjectSchema, value: unknown, path: Place): SchemaProblem[] {
  if (!isMembers(value)) return [{ path, message: 'has to be a map' }]
  const { properties, required = [] } = schema
  const known = Object.keys(properties)
  const missing = required
    .filter((name) => !Object.hasOwn(value, name))
    .map((name) => ({ path: [...path, name], message: 'is required' }))
  const wrong = Object.entries(value).flatMap(([name, member]) =>
    Object.hasOwn(properties, name)
      ? checkValue(properties[name], member, [...path, name])
      : [{ path: [...path, name], message: `is not known; known are ${known.join(', ')}` }]
  )
  return [...missing, ...wrong]
}
