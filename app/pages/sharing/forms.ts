import { addresses, addressOf } from '../addresses.js'
import { form } from '../frame/page.js'
import { linksPage, revokeLinkPage } from './page.js'

/** Makes a link that shows a release to anybody who has it. */
export const newLinkForm = form({
  path: addresses.links,
  operation: 'createReleaseLink',
  request: ({ params: { appId, releaseId } }) => ({ params: { appId, releaseId } }),
  makes: true,
  shownOn: { page: linksPage },
  done: () => ({ said: 'Created the link.' }),
})

/** Revokes a link. */
export const revokeLinkForm = form({
  path: addresses.revokeLink,
  operation: 'revokeReleaseLink',
  request: ({ params }) => ({ params }),
  shownOn: { page: revokeLinkPage },
  done: ({ params: { appId, releaseId } }) => ({
    to: addressOf(addresses.links, { appId, releaseId }),
    said: 'Revoked the link.',
  }),
})
