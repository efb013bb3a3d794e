import type { ChangeNumbers } from '../../core/events/change_numbers.js'
import type { Principal } from '../../core/principal.js'
import type { Scope } from '../../core/scope.js'
import type { AnyOperation } from '../operation/declaration.js'
import { entityTag, isTagged } from './entity_tag.js'
import type { CachedResponse, ResponseCache } from './response_cache.js'
import type { Rendered } from './render.js'
import type { OperationRequest } from './request.js'

interface Dependencies {
  changes: ChangeNumbers
  responseCache: ResponseCache
}

/**
 * Caches the answer to a GET that depends on stored data alone, with its tag. It is valid for the
 * same request by the same actor, until the change number of the organization grows.
 */
export async function respondOnce(
  { changes, responseCache }: Dependencies,
  operation: AnyOperation,
  { organization, actor }: Principal,
  { asked: requested, origin }: OperationRequest,
  scope: Scope,
  respond: () => Promise<Rendered>
): Promise<Rendered> {
  const { id, changes: number } = organization
  if (!operation.isOfStored || requested === undefined || number === undefined) return respond()
  const question = `${actor.id} ${origin.baseUrl} ${requested}`
  const kept = responseCache.find(id, number, question)
  if (kept) return shown(kept)
  const made = keptOf(await respond())
  if (made.status === 200 && !scope.isOfItsTime) {
    // A response that was made during a write may mix both states, and is not cached.
    const isUnchanged = changes.of(id).then((now) => now === number)
    isUnchanged.then(
      (unchanged) => unchanged && responseCache.keep(id, number, question, made),
      ignore
    )
  }
  return shown(made)
}

const ignore = () => {}

function keptOf({ status, headers, bytes: made, file, stream }: Rendered): CachedResponse {
  if (file || stream) throw new Error('A streamed response cannot be cached')
  const bytes = Buffer.from(made)
  if (!isTagged(status, headers, bytes)) return { status, headers, bytes }
  return { status, headers: { etag: entityTag(bytes), ...headers }, bytes }
}

/** Returns a copy of a cached response for one requester, because headers are added to it. */
function shown({ status, headers, bytes }: CachedResponse): Rendered {
  return {
    status,
    headers: { ...headers },
    bytes,
    get body() {
      return bytes.length > 0 ? JSON.parse(bytes.toString()) : undefined
    },
  }
}
