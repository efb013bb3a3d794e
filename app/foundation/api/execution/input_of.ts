import { discardFiles } from '../../core/files/stored_files.js'
import { refuse } from '../../core/problems/problem.js'
import { yieldToOthers } from '../../core/yielding.js'
import type {
  AnyOperation,
  BodyDeclaration,
  InputValidator,
  RawBody,
  UploadDeclaration,
  UploadedFile,
} from '../operation/declaration.js'
import type { Input } from './request.js'
import { fingerprint } from './idempotency.js'
import {
  ignoredFields,
  ignoredMembers,
  isStrict,
  unknownErrors,
  type IgnoredMember,
} from './ignored_members.js'
import { makePlain } from './plain_json.js'
import { validateBody, validateQuery } from './validate.js'

/** The input of an operation without an HTTP request: from the console, or an agent. */
export interface PlainRequest extends Handling {
  /** Path parameters by name; those that the requester implies may be left out. */
  params?: Record<string, string>
  /** Query parameters by name. */
  query?: Record<string, unknown>
  /** Parsed JSON, the bytes of a body that is a file, or an uploaded file with its data. */
  body?: unknown
  /** As the header `If-Match`: the entity tag that was read, or `*` for any state. */
  ifMatch?: string
}

/**
 * Makes the input of an operation from plain values, with the same checks and problems as a request
 * over HTTP.
 */
export async function inputOf(operation: AnyOperation, request: PlainRequest): Promise<Input> {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  const query = await checkedQuery(operation, request.query ?? {})
  if (!declared) return { query, body: undefined, fingerprint: () => fingerprintOf(request, '') }
  if (declared.kind === 'json') {
    const body = await checkedBody(operation, declared, request.body, request)
    const sent = () => JSON.stringify(request.body) ?? ''
    return { query, body, fingerprint: () => fingerprintOf(request, sent()) }
  }
  if (declared.kind === 'upload') {
    const { data, ...file } = request.body as UploadedFile
    const received = await receiveUpload(operation, file, data, request)
    return { query, ...received, fingerprint: () => fingerprintOf(request, file.sha256) }
  }
  if (declared.kind === 'wire') throw new Error('This operation is for HTTP alone')
  const file = request.body as RawBody
  const body = await declared.read(file)
  return { query, body, fingerprint: () => fingerprintOf(request, file.bytes) }
}

/** Checks the query of an operation. @throws invalid_query, invalid_input */
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

/** Number of members that are checked before others are served. */
const MEMBERS_PER_TURN = 2000

/** The handling of members that an operation does not accept. */
export interface Handling {
  /** Refuses them, instead of ignoring them; `whole` includes read-only members. */
  strict?: boolean | 'whole'
  /** Receives the ignored members, even if the body is refused. */
  hear?: (ignored: readonly IgnoredMember[]) => void
}

/**
 * Returns the handling that a request prefers.
 * @param prefer the header `Prefer`
 * @param report receives the header `Ignored-Fields`
 */
export const handlingBy = (
  prefer: string | undefined,
  report: (ignoredFields: string) => void
): Handling => ({
  strict: isStrict(prefer),
  hear: (ignored) => {
    if (ignored.length > 0) report(ignoredFields(ignored))
  },
})

/**
 * Checks the JSON body of an operation.
 * @param value parsed JSON, which is made plain; undefined if nothing was given
 * @throws invalid_input, too_complex
 */
export async function checkedBody<Body>(
  operation: AnyOperation,
  { validator, optional }: Extract<BodyDeclaration<Body>, { kind: 'json' }>,
  value: unknown,
  handling: Handling = {}
): Promise<Body> {
  return checked(operation, validator, value === undefined && optional ? {} : value, '', handling)
}

async function checked<Body>(
  operation: AnyOperation,
  validator: InputValidator<Body>,
  value: unknown,
  at: string,
  { strict, hear }: Handling
): Promise<Body> {
  const { unsafe, dropped, members } = makePlain(value, at)
  const isLarge = members > MEMBERS_PER_TURN
  if (isLarge) await yieldToOthers()
  const ignored = [
    ...dropped.map((pointer) => ({ pointer, isReadOnly: false })),
    ...ignoredMembers(operation, validator, value, at),
  ]
  hear?.(ignored)
  if (isLarge) await yieldToOthers()
  return validateBody(
    validator,
    value,
    at,
    unsafe,
    strict ? unknownErrors(ignored, strict === 'whole') : []
  )
}

/**
 * Checks the data of an upload and hands both to the operation.
 * @param data parsed JSON; `{}` by default
 * @throws invalid_input, not_stored, and what receiving it throws
 */
export async function receiveUpload<Body>(
  operation: AnyOperation,
  file: Omit<UploadedFile, 'data'>,
  data: unknown = {},
  handling: Handling = {}
): Promise<{ body: Body; discard: () => Promise<void> }> {
  const declared = operation.body as unknown as UploadDeclaration<Body>
  const read = declared.data && (await checkedData(operation, declared.data, data, handling))
  const { value, keys } = await declared.receive({ ...file, data: read })
  return { body: value, discard: () => discardFiles(keys) }
}

/**
 * Checks the data of an uploaded file.
 * @param data parsed JSON, which is reduced to plain values
 * @throws invalid_input
 */
export async function checkedData(
  operation: AnyOperation,
  { validator }: NonNullable<UploadDeclaration<unknown>['data']>,
  data: unknown,
  handling: Handling
): Promise<unknown> {
  return checked(operation, validator, data, '/data', handling)
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

function fingerprintOf({ params = {}, query = {} }: PlainRequest, body: string | Buffer): string {
  return fingerprint(JSON.stringify([params, query]), body)
}
