import type { Readable } from 'node:stream'
import type { OperationResponse, StoredFile } from '../operation/response.js'

/** An answer as it is sent. */
export interface Rendered {
  status: number
  headers: Record<string, string>
  /** Serialized on first use, as callers that read `body` do not need them. */
  readonly bytes: string | Buffer
  /** The value that the bytes serialize. */
  body?: unknown
  /** The file that is streamed instead of bytes. */
  file?: StoredFile
  /** The stream that is sent instead of bytes. */
  flow?: Readable
}

/** Turns what a handler answers into bytes. */
export function render(answer: OperationResponse): Rendered {
  const headers: Record<string, string> = { ...answer.headers }
  if (answer.file) return { status: answer.status, headers, bytes: '', file: answer.file }
  if (answer.flow) {
    headers['content-type'] = answer.flow.contentType
    return { status: answer.status, headers, bytes: '', flow: answer.flow.bytes }
  }
  if (answer.raw) {
    headers['content-type'] = answer.raw.contentType
    return { status: answer.status, headers, bytes: answer.raw.bytes }
  }
  if (answer.body === undefined) return { status: answer.status, headers, bytes: '' }
  headers['content-type'] = 'application/json; charset=utf-8'
  const { status, body } = answer
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
