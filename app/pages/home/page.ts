import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import type { Overview } from './overview.js'
import { homeView, turnView } from './view.js'

/** Home of an organization: all apps with their releases, and what waits for the reader on top. */
export const homePage = page({
  path: addresses.home,
  template: 'home/page',
  async read({ ask, params, query }) {
    const asked = { limit: '200', ...(query.cursor && { cursor: query.cursor }) }
    const { orgId } = params
    return (await ask<Overview>('getOrganizationOverview', { params: { orgId }, query: asked }))
      .body
  },
  view: homeView,
})

/** Everything that waits for the reader, across apps. */
export const turnPage = page({
  path: addresses.turn,
  template: 'home/turn',
  read: readOverview,
  view: turnView,
})

async function readOverview({ ask, params, query }: PageCall): Promise<Overview> {
  const asked = { limit: '200', ...(query.cursor && { cursor: query.cursor }) }
  const of = { params: { orgId: params.orgId }, query: asked }
  return (await ask<Overview>('getOrganizationOverview', of)).body
}
