import vine from '@vinejs/vine'
import { checkedByHand, says, text } from '#foundation/api/operation/input'

/** `IntegrationAuthUpdateEntity`: of Apple the three parts of a key, of Google its file. */
export const authUpdateBody = vine.create({
  issuerId: text(100)
    .use(
      says(
        'Apple: the issuer of a team key, as App Store Connect shows it; none of a personal key.'
      )
    )
    .optional(),
  keyId: text(100).use(says('Apple: the id of the key.')).optional(),
  privateKey: text(10_000)
    .use(says('Apple: the `.p8` file as text. It is never shown again.'))
    .optional(),
  serviceAccountKey: checkedByHand({
    anyOf: [{ type: 'object' }, { type: 'string', maxLength: 20_000 }],
  })
    .use(
      says(
        'Google: the key file of a service account, as an object or as its text. It is never shown again.'
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
