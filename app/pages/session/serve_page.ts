import { defineConfig as defineBodies } from '@adonisjs/core/bodyparser'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'
import type { HttpContext } from '@adonisjs/core/http'
import { errors } from '@adonisjs/shield'
import { problemOf } from '#foundation/api/execution/problem_of'
import { requestId } from '#foundation/api/http/request_id'
import { declarationOf } from '#foundation/core/problems/catalog'
import { checkToken } from './form_tokens.js'
import { seeOther } from './forms.js'
import { setPageHeaders } from './page_headers.js'
import type { Page } from './page.js'
import { renderProblem, renderView, type PageProblem } from './render_view.js'
import { signedInOf } from './signed_in.js'
import { transportOf } from './transport.js'
import { closeVisit, openVisit } from './visits.js'

/** Forms alone, as they were typed: a password may end with a space. */
const bodies = new BodyParserMiddleware(
  defineBodies({
    form: { limit: '1mb', convertEmptyStringsToNull: false, trimWhitespaces: false },
    json: { types: [] },
    raw: { types: [] },
    multipart: { types: [], autoProcess: false },
  })
)

/** Carries out a page with all that pages have in common. */
export async function servePage(http: HttpContext, page: Page): Promise<void> {
  requestId(http)
  setPageHeaders(http, { secret: page.isSecret })
  try {
    if (!transportOf(http).isPrivate) return await refuseOpenTransport(http)
    const fault = http.request.method() === 'POST' ? await readForm(http) : null
    if (fault) return await renderProblem(http, fault)
    await openVisit(http)
    if (!page.isOpen && !signedInOf(http)) return toSignIn(http)
    await carryOut(http, page)
    await closeVisit(http)
  } catch (error) {
    await showFailure(http, error)
  }
}

async function carryOut(http: HttpContext, page: Page): Promise<void> {
  try {
    await checkToken(http)
  } catch (error) {
    if (!(error instanceof errors.E_BAD_CSRF_TOKEN)) throw error
    http.response.status(403)
    if (page.showAgain) await page.showAgain(http)
    else await renderView(http, 'stale', { address: pageOf(http) })
    return
  }
  await page.handle(http)
}

async function showFailure(http: HttpContext, error: unknown): Promise<void> {
  const { status, code, message, extras } = problemOf(error)
  if (status >= 500 && extras.cause !== undefined) {
    http.logger.error({ err: extras.cause, requestId: requestId(http) }, 'a page failed')
  }
  for (const [name, value] of Object.entries(extras.headers ?? {})) {
    http.response.header(name, value)
  }
  await renderProblem(http, { status, title: declarationOf(code)[1], detail: message })
}

/** A password would be read on the way, so the page says what is missing and takes none. */
async function refuseOpenTransport(http: HttpContext): Promise<void> {
  if (http.request.method() === 'POST') http.response.status(403)
  await renderView(http, 'insecure', { port: http.request.request.socket.localPort })
}

/**
 * Reads the form of a request. Browsers say from where one comes; old ones, and programs, do not.
 * @returns why it is not taken
 */
async function readForm(http: HttpContext): Promise<PageProblem | null> {
  const site = http.request.header('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') {
    return { status: 403, title: 'Not done', detail: 'This form came from another site.' }
  }
  try {
    await bodies.handle(http, async () => {})
    return null
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === 413) {
      return { status, title: 'Not done', detail: 'The form holds more than 1 MB.' }
    }
    if (status === undefined || status >= 500) throw error
    return { status, title: 'Not done', detail: 'The form could not be read.' }
  }
}

/**
 * Leads to the sign-in page and back, to the page that a form was on. A poll is told alone, so that
 * nothing typed is lost.
 */
function toSignIn(http: HttpContext): void {
  const { request, response } = http
  const next = request.method() === 'POST' ? pageOf(http) : request.url(true)
  const address = `/sign-in?${new URLSearchParams({ next })}`
  response.header('cache-control', 'no-store')
  if (request.header('x-poll')) return response.status(401).send('')
  if (!request.header('hx-request')) return seeOther(http, address)
  // Script would take a redirect for the part that it asked for.
  response.header('hx-redirect', address).status(200).send('')
}

/** Path of the page that a form was on, as the browser tells it; else that of the form. */
function pageOf(http: HttpContext): string {
  const referrer = http.request.header('referer')
  if (referrer && URL.canParse(referrer)) {
    const { origin, pathname, search } = new URL(referrer)
    if (origin === transportOf(http).origin) return pathname + search
  }
  return http.request.url()
}
