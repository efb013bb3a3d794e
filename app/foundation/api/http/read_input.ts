import type { HttpContext } from '@adonisjs/core/http'
import { refuse } from '../../core/problems/problem.js'
import type { Input } from '../execution/execute.js'
import { fingerprint } from '../execution/idempotency.js'
import { checkedBody, checkedQuery } from '../execution/input_of.js'
import type { AnyOperation, BodyDeclaration } from '../operation/declaration.js'
import { mediaType, parseJson, readBody } from './read_body.js'
import { readSmallFile } from './read_file.js'
import { queryObject } from './query_object.js'

const JSON_LIMIT = 1024 * 1024
const YAML_TYPES = ['application/yaml', 'application/x-yaml', 'text/yaml', 'text/plain']

/** What the body was, before and after it was understood. */
interface ReadBody {
  value: unknown
  bytes: Buffer
}

const NOTHING: ReadBody = { value: undefined, bytes: Buffer.alloc(0) }

/** Reads and validates the input of an operation from a request. @throws its problems */
export async function readInput(operation: AnyOperation, http: HttpContext): Promise<Input> {
  const query = await readQuery(operation, http)
  const { value: body, bytes } = await readDeclaredBody(operation, http)
  const address = http.request.url(true).replace(/^\/v1/, '')
  return { query, body, fingerprint: fingerprint(address, bytes) }
}

async function readQuery(operation: AnyOperation, http: HttpContext): Promise<unknown> {
  const url = http.request.request.url ?? ''
  const search = new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?')) : '')
  return checkedQuery(operation, queryObject(search))
}

async function readDeclaredBody(operation: AnyOperation, http: HttpContext): Promise<ReadBody> {
  const declared = operation.body as BodyDeclaration<unknown> | undefined
  const incoming = http.request.request
  if (!declared) return NOTHING
  const type = mediaType(incoming.headers['content-type'])
  switch (declared.kind) {
    case 'json': {
      const isEmpty =
        !incoming.headers['transfer-encoding'] && !Number(incoming.headers['content-length'] ?? 0)
      if (declared.optional && isEmpty) {
        return { ...NOTHING, value: await checkedBody(declared, undefined) }
      }
      demandType(type, ['application/json'])
      const bytes = await readBody(incoming, JSON_LIMIT)
      return { value: await checkedBody(declared, parseJson(bytes)), bytes }
    }
    case 'yaml': {
      demandType(type, [...YAML_TYPES, 'multipart/form-data'])
      const file =
        type === 'multipart/form-data'
          ? await readSmallFile(incoming, declared.maxBytes)
          : { bytes: await readBody(incoming, declared.maxBytes), contentType: type }
      return { value: await declared.read(file), bytes: file.bytes }
    }
    case 'file': {
      demandType(type, ['multipart/form-data'])
      const file = await readSmallFile(incoming, declared.maxBytes)
      return { value: await declared.read(file), bytes: file.bytes }
    }
  }
}

/** @throws unsupported_media_type */
function demandType(type: string, types: readonly string[]) {
  if (types.includes(type)) return
  throw refuse('unsupported_media_type', {
    detail: `Send ${types.join(' or ')}${type ? `, not ${type}` : ''}.`,
    headers: { accept: types.join(', '), connection: 'close' },
  })
}
