import { discardFiles } from '../../core/files/stored_files.js'
import { refuse } from '../../core/problems/problem.js'
import type {
  AnyOperation,
  BodyDeclaration,
  RawBody,
  UploadDeclaration,
  UploadedFile,
} from '../operation/declaration.js'
import type { Input } from './request.js'
import { fingerprint } from './idempotency.js'
import { makePlain } from './plain_json.js'
import { validateBody, validateQuery } from './validate.js'

/** What an operation is given where no HTTP request is read: at the console, by an agent. */
export interface PlainRequest {
  /** Path parameters by name; those that are the asker's own may be left out. */
  params?: Record<string, string>
  /** Query parameters by name. */
  query?: Record<string, unknown>
  /** Parsed JSON, the bytes of a body that is a file, or an uploaded file with its data. */
  body?: unknown
  /** As the header `If-Match`: the entity tag that was read, or `*` for whatever there is. */
  ifMatch?: string
}

/**
 * The input of an operation from plain values, with the checks and the problems that the
 * same request over HTTP gets.
 */
export async function inputOf(operation: AnyOperation, given: PlainRequest): Promise<Input> {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  const query = await checkedQuery(operation, given.query ?? {})
  if (!declared) return { query, body: undefined, fingerprint: () => fingerprintOf(given, '') }
  if (declared.kind === 'json') {
    const body = await checkedBody(declared, structuredClone(given.body))
    const sent = JSON.stringify(given.body) ?? ''
    return { query, body, fingerprint: () => fingerprintOf(given, sent) }
  }
  if (declared.kind === 'upload') {
    const { data, ...file } = given.body as UploadedFile
    const received = await receiveUpload(declared, file, data)
    return { query, ...received, fingerprint: () => fingerprintOf(given, file.sha256) }
  }
  if (declared.kind === 'wire') throw new Error('This operation is for HTTP alone')
  const file = given.body as RawBody
  const body = await declared.read(file)
  return { query, body, fingerprint: () => fingerprintOf(given, file.bytes) }
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
  return validateBody(declared.validator, value, '', makePlain(value))
}

/**
 * Has an upload received, once its data is checked.
 * @param data parsed JSON; without any it is taken as `{}`
 * @throws invalid_input, not_stored, and what receiving it throws
 */
export async function receiveUpload<Body>(
  declared: UploadDeclaration<Body>,
  file: Omit<UploadedFile, 'data'>,
  data: unknown = {}
): Promise<{ body: Body; discard: () => Promise<void> }> {
  const checked =
    declared.data &&
    (await validateBody(declared.data.validator, data, '/data', makePlain(data, '/data')))
  const { value, keys } = await declared.receive({ ...file, data: checked })
  return { body: value, discard: () => discardFiles(keys) }
}

function hasNul(value: unknown): boolean {
  return typeof value === 'string' && value.includes('\0')
}

function fingerprintOf({ params = {}, query = {} }: PlainRequest, body: string | Buffer): string {
  return fingerprint(JSON.stringify([params, query]), body)
}
