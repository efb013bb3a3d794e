import type { SchemaProblem } from './schema.js'

type Path = SchemaProblem['path']
type Members = Readonly<Record<string, unknown>>

const DESCRIPTION = ['title', 'description', 'x-secret', 'writeOnly', 'x-operator']

/** The keywords of each schema type, beside the descriptive ones. */
const KEYWORDS: Readonly<Record<string, readonly string[]>> = {
  string: ['minLength', 'maxLength', 'pattern', 'enum'],
  integer: ['minimum', 'maximum'],
  boolean: [],
  array: ['items', 'minItems', 'maxItems'],
  object: ['properties', 'required', 'additionalProperties'],
}

/** Names that would allow prototype pollution. */
const FORBIDDEN_NAMES = ['__proto__', 'constructor', 'prototype']
const MAX_DEPTH = 8

/** Returns the errors of an object schema of a plugin; empty for a valid one. */
export function checkObjectSchema(schema: unknown): SchemaProblem[] {
  const checker = new SchemaChecker()
  if (isMembers(schema) && schema.type !== 'object') checker.add([], 'has to be of type object')
  else checker.check([], schema)
  return checker.problems
}

export function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

class SchemaChecker {
  readonly problems: SchemaProblem[] = []

  add(path: Path, message: string): void {
    this.problems.push({ path, message })
  }

  check(path: Path, schema: unknown): void {
    if (path.length > 2 * MAX_DEPTH) return this.add(path, 'is nested too deeply')
    if (!isMembers(schema)) return this.add(path, 'has to be a schema')
    const { type } = schema
    if (typeof type !== 'string' || !Object.hasOwn(KEYWORDS, type)) {
      return this.add(path, `has a type other than ${Object.keys(KEYWORDS).join(', ')}`)
    }
    for (const keyword of Object.keys(schema)) {
      if (keyword === 'type' || DESCRIPTION.includes(keyword)) continue
      if (!KEYWORDS[type].includes(keyword)) this.add(path, `has the unknown keyword ${keyword}`)
    }
    this.#described(path, schema)
    if (type === 'object') this.#object(path, schema)
    else if (type === 'array') this.#list(path, schema)
    else if (type === 'string') this.#text(path, schema)
    else if (type === 'integer') this.#range(path, schema, 'minimum', 'maximum', Number.isInteger)
  }

  #described(path: Path, schema: Members): void {
    for (const keyword of ['title', 'description']) {
      const value = schema[keyword]
      if (value !== undefined && typeof value !== 'string')
        this.add(path, `${keyword} is not a string`)
    }
    for (const keyword of ['x-secret', 'writeOnly']) {
      const value = schema[keyword]
      if (value !== undefined && typeof value !== 'boolean') {
        this.add(path, `${keyword} is not a boolean`)
      }
    }
    const { 'x-operator': mark } = schema
    if (mark !== undefined && mark !== true && !(schema.type === 'string' && isPattern(mark))) {
      this.add(path, 'x-operator is neither true nor, for a string, a regular expression')
    }
  }

  #object(path: Path, { properties, required, additionalProperties }: Members): void {
    if (additionalProperties !== undefined && additionalProperties !== false) {
      this.add(path, 'cannot allow additional properties')
    }
    if (!isMembers(properties)) return this.add(path, 'needs properties')
    for (const [name, property] of Object.entries(properties)) {
      const at = [...path, 'properties', name]
      if (FORBIDDEN_NAMES.includes(name)) this.add(at, 'has a name that is not allowed')
      this.check(at, property)
    }
    if (required === undefined) return
    if (!isTexts(required)) return this.add(path, 'required is not a list of names')
    for (const name of required) {
      if (!Object.hasOwn(properties, name))
        this.add(path, `requires ${name}, which is not a property`)
    }
  }

  #list(path: Path, schema: Members): void {
    this.#range(path, schema, 'minItems', 'maxItems', isCount)
    const { items } = schema
    const isSupported = isMembers(items) && (items.type === 'string' || items.type === 'object')
    if (isSupported) this.check([...path, 'items'], items)
    else this.add(path, 'needs items of type string or object')
  }

  #text(path: Path, schema: Members): void {
    this.#range(path, schema, 'minLength', 'maxLength', isCount)
    const { pattern, enum: words } = schema
    if (words !== undefined && !(isTexts(words) && words.length > 0)) {
      this.add(path, 'enum is not a list of strings')
    }
    if (pattern !== undefined && !isPattern(pattern)) {
      this.add(path, 'pattern is not a regular expression')
    }
  }

  #range(
    path: Path,
    schema: Members,
    min: string,
    max: string,
    isBound: (value: unknown) => boolean
  ): void {
    for (const name of [min, max]) {
      const bound = schema[name]
      if (bound !== undefined && !isBound(bound)) this.add(path, `${name} is not a valid bound`)
    }
    if (Number(schema[min]) > Number(schema[max])) this.add(path, `${min} is above ${max}`)
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value) && (value as number) >= 0
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

function isPattern(value: unknown): boolean {
  try {
    return typeof value === 'string' && new RegExp(value, 'u') instanceof RegExp
  } catch {
    return false
  }
}
