import type { HttpContext } from '@adonisjs/core/http'
import { entityTag, isTagged, matchesTag } from '../execution/entity_tag.js'
import type { Rendered } from '../execution/render.js'
import { compressed, hasForms } from './compress.js'
import { respondFile } from './respond_file.js'

/** Methods whose answers are tagged by their own bytes. */
const READS = new Set(['GET', 'HEAD'])

/**
 * Sends an answer with the tag of its bytes, unless nobody is to keep it; a GET that names the
 * tag gets 304. Text is compressed for a client that takes it so. Lists carry no tag of their own use, but it costs little and saves their bytes as well.
 */
export async function respond(
  http: HttpContext,
  { status, headers, bytes: given, file, flow }: Rendered,
  ifNoneMatch: string | undefined
): Promise<void> {
  const { response } = http
  for (const [name, value] of Object.entries(headers)) {
    // Others may have linked, too: to what is to be used instead of a deprecated operation.
    if (name === 'link') response.append(name, value)
    else response.header(name, value)
  }
  if (file) return respondFile(http, file)
  if (flow) {
    response.header('cache-control', 'no-store')
    response.status(status).stream(flow)
    return
  }
  // A body that nobody has read to its end is not waited for.
  if (!http.request.request.complete) response.header('connection', 'close')
  const contentType: string | undefined = headers['content-type']
  // Encoded once, for its tag, its length and the wire.
  const bytes = typeof given === 'string' ? Buffer.from(given) : given
  let ofBytes: string | undefined
  if (isTagged(status, headers, bytes)) {
    const tag = headers.etag ?? entityTag(bytes)
    // The tag that a write answers may be that of another representation.
    if (READS.has(http.request.method())) ofBytes = tag
    response.header('etag', tag)
    response.header('cache-control', headers['cache-control'] ?? 'private, no-cache')
    if (ifNoneMatch !== undefined && matchesTag(ifNoneMatch, tag, true)) {
      // Caches need to know what the answer depends on, whichever form it has.
      if (hasForms(http, contentType, bytes)) response.vary('Accept-Encoding')
      response.removeHeader('content-type')
      response.status(304).send(null)
      return
    }
  }
  response.status(status)
  response.send(bytes.length > 0 ? await compressed(http, contentType, bytes, ofBytes) : null)
}
