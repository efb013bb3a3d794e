import type { IncomingMessage } from 'node:http'
import type { HttpContext } from '@adonisjs/core/http'
import type { Spool } from '../../core/files/spool.js'
import { refuse } from '../../core/problems/problem.js'
import { yieldToOthers } from '../../core/yielding.js'
import type { Input } from '../execution/request.js'
import { fingerprint } from '../execution/idempotency.js'
import { checkedBody, checkedQuery, handlingBy } from '../execution/input_of.js'
import {
  ANY_CONTENT,
  TEXT_TYPES,
  type AnyOperation,
  type BodyDeclaration,
  type RawBody,
  type Wire,
} from '../operation/declaration.js'
import { queryObject } from './query_object.js'
import { mediaType, parseJson, readBody, TOTAL_MS, type ReadBody } from './read_body.js'
import { inMemory, readForm } from './read_form.js'
import { readUpload } from './read_upload.js'

const JSON_LIMIT = 1024 * 1024
/** Size of a JSON body from which others are served between parsing and checking it. */
const BYTES_PER_TURN = 64 * 1024

const NOTHING: ReadBody = { value: undefined, sent: [''] }

/** Reads and validates the input of an operation from a request. @throws its problems */
export async function readInput(
  operation: AnyOperation,
  http: HttpContext,
  spool: Spool
): Promise<Input> {
  const query = await readQuery(operation, http)
  const { value: body, sent, discard } = await readDeclaredBody(operation, http, spool)
  const address = http.request.url(true).replace(/^\/v1/, '')
  return { query, body, fingerprint: () => fingerprint(address, ...sent), discard }
}

async function readQuery(operation: AnyOperation, http: HttpContext): Promise<unknown> {
  const url = http.request.request.url ?? ''
  const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  return checkedQuery(operation, queryObject(search))
}

async function readDeclaredBody(
  operation: AnyOperation,
  http: HttpContext,
  spool: Spool
): Promise<ReadBody> {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  const incoming = http.request.request
  if (!declared) return NOTHING
  const type = mediaType(incoming.headers['content-type'])
  const handling = handlingBy(http.request.header('prefer'), (ignored) =>
    http.response.header('ignored-fields', ignored)
  )
  switch (declared.kind) {
    case 'json': {
      const isEmpty =
        !incoming.headers['transfer-encoding'] && !Number(incoming.headers['content-length'] ?? 0)
      if (declared.optional && isEmpty) {
        return { ...NOTHING, value: await checkedBody(operation, declared, undefined) }
      }
      requireType(type, ['application/json'])
      const bytes = await readBody(incoming, JSON_LIMIT)
      const parsed = parseJson(bytes)
      if (bytes.length > BYTES_PER_TURN) await yieldToOthers()
      const value = await checkedBody(operation, declared, parsed, handling)
      return { value, sent: [bytes] }
    }
    case 'text': {
      requireType(type, [...TEXT_TYPES[declared.format], 'multipart/form-data'])
      const file =
        type === 'multipart/form-data'
          ? await readSmallFile(incoming, declared.maxBytes)
          : { bytes: await readBody(incoming, declared.maxBytes), contentType: type }
      return { value: await declared.read(file), sent: [file.bytes] }
    }
    case 'wire': {
      const { method = '', headers } = incoming
      const accepted = declared.content?.contentType ?? ANY_CONTENT
      if (accepted !== ANY_CONTENT && headers['content-type'] !== undefined)
        requireType(type, [accepted])
      const wire: Wire = { method, headers, bytes: incoming }
      return { ...NOTHING, value: wire }
    }
    case 'upload':
      requireType(type, ['multipart/form-data'])
      return readUpload(incoming, operation, spool, handling)
  }
}

async function readSmallFile(incoming: IncomingMessage, maxBytes: number): Promise<RawBody> {
  const form = await readForm(incoming, { maxBytes, take: inMemory, wholeMs: TOTAL_MS })
  return { bytes: form.file, contentType: form.contentType, fileName: form.fileName }
}

/** @throws unsupported_media_type */
function requireType(type: string, types: readonly string[]) {
  if (types.includes(type)) return
  throw refuse('unsupported_media_type', {
    detail: `Send ${types.join(' or ')}${type ? `, not ${type}` : ''}.`,
    headers: { accept: types.join(', '), connection: 'close' },
  })
}
