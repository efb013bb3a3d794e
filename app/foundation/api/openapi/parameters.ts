const digest = (name: string) => ({
  name,
  in: 'header',
  description:
    '`sha-256=:<base64>:` of the file or of the whole body (RFC 9530); if it does not match, nothing is stored.',
  schema: { type: 'string', maxLength: 1000 },
})

/** Headers of requests, as parameters of the operations that read them. */
export const headerParameters = {
  idempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'Makes repeating the request safe for 48 hours: the same key and request return the first response again.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]+$' },
  },
  ifMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'Writes only if the entity still has this entity tag.',
    schema: { type: 'string', maxLength: 1000 },
  },
  prefer: {
    name: 'Prefer',
    in: 'header',
    description:
      '`handling=strict` (RFC 7240) refuses unknown members, which are otherwise ignored.',
    schema: { type: 'string', maxLength: 1000 },
    example: 'handling=strict',
  },
  contentDigest: digest('Content-Digest'),
  reprDigest: digest('Repr-Digest'),
} as const

/** Description of the header `Ignored-Fields`. */
export const IGNORED_FIELDS =
  'Members of the body that were ignored: at most 20 JSON pointers, each with the most similar ' +
  'known member as parameter `near` (RFC 9651).'

/** Returns the headers that an operation declares to read, as its parameters. */
export const ownHeaders = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers).map(([name, description]) => ({
    name,
    in: 'header',
    description,
    schema: { type: 'string', maxLength: 8000 },
  }))
