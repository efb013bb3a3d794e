/** Limits of all cached responses together, and of a single one. */
const MAX_BYTES = 32 * 1024 * 1024
const MAX_BYTES_EACH = 512 * 1024

/** Approximate size of a cached response beside its bytes. */
const OVERHEAD = 512

/** A cached response, without headers for a single requester. */
export interface CachedResponse {
  status: number
  headers: Readonly<Record<string, string>>
  bytes: Buffer
}

interface OfOrganization {
  /** The change number of the organization when these answers were made. */
  number: string
  bytes: number
  answers: Map<string, CachedResponse>
}

/**
 * A cache of responses, each valid until the change number of its organization grows. If the cache
 * is full, the responses of the least recently used organization are dropped.
 */
export class ResponseCache {
  #bytes = 0
  /** The most recently used organization is at the end. */
  readonly #organizations = new Map<string, OfOrganization>()

  /** @param number the current change number of the organization */
  find(organizationId: string, number: string, question: string): CachedResponse | undefined {
    const kept = this.#organizations.get(organizationId)
    if (kept?.number !== number) return undefined
    this.#organizations.delete(organizationId)
    this.#organizations.set(organizationId, kept)
    return kept.answers.get(question)
  }

  /** @param number the change number, equal before and after the response was made */
  keep(organizationId: string, number: string, question: string, response: CachedResponse): void {
    const bytes = response.bytes.length + question.length + OVERHEAD
    if (bytes > MAX_BYTES_EACH) return
    let kept = this.#organizations.get(organizationId)
    if (kept?.number !== number) {
      this.#forget(organizationId)
      kept = { number, bytes: 0, answers: new Map() }
      this.#organizations.set(organizationId, kept)
    }
    if (kept.answers.has(question)) return
    kept.answers.set(question, response)
    kept.bytes += bytes
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
