/** Limits of all cached responses together, and of a single one. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_BYTES_EACH = 512 * 1024

/** Approximate bytes that a cached response needs in addition to its body. */
const OVERHEAD = 512

/** A cached response, without headers for a single requester. */
export interface CachedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  bytes: Buffer
}

interface OrganizationCache {
  /** The change number of the organization for which these responses are valid. */
  number: string
  bytes: number
  responses: Map<string, CachedResponse>
}

/**
 * A cache of responses, each valid until the change number of its organization grows. If the cache
 * is full, the responses of the least recently used organization are dropped.
 */
export class ResponseCache {
  #bytes = 0
  /** The most recently used organization is at the end. */
  readonly #organizations = new Map<string, OrganizationCache>()

  /** @param number the current change number of the organization */
  find(organizationId: string, number: string, key: string): CachedResponse | undefined {
    const cached = this.#organizations.get(organizationId)
    if (cached?.number !== number) return undefined
    this.#organizations.delete(organizationId)
    this.#organizations.set(organizationId, cached)
    return cached.responses.get(key)
  }

  /** @param number the change number, which was the same before and after the handler ran */
  keep(organizationId: string, number: string, key: string, response: CachedResponse): void {
    const bytes = response.bytes.length + key.length + OVERHEAD
    if (bytes > MAX_BYTES_EACH) return
    let cached = this.#organizations.get(organizationId)
    if (cached?.number !== number) {
      this.#forget(organizationId)
      cached = { number, bytes: 0, responses: new Map() }
      this.#organizations.set(organizationId, cached)
    }
    if (cached.responses.has(key)) return
    cached.responses.set(key, response)
    cached.bytes += bytes
    this.#bytes += bytes
    for (const [oldest] of this.#organizations) {
      if (this.#bytes <= MAX_BYTES) break
      this.#forget(oldest)
    }
  }

  #forget(organizationId: string) {
    this.#bytes -= this.#organizations.get(organizationId)?.bytes ?? 0
    this.#organizations.delete(organizationId)
  }
}
