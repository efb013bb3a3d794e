import type { HttpContext, Router } from '@adonisjs/core/http'
import type { Page } from './page.js'

/**
 * Adds the route of a page, for `GET` (with `HEAD`) or `POST`. The code for headers, session and
 * forms serves pages alone, so it is loaded with the first page that is requested.
 */
export function pageRoute(
  router: Router,
  method: 'GET' | 'POST',
  pattern: string,
  load: () => Promise<Page>
): void {
  const methods = method === 'GET' ? ['GET', 'HEAD'] : [method]
  router
    .route(pattern, methods, async (http: HttpContext) => {
      const [{ servePage }, page] = await Promise.all([import('./serve_page.js'), load()])
      await servePage(http, page)
    })
    .as(`page ${method} ${pattern}`)
}
