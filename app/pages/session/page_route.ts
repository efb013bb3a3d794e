import type { HttpContext, Router } from '@adonisjs/core/http'

/** A page, and what is done around it. */
export interface Page {
  /** Answers. It is called with the form read and checked, and the session at hand. */
  handle(http: HttpContext): Promise<unknown>
  /** Who is not signed in sees it too. */
  isOpen?: boolean
  /** Shows or takes secrets: nobody keeps it. */
  isSecret?: boolean
  /** Shows a form again whose token is too old, with what was typed; nothing was done. */
  showAgain?(http: HttpContext): Promise<unknown>
}

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
