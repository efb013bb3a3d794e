import type { Answer, StoredFile } from '../operation/answer.js'

/** An answer as it goes out. */
export interface Rendered {
  status: number
  headers: Record<string, string>
  bytes: string | Buffer
  /** What is streamed instead of bytes. */
  file?: StoredFile
}

/** Turns what a handler answers into bytes. */
export function render(answer: Answer): Rendered {
  const headers: Record<string, string> = { ...answer.headers }
  if (answer.file) return { status: answer.status, headers, bytes: '', file: answer.file }
  if (answer.raw) {
    headers['content-type'] = answer.raw.contentType
    return { status: answer.status, headers, bytes: answer.raw.bytes }
  }
  if (answer.body === undefined) return { status: answer.status, headers, bytes: '' }
  headers['content-type'] = 'application/json; charset=utf-8'
  return { status: answer.status, headers, bytes: JSON.stringify(answer.body) }
}
