import { Type, type TProperties, type TSchema } from '@sinclair/typebox'
import { described } from '#foundation/core/schemas'

/** A SHA-256 in hexadecimal digits. */
export const sha256 = (description: string) =>
  Type.String({ description, pattern: '^[0-9a-f]{64}$' })

/** The content that approvals are bound to, and the hash that each of them carries. */
export const boundTo = (description: string, content: TSchema): TProperties => ({
  content: described(description, content),
  contentHash: sha256('SHA-256 of `content` as JSON without spaces.'),
})

/** The hash of the content that an approval was given for. */
export const approvedHash = sha256('`contentHash` of the approved content.')
