import type { IncomingHttpHeaders } from 'node:http'
import { refuse } from '../../core/problems/problem.js'

const HEADERS = ['Content-Digest', 'Repr-Digest']

/** A digest that a request gives of what it sends. */
interface AnnouncedDigest {
  header: string
  /** As it stands in the header: `:<base64>:` when it is well formed. */
  value: string
}

/** SHA-256 digests among the headers of a request (RFC 9530); other algorithms are left alone. */
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
 * Demands that each digest is of bytes that arrived. By the letter it is of the whole body;
 * who sends a form knows that of the file, which says the same of what matters.
 * @param received SHA-256 in hexadecimal digits
 * @throws digest_mismatch
 */
export function demandDigests(
  announced: readonly AnnouncedDigest[],
  received: readonly string[]
): void {
  const right = received.map((digest) => `:${Buffer.from(digest, 'hex').toString('base64')}:`)
  const wrong = announced.filter(({ value }) => !right.includes(value))
  if (wrong.length === 0) return
  throw refuse('digest_mismatch', {
    detail: `The bytes received do not have the SHA-256 that ${wrong[0].header} gives.`,
    errors: wrong.map(({ header }) => ({
      parameter: header,
      code: 'digest',
      message: 'Give sha-256=:<base64>: of the file or of the whole body.',
    })),
  })
}
