import { errors as vineErrors } from '@vinejs/vine'
import type { InputValidator } from '../operation/declaration.js'
import { jsonPointer } from '../../core/json_pointer.js'
import { refuse, type ProblemPlace } from '../../core/problems/problem.js'

interface VineMessage {
  message: string
  rule: string
  field: string
}

/** Vine's dotted field as a JSON pointer. */
function pointerOf(field: string): string {
  return field === '' ? '' : jsonPointer(...field.split('.'))
}

/** Vine's rule names as stable codes: `minLength` is `min_length`. */
function codeOf(rule: string): string {
  return rule
    .replace(/[A-Z]/g, (letter) => '_' + letter.toLowerCase())
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_|_$/g, '')
}

async function run<Output>(
  validator: InputValidator<Output>,
  data: unknown,
  place: (field: string) => Pick<ProblemPlace, 'pointer' | 'parameter'>
): Promise<{ output: Output } | { places: ProblemPlace[] }> {
  try {
    return { output: await validator.validate(data) }
  } catch (error) {
    if (!(error instanceof vineErrors.E_VALIDATION_ERROR)) throw error
    const messages = error.messages as VineMessage[]
    return {
      places: messages.map(({ field, rule, message }) => ({
        ...place(field),
        code: codeOf(rule),
        message,
      })),
    }
  }
}

/**
 * @param at JSON pointer of the validated value in the body
 * @throws invalid_input with every broken field.
 */
export async function validateBody<Output>(
  validator: InputValidator<Output>,
  body: unknown,
  at = ''
): Promise<Output> {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    const message = `${at === '' ? 'The body' : `The part "${at.slice(1)}"`} must be a JSON object.`
    throw refuse('invalid_input', {
      detail: message,
      errors: [{ pointer: at, code: 'object', message }],
    })
  }
  const result = await run(validator, body, (field) => ({ pointer: at + pointerOf(field) }))
  if ('output' in result) return result.output
  throw refuse('invalid_input', { detail: summary(result.places), errors: result.places })
}

/** @throws invalid_query for a parameter of the wrong type, invalid_input for an unknown word. */
export async function validateQuery<Output>(
  validator: InputValidator<Output>,
  query: Record<string, unknown>
): Promise<Output> {
  // A value of a parameter that is repeated is a fault of the parameter.
  const result = await run(validator, query, (field) => ({ parameter: field.split('.')[0] }))
  if ('output' in result) return result.output
  const onlyWords = result.places.every(({ code }) => code === 'enum')
  throw refuse(onlyWords ? 'invalid_input' : 'invalid_query', {
    detail: summary(result.places),
    errors: result.places,
  })
}

function summary(places: ProblemPlace[]): string {
  return places.length === 1
    ? places[0].message
    : `${places.length} fields are broken; the first: ${places[0].message}`
}
