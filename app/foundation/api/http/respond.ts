import type { HttpContext } from '@adonisjs/core/http'
import { entityTag, isTagged, matchesTag } from '../execution/entity_tag.js'
import type { Rendered } from '../execution/render.js'
import { compressed, hasCompressedForm } from './compress.js'
import { respondFile } from './respond_file.js'

/** Methods whose entity tag identifies the bytes of the response. */
const READS = new Set(['GET', 'HEAD'])

/**
 * Sends a response with its entity tag, unless it must not be cached; a GET with the same tag in
 * `If-None-Match` gets 304. Text is compressed for clients that accept it.
 */
export async function respond(
  http: HttpContext,
  { status, headers, bytes: body, file, stream }: Rendered,
  ifNoneMatch: string | undefined
): Promise<void> {
  const { response } = http
  for (const [name, value] of Object.entries(headers)) {
    // Appended, because a deprecated operation already links to its replacement.
    if (name === 'link') response.append(name, value)
    else response.header(name, value)
  }
  if (file) return respondFile(http, file)
  if (stream) {
    response.header('cache-control', 'no-store')
    response.status(status).stream(stream)
    return
  }
  // Closes the connection instead of waiting for the rest of an unread body.
  if (!http.request.request.complete) response.header('connection', 'close')
  const contentType: string | undefined = headers['content-type']
  // Encoded once, for the tag, the length and the connection.
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  let tagOfBytes: string | undefined
  if (isTagged(status, headers, bytes)) {
    const tag = headers.etag ?? entityTag(bytes)
    // A write may respond with the tag of another representation.
    if (READS.has(http.request.method())) tagOfBytes = tag
    response.header('etag', tag)
    response.header('cache-control', headers['cache-control'] ?? 'private, no-cache')
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag, true)) {
      // Caches need `Vary` here as well.
      if (hasCompressedForm(http, contentType, bytes)) response.vary('Accept-Encoding')
      response.removeHeader('content-type')
      response.status(304).send(null)
      return
    }
  }
  response.status(status)
  response.send(bytes.length > 0 ? await compressed(http, contentType, bytes, tagOfBytes) : null)
}
