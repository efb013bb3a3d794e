import type { ErrorReporterContract, FieldContext } from '@vinejs/vine/types'
import { jsonPointer } from '../../core/json_pointer.js'
import { InputErrors, type PartiallyValid } from '../../core/problems/input_errors.js'
import {
  Problem,
  refuse,
  refuseField,
  refuseFields,
  summaryOf,
  type ProblemPlace,
} from '../../core/problems/problem.js'
import type { JsonSchema } from '../openapi/collect_schemas.js'
import { inputSchema } from '../openapi/input_schema.js'
import type { InputValidator } from '../operation/declaration.js'
import { nullErrors } from './null_errors.js'

interface VineMessage {
  message: string
  rule: string
  field: string
}

/** Returns Vine's dotted field as a JSON pointer. */
function pointerOf(field: string): string {
  return field === '' ? '' : jsonPointer(...field.split('.'))
}

/** Returns Vine's rule names as stable codes: `minLength` is `min_length`. */
function codeOf(rule: string): string {
  return rule
    .replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

/** Maximum number of errors listed for one body; further ones are counted. */
const MAX_LISTED = 500

/** Collects errors; without any, VineJS returns the valid value. */
class Collector implements ErrorReporterContract {
  readonly hasErrors = false
  readonly messages: VineMessage[] = []
  omitted = 0

  report(message: string, rule: string, field: FieldContext): void {
    if (this.messages.length === MAX_LISTED) this.omitted += 1
    else this.messages.push({ message, rule, field: field.getFieldPath() })
  }

  createError(): never {
    throw new Error('It has no errors of its own')
  }
}

interface Validated<Output> {
  /** The input without its broken members. */
  output: Output
  messages: VineMessage[]
  /** Number of further errors. */
  omitted: number
}

async function run<Output>(
  validator: InputValidator<Output>,
  data: unknown
): Promise<Validated<Output>> {
  const collector = new Collector()
  const output = await validator.validate(data, { errorReporter: () => collector })
  return { output, messages: collector.messages, omitted: collector.omitted }
}

/** A body with errors in its shape: the rules about the rest of it can still be checked. */
class UnsoundBody extends Problem {
  constructor(
    readonly places: readonly ProblemPlace[],
    /** The input without its broken members; null if it must not be checked. */
    readonly sound: unknown
  ) {
    super('invalid_input', { detail: summaryOf(places), errors: [...places] })
  }
}

/**
 * Validates a body, or the part of it at a pointer.
 * @param at JSON pointer of the validated value in the body
 * @param unsafe errors of values that must not reach the database
 * @param unknown errors of members that the requester does not want ignored
 * @throws UnsoundBody (invalid_input) with every broken field.
 */
export async function validateBody<Output>(
  validator: InputValidator<Output>,
  body: unknown,
  at = '',
  unsafe: readonly ProblemPlace[] = [],
  unknown: readonly ProblemPlace[] = []
): Promise<Output> {
  if (Array.isArray(body) && validator.maxList !== undefined) {
    return requireList(body, validator.maxList, at, [...unsafe, ...unknown]) as Output
  }
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const message = `${at === '' ? 'The body' : `The part "${at.slice(1)}"`} must be a JSON object.`
    throw refuseField(at, 'object', message)
  }
  const { output, messages, omitted } = await run(validator, body)
  const shape = messages.map(({ field, rule, message }) => ({
    pointer: at + pointerOf(field),
    code: codeOf(rule),
    message,
  }))
  const reported = new Set([...shape, ...unsafe].map(({ pointer }) => pointer))
  const nulls = nullErrors(schemaOf(validator), body, at).filter(
    ({ pointer }) => !reported.has(pointer)
  )
  const places = [...unsafe, ...unknown, ...shape, ...nulls]
  if (places.length === 0) return output
  throw new UnsoundBody(listed(places, omitted), unsafe.length > 0 ? null : output)
}

/** Limits the places to the maximum, and adds one that counts the others. */
function listed(places: readonly ProblemPlace[], omitted: number): readonly ProblemPlace[] {
  const more = omitted + Math.max(0, places.length - MAX_LISTED)
  if (more === 0) return places
  const message = `${more} more problems are not listed.`
  return [...places.slice(0, MAX_LISTED), { pointer: '', code: 'more_problems', message }]
}

/** Checks a list. @throws UnsoundBody (invalid_input) if it is empty, too long or unsafe */
function requireList(
  list: unknown[],
  most: number,
  at: string,
  unsafe: readonly ProblemPlace[]
): unknown[] {
  const isValid = list.length > 0 && list.length <= most
  const message = `The list must hold 1 to ${most} entries.`
  const length = isValid ? [] : [{ pointer: at, code: 'length', message }]
  if (unsafe.length + length.length === 0) return list
  throw new UnsoundBody([...length, ...unsafe], null)
}

/**
 * Returns the problem of a malformed body, including violated rules in its valid parts.
 * @param error the error of reading the body
 * @param check checks the rules and adds to the errors; problems that it throws are ignored until
 *   the shape is valid
 */
export async function withRules(
  error: unknown,
  check: (sound: unknown, errors: InputErrors) => Promise<unknown>
): Promise<unknown> {
  if (!(error instanceof UnsoundBody) || error.sound === null) return error
  const errors = new InputErrors(error.places.flatMap(({ pointer }) => pointer ?? []))
  try {
    await check(error.sound, errors)
  } catch (refusal) {
    if (!(refusal instanceof Problem)) return refusal
  }
  return refuseFields([...error.places, ...errors.places])
}

/**
 * Validates a body that is embedded in another.
 * @throws invalid_input with errors of shape and rules
 */
export async function validateWhole<Output>(
  validator: InputValidator<Output>,
  body: unknown,
  check: (sound: PartiallyValid<Output>, errors: InputErrors) => Promise<unknown>
): Promise<Output> {
  try {
    return await validateBody(validator, body)
  } catch (error) {
    throw await withRules(error, (sound, errors) => check(sound as PartiallyValid<Output>, errors))
  }
}

const schemas = new WeakMap<object, JsonSchema>()

function schemaOf(validator: InputValidator<unknown>): JsonSchema {
  const known = schemas.get(validator)
  if (known) return known
  const schema = (validator.readSchema?.() as JsonSchema) ?? inputSchema(validator)
  schemas.set(validator, schema)
  return schema
}

/** Validates a query. @throws invalid_query for a wrong type, invalid_input for an unknown word */
export async function validateQuery<Output>(
  validator: InputValidator<Output>,
  query: Record<string, unknown>
): Promise<Output> {
  const { output, messages } = await run(validator, query)
  if (messages.length === 0) return output
  // A fault in one value of a repeated parameter counts for the parameter.
  const places = messages.map(({ field, rule, message }) => ({
    parameter: field.split('.')[0],
    code: codeOf(rule),
    message,
  }))
  const onlyWords = places.every(({ code }) => code === 'enum')
  throw refuse(onlyWords ? 'invalid_input' : 'invalid_query', {
    detail: summaryOf(places),
    errors: places,
  })
}
