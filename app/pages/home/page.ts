import { addresses } from '../addresses.js'
import { page, type PageCall } from '../frame/page.js'
import { localized } from '../words/obstacles.js'
import { appsOf, releasesOf } from './overview.js'
import { chooseAppView, homeView, turnView } from './view.js'

/** Home of an organization: all apps with their releases, and what waits for the reader on top. */
export const homePage = page({
  path: addresses.home,
  template: 'home/page',
  read: readApps,
  view: homeView,
})

/** Everything that waits for the reader, across apps. */
export const turnPage = page({
  path: addresses.turn,
  template: 'home/turn',
  read: readApps,
  view: turnView,
})

/** The page to choose the app of a new release. */
export const chooseAppPage = page({
  path: addresses.chooseApp,
  template: 'home/choose_app',
  read: appsOf,
  view: chooseAppView,
})

/** Reads all apps with their releases. Messages show instants in the reader's time zone. */
async function readApps(call: PageCall) {
  const { reader, baseUrl } = call
  const apps = (await releasesOf(call)).map((app) => ({
    ...app,
    release: app.release && localized(app.release, reader),
  }))
  return { apps, baseUrl }
}
