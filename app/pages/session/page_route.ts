import type { HttpContext, Router } from '@adonisjs/core/http'
import type { Page } from './page.js'

/**
 * Gives a page its route, as `GET` (with `HEAD`) or `POST`: with headers, session, form and token
 * of forms. All of that is for pages alone, and loaded by the first that is asked for.
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
