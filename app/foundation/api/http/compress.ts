import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'

/** Size in bytes below which a response is not compressed, as that would save no packet. */
const MIN_BYTES = 1024

/** Maximum bytes of all cached compressed responses together, and of a single one. */
const MAX_BYTES = 16 * 1024 * 1024
const MAX_BYTES_EACH = 1024 * 1024

/** Types of text. Fonts, images and archives are compressed already. */
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b|image\/svg\+xml\b)/

/** Headers of an encoding chosen by the handler, or of a digest of the uncompressed bytes. */
const FIXED = ['content-encoding', 'repr-digest', 'content-digest']

/** Compresses in another thread. */
const zip = promisify(gzip)

/** Returns whether a response has a compressed form for clients that accept one. */
export function hasCompressedForm(
  { request, response }: HttpContext,
  contentType: string | undefined,
  bytes: Buffer
): boolean {
  if (bytes.length === 0 || !contentType || !TEXT.test(contentType)) return false
  if (FIXED.some((each) => response.getHeader(each) !== undefined)) return false
  if (bytes.length >= MIN_BYTES) return true
  // A small response is compressed only for a client that refuses it uncompressed.
  return accepts(request) && request.encoding(['identity']) !== 'identity'
}

const accepts = (request: HttpContext['request']) => request.header('accept-encoding') !== undefined

/**
 * Compresses a response if this client accepts that, and sets the headers. The entity tag stays the
 * same: it names the state of the entity, and writes return it as well, whatever the encoding.
 * Range requests do not apply to compressed responses.
 *
 * The length of a compressed page can reveal a secret in it to an eavesdropper who makes the
 * owner's browser request it with guesses (BREACH). API responses need a key, which no browser
 * sends by itself; pages mask the CSRF token anew each time, and those that show a secret are not
 * compressed.
 * @param keptAs the tag of the bytes, for a response that is worth caching
 */
export async function compressed(
  http: HttpContext,
  contentType: string | undefined,
  bytes: Buffer,
  keptAs?: string
): Promise<Buffer> {
  const { request, response } = http
  if (!hasCompressedForm(http, contentType, bytes)) return bytes
  response.vary('Accept-Encoding')
  if (!accepts(request) || request.encoding(['gzip', 'identity']) !== 'gzip') return bytes
  response.header('content-encoding', 'gzip')
  return keptAs === undefined ? zip(bytes) : kept.of(keptAs, bytes)
}

/** A least-recently-used cache of compressed answers, by the tag of their bytes. */
class CompressedResponses {
  #bytes = 0
  readonly #answers = new Map<string, Buffer>()
  readonly #underWay = new Map<string, Promise<Buffer>>()

  /** @param tag hash of the bytes */
  async of(tag: string, bytes: Buffer): Promise<Buffer> {
    const found = this.#answers.get(tag)
    if (found) {
      this.#answers.delete(tag)
      this.#answers.set(tag, found)
      return found
    }
    const started = this.#underWay.get(tag)
    if (started) return started
    const made = zip(bytes)
    this.#underWay.set(tag, made)
    try {
      this.#keep(tag, await made)
      return await made
    } finally {
      this.#underWay.delete(tag)
    }
  }

  #keep(tag: string, bytes: Buffer) {
    if (bytes.length > MAX_BYTES_EACH) return
    this.#answers.set(tag, bytes)
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#answers) {
      if (this.#bytes <= MAX_BYTES) break
      this.#answers.delete(oldest)
      this.#bytes -= length
    }
  }
}

const kept = new CompressedResponses()
