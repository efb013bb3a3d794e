import type { Readable } from 'node:stream'
import type { OperationResponse, StoredFile } from '../operation/response.js'

/** A response as it is sent. */
export interface Rendered {
  status: number
  headers: Record<string, string>
  /** Serialized on first use, because callers that read `body` do not need them. */
  readonly bytes: string | Buffer
  /** The value that the bytes serialize. */
  body?: unknown
  /** The file that is streamed instead of bytes. */
  file?: StoredFile
  /** The stream that is sent instead of bytes. */
  stream?: Readable
}

/** Prepares a handler's response to be sent. */
export function render(response: OperationResponse): Rendered {
  const headers: Record<string, string> = { ...response.headers }
  if (response.file) return { status: response.status, headers, bytes: '', file: response.file }
  if (response.stream) {
    headers['content-type'] = response.stream.contentType
    return { status: response.status, headers, bytes: '', stream: response.stream.bytes }
  }
  if (response.raw) {
    headers['content-type'] = response.raw.contentType
    return { status: response.status, headers, bytes: response.raw.bytes }
  }
  if (response.body === undefined) return { status: response.status, headers, bytes: '' }
  headers['content-type'] = 'application/json; charset=utf-8'
  const { status, body } = response
  let bytes: string | undefined
  return {
    status,
    headers,
    body,
    get bytes() {
      return (bytes ??= JSON.stringify(body))
    },
  }
}
