import { isFile, type Send } from './retrying.js'

const REDIRECTS = new Set([301, 302, 303, 307, 308])
/** Redirects that repeat a request as it is. */
const KEEPING = new Set([307, 308])
const MAX_HOPS = 3

/**
 * Follows redirects that keep method and body, such as that of another spelling of a version, within
 * the origin that was asked: no other gets the API key.
 */
export function following(send: Send): Send {
  return async (request) => {
    let next = request
    for (let hops = 0; ; hops++) {
      // A copy of a file would hold all of it in memory.
      const copy = isFile(next) ? null : next.clone()
      const response = await send(next)
      if (!REDIRECTS.has(response.status)) return response
      const to = URL.parse(response.headers.get('location') ?? '', next.url)
      await response.body?.cancel()
      const isOwn = to?.origin === new URL(next.url).origin
      if (!copy || !isOwn || !KEEPING.has(response.status) || hops === MAX_HOPS)
        throw new Error(
          `The service redirects (${response.status}) to ${to?.href ?? 'no address'}, which is not followed: it would get the API key. If it is the service, use that address.`
        )
      next = new Request(to, copy)
    }
  }
}
