import { Guesses } from '../../core/did_you_mean.js'
import { jsonPointer } from '../../core/json_pointer.js'
import type { ProblemPlace } from '../../core/problems/problem.js'
import { builtSchema } from '../../core/schemas.js'
import type { JsonSchema } from '../openapi/collect_schemas.js'
import { inputSchema } from '../openapi/input_schema.js'
import type { AnyOperation, BodyDeclaration, InputValidator } from '../operation/declaration.js'
import { operations } from '../operation/registry.js'

/** A member of a body that the operation ignores. */
export interface IgnoredMember {
  pointer: string
  /** The member that was probably meant, if there is one with a similar name. */
  near?: string
  /**
   * True if the entity shows this member but no input sets it: clients send back what they read.
   */
  isReadOnly: boolean
}

/** Maximum number of unknown members, and of read-only ones, noted for one body. */
const MAX_NOTED = 500

const EVERY: readonly JsonSchema[] = [{}]

/** The members that a set of schemas allows; each member is resolved once. */
class Shape {
  /** True if any member is allowed. */
  readonly isOpen: boolean
  readonly #objects: readonly JsonSchema[]
  readonly #lists: readonly JsonSchema[]
  /** The types of its values; null for any type. */
  readonly #types: ReadonlySet<unknown> | null
  readonly #members = new Map<string, Shape | null>()
  #items: Shape | undefined
  #rest: Shape | null | undefined

  constructor(schemas: readonly unknown[]) {
    const leaves = schemas.flatMap(leavesOf)
    this.#objects = leaves.filter(({ properties }) => isSchema(properties))
    this.#lists = leaves.flatMap(({ items }) => (isSchema(items) ? [items] : []))
    this.isOpen = leaves.some(
      (each) => !isSchema(each.properties) && !isSchema(each.additionalProperties) && takesAny(each)
    )
    this.#rest = restOf(leaves)
    const types = leaves.flatMap(({ type }) => type)
    this.#types = types.includes(undefined) ? null : new Set(types)
  }

  /** Returns whether a value has an allowed type. */
  takes(value: unknown): boolean {
    return this.#types === null || typesOf(value).some((type) => this.#types!.has(type))
  }

  get names(): string[] {
    return this.#objects.flatMap(({ properties }) => Object.keys(properties as JsonSchema))
  }

  get items(): Shape {
    return (this.#items ??= new Shape(this.#lists))
  }

  /** Returns the shape of a member; null for an unknown one. */
  member(name: string): Shape | null {
    const known = this.#members.get(name)
    if (known !== undefined) return known
    const found = this.#objects.flatMap(({ properties }) =>
      Object.hasOwn(properties as JsonSchema, name) ? [(properties as JsonSchema)[name]] : []
    )
    if (found.length === 0) return this.#rest ?? null
    const shape = new Shape(found)
    this.#members.set(name, shape)
    return shape
  }
}

/** Returns the JSON Schema types of a value. */
function typesOf(value: unknown): string[] {
  if (value === null) return ['null']
  if (Array.isArray(value)) return ['array']
  return typeof value === 'number' ? ['number', 'integer'] : [typeof value]
}

function leavesOf(input: unknown): JsonSchema[] {
  if (!isSchema(input)) return input === true ? [...EVERY] : []
  const schema = (builtSchema(input) ?? input) as JsonSchema
  const { anyOf, oneOf, allOf, ...own } = schema
  const parts = [anyOf, oneOf, allOf].filter(Array.isArray).flat()
  if (parts.length === 0) return [schema]
  return [...(isSchema(own.properties) ? [own] : []), ...parts.flatMap(leavesOf)]
}

function takesAny({ type, enum: words, const: word, additionalProperties }: JsonSchema): boolean {
  if (additionalProperties === false || words !== undefined || word !== undefined) return false
  return type === undefined || [type].flat().includes('object')
}

