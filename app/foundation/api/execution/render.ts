import type { Answer } from '../operation/answer.js'

/** An answer as bytes. */
export interface Rendered {
  status: number
  headers: Record<string, string>
  bytes: string | Buffer
}

/** Turns what a handler answers into bytes. */
export function render(answer: Answer): Rendered {
  const headers: Record<string, string> = { ...answer.headers }
  if (answer.raw) {
    headers['content-type'] = answer.raw.contentType
    return { status: answer.status, headers, bytes: answer.raw.bytes }
  }
  if (answer.body === undefined) return { status: answer.status, headers, bytes: '' }
  headers['content-type'] = 'application/json; charset=utf-8'
  return { status: answer.status, headers, bytes: JSON.stringify(answer.body) }
}
