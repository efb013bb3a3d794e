import type { HttpContext } from '@adonisjs/core/http'
import { entityTag, matchesTag } from '../execution/entity_tag.js'
import type { Rendered } from '../execution/render.js'
import { respondFile } from './respond_file.js'

/**
 * Sends an answer with the tag of its bytes; a GET that names the tag gets 304.
 * Lists carry no tag of their own use, but it costs little and saves their bytes as well.
 */
export async function respond(
  http: HttpContext,
  { status, headers, bytes, file }: Rendered,
  ifNoneMatch: string | undefined
): Promise<void> {
  const { response } = http
  for (const [name, value] of Object.entries(headers)) response.header(name, value)
  if (file) return respondFile(http, file)
  // A body that nobody has read to its end is not waited for.
  if (!http.request.request.complete) response.header('connection', 'close')
  const hasBody = bytes.length > 0
  if (hasBody && status < 300) {
    const tag = headers.etag ?? entityTag(bytes)
    response.header('etag', tag)
    response.header('cache-control', headers['cache-control'] ?? 'private, no-cache')
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag, true)) {
      response.removeHeader('content-type')
      response.status(304).send(null)
      return
    }
  }
  response.status(status)
  response.send(hasBody ? bytes : null)
}
