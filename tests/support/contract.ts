import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { wholeDocument } from '#tests/support/whole_document'
import { jsonPointer } from '#foundation/core/json_pointer'
import { closedDocument } from './closed_document.js'
import { requireStanding, type ConflictBody } from './conflicts.js'

interface OperationObject {
  operationId: string
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
}

/**
 * Ids of the operations that answered some test with success: `declarations.spec.ts` reads it last.
 */
export const calledOperations = new Set<string>()

let ajv: Ajv2020 | undefined
const validators = new Map<string, ValidateFunction>()

function validatorAt(pointer: string): ValidateFunction {
  if (!ajv) {
    ajv = new Ajv2020({
      strict: false,
      allErrors: true,
      validateSchema: false,
      // Optimized code takes longer to compile, and most schemas check few answers.
      code: { optimize: false },
    })
    addFormats.default(ajv)
    ajv.addSchema(closedDocument(wholeDocument()), 'openapi.json')
  }
  let validate = validators.get(pointer)
  if (!validate) {
    validate = ajv.compile({ $ref: `openapi.json#${encodeURI(pointer)}` })
    validators.set(pointer, validate)
  }
  return validate
}

/** An operation with its path, which is split at the slashes. */
interface Placed {
  template: string
  parts: string[]
  /** Number of parts that are no parameters. */
  literal: number
  operation: OperationObject
}

const isParameter = (part: string) => part.startsWith('{')
let placed: Map<string, Placed[]> | undefined

/** Returns the operations by method and number of parts, the most literal paths first. */
function placedOperations(): Map<string, Placed[]> {
  if (placed) return placed
  placed = new Map()
  const paths = wholeDocument().paths as Record<string, Record<string, OperationObject>>
  for (const [template, item] of Object.entries(paths)) {
    const parts = template.split('/')
    const literal = parts.filter((part) => !isParameter(part)).length
    for (const [method, operation] of Object.entries(item)) {
      const key = `${method} ${parts.length}`
      const all = placed.get(key) ?? []
      all.push({ template, parts, literal, operation })
      placed.set(key, all)
    }
  }
  for (const all of placed.values()) all.sort((one, other) => other.literal - one.literal)
  return placed
}

function findOperation(method: string, path: string): Placed | null {
  const wanted = path.replace(/^\/v1(?=\/)/, '').split('/')
  const all = placedOperations().get(`${method.toLowerCase()} ${wanted.length}`) ?? []
  const matches = ({ parts }: Placed) =>
    parts.every((part, index) => isParameter(part) || part === wanted[index])
  return all.find(matches) ?? null
}

const ALIASES: [RegExp, string][] = [
  [/^(\/v1)?\/app\/config$/, '/org/x/app/config'],
  [/^(\/v1)?\/app\/([^/]+)\/config$/, '/app/$2/app/config'],
]

/** Returns the id of the operation that a request is for; its URL may have a query. */
export function operationAt(method: string, url: string): string | null {
  return findOperation(...canonical(method, url))?.operation.operationId ?? null
}

/** Returns the method and path by which the document names the operation of a request. */
function canonical(method: string, url: string): [method: string, path: string] {
  let path = url.split('?')[0]
  for (const [pattern, replacement] of ALIASES) path = path.replace(pattern, replacement)
  return [method === 'HEAD' ? 'GET' : method, path]
}

/**
 * Checks an answer against the served OpenAPI document: its status, its content type and
 * its body must be declared there, every member of the body included.
 * @returns the id of the operation; null for an unknown route or method
 * @throws Error that names what does not match
 */
export function assertDeclared(answer: {
  method: string
  path: string
  status: number
  contentType: string
  body: unknown
}): string | null {
  const [method, path] = canonical(answer.method, answer.path)
  const found = findOperation(method, path)
  if (!found) {
    // An unknown route or method answers a problem too.
    if (answer.status !== 404 && answer.status !== 405) {
      throw new Error(`${method} ${path} is not in the OpenAPI document`)
    }
    check('/components/schemas/Error', answer)
    return null
  }
  const { template, operation } = found
  const response = operation.responses[String(answer.status)]
  if (!response) throw new Error(`${operation.operationId} does not declare ${answer.status}`)
  const base = response.$ref
    ? response.$ref.slice(1)
    : jsonPointer('paths', template, method.toLowerCase(), 'responses', answer.status)
  const content = response.$ref
    ? (wholeDocument().components as { responses: Record<string, typeof response> }).responses[
        response.$ref.split('/').at(-1)!
      ].content
    : response.content
  const type = answer.contentType.split(';')[0]
  if (!content) {
    if (answer.body !== '' && answer.body !== null) {
      throw new Error(`${operation.operationId} ${answer.status} declares no body`)
    }
    return operation.operationId
  }
  if (answer.method === 'HEAD') return operation.operationId
  if (!(type in content)) {
    throw new Error(
      `${operation.operationId} ${answer.status} does not declare ${type || 'an empty body'}`
    )
  }
  check(base + jsonPointer('content', type, 'schema'), answer)
  if (answer.status === 409) requireStanding(answer.body as ConflictBody)
  return operation.operationId
}

/**
 * Checks the payload of a webhook event against the `webhooks` part of the document.
 * @throws Error that names what does not match
 */
export function assertEventDeclared(type: string, payload: unknown): void {
  if (!(type in (wholeDocument().webhooks as object))) {
    throw new Error(`${type} is not among the webhooks of the OpenAPI document`)
  }
  const body = ['post', 'requestBody', 'content', 'application/json', 'schema']
  const reported = { method: 'event', path: type, status: 0, body: payload }
  check(jsonPointer('webhooks', type, ...body), reported)
  // The payload names its model, which is checked too.
  const { model } = payload as { model: string }
  check(jsonPointer('components', 'schemas', model), reported)
}

function check(
  pointer: string,
  response: { method: string; path: string; status: number; body: unknown }
) {
  const validate = validatorAt(pointer)
  if (validate(response.body)) return
  const problems = validate
    .errors!.slice(0, 5)
    .map(({ instancePath, message, params: { unevaluatedProperty = '' } }) =>
      `${instancePath || '/'} ${message} ${unevaluatedProperty}`.trimEnd()
    )
  throw new Error(
    `${response.method} ${response.path} answered ${response.status} against its schema: ${problems.join('; ')}\n${JSON.stringify(response.body).slice(0, 2000)}`
  )
}
