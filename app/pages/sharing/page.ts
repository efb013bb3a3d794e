import type { ReleaseLinkEntity } from '#releases/links/link_entities'
import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import type { ReleaseOfApp } from '../release/read_pair.js'
import { linksView, revokeLinkView } from './links.view.js'

async function readLinks({ ask, params: { appId, releaseId } }: PageCall) {
  const of = { params: { appId, releaseId } }
  const [app, release, links] = await Promise.all([
    ask<ReleaseOfApp['app']>('getApp', of),
    ask<Release>('getRelease', of),
    ask<ReleaseLinkEntity[]>('listReleaseLinks', of),
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

/** The question before a link is revoked. */
export const revokeLinkPage = page({
  path: addresses.revokeLink,
  template: 'components/question_page',
  read: async ({ ask, params }) => ask<ReleaseLinkEntity>('getReleaseLink', { params }),
  view: revokeLinkView,
})
