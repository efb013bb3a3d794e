import vine from '@vinejs/vine'
import type { FieldContext } from '@vinejs/vine/types'
import { checkedByHand, describedAs, text } from '#foundation/api/operation/input'
import { lengthOf } from '#foundation/core/text'

const MAX_FILE = 20_000

/** Limits the length of a file that is sent as text; VineJS has no union type for it. */
const fileRule = vine.createRule((value: unknown, _options: undefined, field: FieldContext) => {
  if (typeof value !== 'string' || lengthOf(value) <= MAX_FILE) return
  const message = `The {{ field }} field must not be greater than ${MAX_FILE} characters`
  field.report(message, 'maxLength', field)
})

/** `IntegrationAuthUpdateEntity`: of Apple the three parts of a key, of Google its file. */
export const authUpdateBody = vine.create({
  issuerId: text(100)
    .use(
      describedAs(
        'Apple: issuer id of a team key, as App Store Connect shows it; absent for an individual key.'
      )
    )
    .optional(),
  keyId: text(100).use(describedAs('Apple: id of the key.')).optional(),
  privateKey: text(10_000)
    .use(describedAs('Apple: the `.p8` file as text. It is never shown again.'))
    .optional(),
  serviceAccountKey: checkedByHand({
    anyOf: [
      { type: 'object', maxProperties: 50 },
      { type: 'string', maxLength: MAX_FILE },
    ],
  })
    .use(fileRule())
    .use(
      describedAs(
        'Google: the key file of a service account, as an object or as text. It is never shown again.'
      )
    )
    .optional(),
})

export interface AuthUpdate {
  issuerId?: string
  keyId?: string
  privateKey?: string
  serviceAccountKey?: unknown
}
