import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Release } from '../release/answers.js'
import { TABS, type AppAnswers } from './answers.js'
import { appView, newReleaseView } from './view.js'

/** An app with its releases. */
export const appPage = page({
  path: addresses.app,
  template: 'app/page',
  async read({ ask, params, query }: PageCall): Promise<AppAnswers> {
    const ofApp = { params: { appId: params.appId } }
    const chosen = TABS.find(([status]) => status === query.show)?.[0] ?? 'active'
    const filter = { status: chosen, limit: '50', ...(query.cursor && { cursor: query.cursor }) }
    const [app, releases] = await Promise.all([
      ask<AppAnswers['app']>('getApp', ofApp),
      ask<{ data: Release[]; pagination: { nextCursor: string | null } }>('listReleases', {
        ...ofApp,
        query: filter,
      }),
    ])
    const { data, pagination } = releases.body
    return { app: app.body, releases: data, nextCursor: pagination.nextCursor, chosen }
  },
  view: appView,
})

/** The form that plans a release. */
export const newReleasePage = page({
  path: addresses.newRelease,
  template: 'app/new_release',
  async read({ ask, params }) {
    return (await ask<AppAnswers['app']>('getApp', { params: { appId: params.appId } })).body
  },
  view: newReleaseView,
})
