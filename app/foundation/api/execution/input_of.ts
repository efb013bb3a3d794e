import { refuse } from '../../core/problems/problem.js'
import type { AnyOperation, BodyDeclaration, RawBody } from '../operation/declaration.js'
import type { Input } from './execute.js'
import { fingerprint } from './idempotency.js'
import { demandPlain } from './plain_json.js'
import { validateBody, validateQuery } from './validate.js'

/** What an operation is given where no HTTP request is read: at the console, by an agent. */
export interface Given {
  /** Path parameters by name; those that are the asker's own may be left out. */
  params?: Record<string, string>
  /** Query parameters by name. */
  query?: Record<string, unknown>
  /** Parsed JSON, or the bytes of a body that is a file. */
  body?: unknown
}

/**
 * The input of an operation from plain values, with the checks and the problems that the
 * same request over HTTP gets.
 */
export async function inputOf(operation: AnyOperation, given: Given): Promise<Input> {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  const query = await checkedQuery(operation, given.query ?? {})
  if (!declared) return { query, body: undefined, fingerprint: fingerprintOf(given, '') }
  if (declared.kind === 'json') {
    const body = await checkedBody(declared, structuredClone(given.body))
    return { query, body, fingerprint: fingerprintOf(given, JSON.stringify(given.body) ?? '') }
  }
  const file = given.body as RawBody
  const body = await declared.read(file)
  return { query, body, fingerprint: fingerprintOf(given, file.bytes) }
}

/** @throws invalid_query, invalid_input */
export async function checkedQuery(
  operation: AnyOperation,
  query: Record<string, unknown>
): Promise<unknown> {
  if (!operation.query) return undefined
  if (Object.entries(query).flat(2).some(hasNul)) {
    throw refuse('invalid_query', { detail: 'A query parameter holds a NUL character.' })
  }
  return validateQuery(operation.query, query)
}

/** @param value parsed JSON, which is made plain; undefined where nothing was given */
export async function checkedBody<Body>(
  declared: Extract<BodyDeclaration<Body>, { kind: 'json' }>,
  value: unknown
): Promise<Body> {
  if (value === undefined && declared.optional) return validateBody(declared.validator, {})
  demandPlain(value)
  return validateBody(declared.validator, value)
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

function fingerprintOf({ params = {}, query = {} }: Given, body: string | Buffer): string {
  return fingerprint(JSON.stringify([params, query]), body)
}