/** Returns the shape of members with free names. */
function restOf(leaves: readonly JsonSchema[]): Shape | null {
  const rest = leaves.flatMap(({ properties, additionalProperties: more }) =>
    isSchema(more) ? [more] : more === true && isSchema(properties) ? EVERY : []
  )
  return rest.length > 0 ? new Shape(rest) : null
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

interface Shapes {
  taken: Shape
  shown: Shape
}

const known = new WeakMap<object, Shapes>()

/**
 * Returns the shapes of an operation's input, and of the entity it answers or that its `If-Match`
 * refers to.
 */
function shapesOf(operation: AnyOperation, validator: InputValidator<unknown>): Shapes {
  const before = known.get(operation)
  if (before) return before
  const body = operation.body as BodyDeclaration<unknown> | undefined
  const { precondition } = operation
  const read = precondition ? [operations.get(precondition.of)] : []
  const responses = [operation, ...read].flatMap(({ responses: each }) => Object.values(each))
  const like = body?.kind === 'json' && body.like ? [body.like] : []
  const shapes = {
    taken: new Shape([inputSchema(validator)]),
    shown: new Shape([...like, ...responses.flatMap(({ schema }) => schema ?? [])]),
  }
  known.set(operation, shapes)
  return shapes
}

/**
 * Returns the members of a body that its operation does not take, in their order.
 * @param at JSON pointer of the value in the body
 */
export function ignoredMembers(
  operation: AnyOperation,
  validator: InputValidator<unknown>,
  value: unknown,
  at = ''
): IgnoredMember[] {
  const guesses = new Guesses()
  const found: IgnoredMember[] = []
  const counts = { unknown: 0, readOnly: 0 }
  const visit = (each: unknown, taken: Shape, shown: Shape | null, path: (string | number)[]) => {
    if (typeof each !== 'object' || each === null || taken.isOpen) return
    if (Array.isArray(each)) {
      for (const [index, item] of each.entries()) {
        if (counts.unknown === MAX_NOTED) return
        if (typeof item === 'object')
          visit(item, taken.items, shown?.items ?? null, [...path, index])
      }
      return
    }
    for (const name of Object.keys(each)) {
      if (counts.unknown === MAX_NOTED) return
      const member: unknown = (each as Record<string, unknown>)[name]
      const takenShape = taken.member(name)
      const shownShape = shown?.member(name) ?? null
      if (takenShape) {
        if (typeof member === 'object') visit(member, takenShape, shownShape, [...path, name])
        continue
      }
      const isReadOnly: boolean = shownShape !== null && shownShape.takes(member)
      const kind = isReadOnly ? 'readOnly' : 'unknown'
      if (counts[kind] === MAX_NOTED) continue
      counts[kind] += 1
      const free = () => taken.names.filter((other) => !Object.hasOwn(each, other))
      const near = isReadOnly ? undefined : guesses.didYouMean(name, free())
      const pointer = at + jsonPointer(...path, name)
      found.push({ pointer, isReadOnly, ...(near && { near }) })
    }
  }
  const { taken, shown } = shapesOf(operation, validator)
  if (!Array.isArray(value) || validator.maxList === undefined) visit(value, taken, shown, [])
  else for (const [index, each] of value.entries()) visit(each, taken, shown, [index])
  return found
}

/**
 * Returns the errors of ignored members, for a requester who wants them refused.
 * @param isWhole whether read-only members are errors, too
 */
export function unknownErrors(ignored: readonly IgnoredMember[], isWhole = false): ProblemPlace[] {
  return ignored.flatMap(({ pointer, near, isReadOnly }) => {
    const named = pointer.slice(0, MAX_POINTER)
    if (isReadOnly) {
      const message = `The member ${named} is read-only, and set by nobody here.`
      return isWhole ? [{ pointer, code: 'unknown', message }] : []
    }
    const meant = near === undefined ? '' : ` Did you mean ${near}?`
    return [{ pointer, code: 'unknown', message: `There is no member ${named} here.${meant}` }]
  })
}

const MAX_NAMED = 20
const MAX_POINTER = 200

/**
 * Returns the header `Ignored-Fields`: a structured list (RFC 9651) of JSON pointers, each with the
 * member that was probably meant as the parameter `near`. If there are many, unknown members come
 * first.
 */
export function ignoredFields(ignored: readonly IgnoredMember[]): string {
  const isFew = ignored.length <= MAX_NAMED
  const unknownFirst = (one: IgnoredMember, other: IgnoredMember) =>
    Number(one.isReadOnly) - Number(other.isReadOnly)
  return (isFew ? ignored : ignored.toSorted(unknownFirst))
    .slice(0, MAX_NAMED)
    .map(({ pointer, near }) => {
      const named = fieldText(pointer.slice(0, MAX_POINTER))
      return near === undefined ? named : `${named};near=${fieldText(near)}`
    })
    .join(', ')
}

const PRINTABLE = /^[\x20-\x7e]*$/

/**
 * Returns a String of structured fields, or a Display String if it holds more than printable ASCII.
 */
function fieldText(text: string): string {
  if (PRINTABLE.test(text)) return `"${text.replace(/["\\]/g, '\\$&')}"`
  const bytes = [...Buffer.from(text)].map((byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x22 && byte !== 0x25
      ? String.fromCharCode(byte)
      : `%${byte.toString(16).padStart(2, '0')}`
  )
  return `%"${bytes.join('')}"`
}

/** Returns whether ignored members are refused instead (`Prefer: handling=strict`, RFC 7240). */
export const isStrict = (prefer: string | undefined): boolean =>
  prefer !== undefined && /(^|[,;])\s*handling\s*=\s*"?strict"?\s*($|[,;])/i.test(prefer)
