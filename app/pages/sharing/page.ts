import type { ReleaseLinkEntity } from '#releases/links/link_entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import type { ReleaseOfApp } from '../release/read_pair.js'
import { linksView, revokeLinkView } from './links.view.js'

async function readLinks({ ask, params: { appId, releaseId } }: PageCall) {
  const request = { params: { appId, releaseId } }
  const [app, release, links] = await Promise.all([
    ask<ReleaseOfApp['app']>('getApp', request),
    ask<Release>('getRelease', request),
    ask<ReleaseLinkEntity[]>('listReleaseLinks', request),
  ])
  return { app: app.body, release: release.body, links: links.body }
}

/** The links that show a release to people without an account. */
export const linksPage = page({
  path: addresses.links,
  template: 'sharing/links',
  read: readLinks,
  view: linksView,
})

/** The confirmation before a link is revoked. */
export const revokeLinkPage = page({
  path: addresses.revokeLink,
  template: 'components/question_page',
  read: async ({ ask, params }) => ask<ReleaseLinkEntity>('getReleaseLink', { params }),
  view: revokeLinkView,
})
