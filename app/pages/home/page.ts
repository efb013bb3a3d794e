import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { localized } from '../words/obstacles.js'
import type { Overview } from './overview.js'
import { homeView, turnView } from './view.js'

/** Home of an organization: all apps with their releases, and what waits for the reader on top. */
export const homePage = page({
  path: addresses.home,
  template: 'home/page',
  read: readOverview,
  view: homeView,
})

/** Everything that waits for the reader, across apps. */
export const turnPage = page({
  path: addresses.turn,
  template: 'home/turn',
  read: readOverview,
  view: turnView,
})

/** Asks for an overview. Its messages tell instants as the reader does. */
async function readOverview({ ask, params, query, reader }: PageCall): Promise<Overview> {
  const asked = { limit: '200', ...(query.cursor && { cursor: query.cursor }) }
  const of = { params: { orgId: params.orgId }, query: asked }
  const { data, pagination } = (await ask<Overview>('getOrganizationOverview', of)).body
  const told = data.map((app) => ({
    ...app,
    release: app.release && localized(app.release, reader),
  }))
  return { data: told, pagination }
}
