import type { HttpContext } from '@adonisjs/core/http'
import type { Answer } from '../operation/answer.js'
import { entityTag, namesTag } from './entity_tag.js'

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

/**
 * Sends an answer with the tag of its bytes; a GET that names the tag gets 304.
 * Lists carry no tag of their own use, but it costs little and saves their bytes as well.
 */
export function respond(
  http: HttpContext,
  { status, headers, bytes }: Rendered,
  ifNoneMatch: string | undefined
): void {
  const { response } = http
  for (const [name, value] of Object.entries(headers)) response.header(name, value)
  const hasBody = bytes.length > 0
  if (hasBody && status < 300) {
    const tag = headers.etag ?? entityTag(bytes)
    response.header('etag', tag)
    response.header('cache-control', 'private, no-cache')
    if (ifNoneMatch !== undefined && namesTag(ifNoneMatch, tag, true)) {
      response.removeHeader('content-type')
      response.status(304).send(null)
      return
    }
  }
  response.status(status)
  response.send(hasBody ? bytes : null)
}
