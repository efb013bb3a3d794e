import type { HttpContext, Router } from '@adonisjs/core/http'
import { routePattern } from '#foundation/api/operation/route_pattern'
import { serveAsset } from './frame/assets_controller.js'
import type { AnyPage, Form } from './frame/page.js'
import { homePage } from './home/page.js'
import type { PageAdapter } from './frame/page_adapter.js'

/** Every page of the interface. */
export const pages: readonly AnyPage[] = [homePage]

/** Every form of the interface. */
export const forms: readonly Form[] = []

/** Wraps the handler of a page: with a session, a parsed form and the check of its token. */
export type WithSession = (
  handler: (http: HttpContext) => Promise<void>
) => (http: HttpContext) => Promise<void>

/** Gives every page, every form and the files they name their routes. */
export function mountPages(router: Router, adapter: PageAdapter, withSession: WithSession): void {
  for (const page of pages) {
    router.route(
      routePattern(page.path),
      ['GET', 'HEAD'],
      withSession((http) => adapter.serve(page, http))
    )
  }
  for (const form of forms) {
    router.post(
      routePattern(form.path),
      withSession((http) => adapter.submit(form, http))
    )
  }
  router.get('/assets/:file', serveAsset)
}
