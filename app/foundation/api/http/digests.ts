import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../core/problems/problem.js'

const HEADERS = ['Content-Digest', 'Repr-Digest']

/** A digest that a request declares for its content. */
interface AnnouncedDigest {
  header: string
  /** As written in the header: `:<base64>:` if it is well-formed. */
  value: string
}

/**
 * Returns the SHA-256 digests in the headers of a request (RFC 9530); other algorithms are ignored.
 */
export function announcedDigests(headers: IncomingHttpHeaders): AnnouncedDigest[] {
  return HEADERS.flatMap((header) =>
    String(headers[header.toLowerCase()] ?? '')
      .split(',')
      .map((member) => /^\s*sha-256\s*=\s*(.*?)\s*$/.exec(member)?.[1])
      .filter((value) => value !== undefined)
      .map((value) => ({ header, value }))
  )
}

/**
 * Checks that each digest matches the received bytes. By the RFC it covers the whole body. For a
 * form, the digest of the file is accepted as well, because clients know that one.
 * @param received SHA-256 in hexadecimal digits
 * @throws digest_mismatch
 */
export function requireDigests(
  announced: readonly AnnouncedDigest[],
  received: readonly string[]
): void {
  const valid = received.map((digest) => `:${Buffer.from(digest, 'hex').toString('base64')}:`)
  const wrong = announced.filter(({ value }) => !valid.includes(value))
  if (wrong.length === 0) return
  throw refuse('digest_mismatch', {
    detail: `The SHA-256 of the received bytes is not the one in ${wrong[0].header}.`,
    errors: wrong.map(({ header }) => ({
      parameter: header,
      code: 'digest',
      message: 'Send sha-256=:<base64>: of the file or of the whole body.',
    })),
  })
}
