import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'

/** Bytes below which an answer is sent as it is: compressing it would save no packet. */
const LEAST_BYTES = 1024

/** Most bytes of all compressed answers that are kept, and of one that is worth keeping. */
const MOST_BYTES = 16 * 1024 * 1024
const MOST_BYTES_EACH = 1024 * 1024

/** Types of text. Fonts, images and archives are compressed already. */
const TEXT = /^(text\/|application\/([\w.-]+\+)?(json|xml|yaml)\b|image\/svg\+xml\b)/

/** Headers of an encoding that a handler has chosen, or of a digest of the bytes as they are. */
const FIXED = ['content-encoding', 'repr-digest', 'content-digest']

/** Compresses in another thread. */
const zip = promisify(gzip)

/** Returns whether an answer has another form for clients that take it compressed. */
export function hasForms(
  { request, response }: HttpContext,
  contentType: string | undefined,
  bytes: Buffer
): boolean {
  if (bytes.length === 0 || !contentType || !TEXT.test(contentType)) return false
  if (FIXED.some((each) => response.getHeader(each) !== undefined)) return false
  if (bytes.length >= LEAST_BYTES) return true
  // Only a client that refuses everything else gets a small answer compressed.
  return accepts(request) && request.encoding(['identity']) !== 'identity'
}

const accepts = (request: HttpContext['request']) => request.header('accept-encoding') !== undefined

/**
 * Returns the bytes of an answer as this client takes them, with the headers that say so. The
 * entity tag stays: it names the state that is shown, and writes answer it too, whichever form a
 * client reads in. No part of a compressed answer can be asked for.
 *
 * Lengths of compressed answers reveal to an eavesdropper which guesses a secret contains, if
 * somebody can make a browser ask with the secret's owner's cookie and the guess in one page
 * (BREACH). Answers of the API are given to keys, which no browser sends by itself; pages mask the
 * CSRF token anew each time, and those that show a secret are sent as they are.
 * @param keptAs the tag of the bytes, for an answer that may be asked for again
 */
export async function compressed(
  http: HttpContext,
  contentType: string | undefined,
  bytes: Buffer,
  keptAs?: string
): Promise<Buffer> {
  const { request, response } = http
  if (!hasForms(http, contentType, bytes)) return bytes
  response.vary('Accept-Encoding')
  if (!accepts(request) || request.encoding(['gzip', 'identity']) !== 'gzip') return bytes
  response.header('content-encoding', 'gzip')
  return keptAs === undefined ? zip(bytes) : kept.of(keptAs, bytes)
}

/** Compressed answers by the tag of their bytes; those go that were not asked for the longest. */
class CompressedAnswers {
  #bytes = 0
  readonly #answers = new Map<string, Buffer>()
  readonly #underWay = new Map<string, Promise<Buffer>>()

  /** @param tag made of the bytes, so that those of one tag are the same */
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
    if (bytes.length > MOST_BYTES_EACH) return
    this.#answers.set(tag, bytes)
    this.#bytes += bytes.length
    for (const [oldest, { length }] of this.#answers) {
      if (this.#bytes <= MOST_BYTES) break
      this.#answers.delete(oldest)
      this.#bytes -= length
    }
  }
}

const kept = new CompressedAnswers()
