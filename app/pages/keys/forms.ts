import { addresses, addressOf } from '../addresses.js'
import { isTicked, listIn, textOf } from '../frame/fields.js'
import { form, type Fields } from '../frame/page.js'
import { NEVER } from './forms.view.js'
import { madeKeyPage, newKeyPage, revokeKeyPage, rotateKeyPage } from './page.js'

const only = ({ orgId, apiKeyId }: Record<string, string>) => ({ orgId, apiKeyId })

/** Returns the end of a key: absent for the default, null for a key that never ends. */
function endIn(fields: Fields) {
  const end = textOf(fields, 'expiresAt')
  return end === null ? {} : { expiresAt: end === NEVER ? null : end }
}

/** Makes a key, and shows it once. */
export const newKeyForm = form({
  path: addresses.keys,
  operation: 'createApiKey',
  makes: true,
  request({ params: { orgId }, fields }) {
    const appIds = listIn(fields, 'appIds')
    return {
      params: { orgId },
      body: {
        name: textOf(fields, 'name') ?? '',
        admin: isTicked(fields, 'admin'),
        groupIds: listIn(fields, 'groupIds'),
        appIds: appIds.length > 0 ? appIds : null,
        ...endIn(fields),
      },
    }
  },
  shownOn: { page: newKeyPage },
  shows: madeKeyPage,
})

/** Rotates a key, and shows the new one once. */
export const rotateKeyForm = form({
  path: addresses.rotateKey,
  operation: 'rotateApiKey',
  makes: true,
  request: ({ params, fields }) => ({
    params: only(params),
    body: { overlapHours: Number(textOf(fields, 'overlapHours') ?? 24), ...endIn(fields) },
  }),
  shownOn: { page: rotateKeyPage, params: only },
  shows: madeKeyPage,
})

/** Revokes a key. */
export const revokeKeyForm = form({
  path: addresses.revokeKey,
  operation: 'revokeApiKey',
  request: ({ params }) => ({ params: only(params) }),
  shownOn: { page: revokeKeyPage, params: only },
  done: ({ params: { orgId }, answer }) => ({
    to: addressOf(addresses.keys, { orgId }),
    said: `Revoked ${(answer as { name: string }).name}.`,
  }),
})
