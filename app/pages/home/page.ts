import { addresses } from '../addresses.js'
import { page } from '../frame/page.js'
import type { Overview } from './overview.js'
import { homeView } from './view.js'

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
