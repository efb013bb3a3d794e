import { defineConfig as defineBodies } from '@adonisjs/core/bodyparser'
import BodyParserMiddleware from '@adonisjs/core/bodyparser_middleware'
import type { HttpContext } from '@adonisjs/core/http'
import { errors } from '@adonisjs/shield'
import { problemOf } from '#foundation/api/execution/problem_of'
import { requestId } from '#foundation/api/http/request_id'
import { MemoryCounts } from '#foundation/api/limits/memory_counts'
import { declarationOf } from '#foundation/core/problems/catalog'
import { clock } from '#foundation/core/services'
import { checkToken } from './form_tokens.js'
import { setPageHeaders } from './page_headers.js'
import { keepForm } from './kept_form.js'
import type { Page } from './page.js'
import { isPoll } from './polls.js'
import { renderProblem, renderView, type PageProblem } from './render_view.js'
import { signedInOf } from './signed_in.js'
import { REPEAT, RESEND, STOP } from './stop.js'
import { transportOf } from './transport.js'
import { closeVisit, openVisit } from './visits.js'

/** The most fields of a form, which is also the most values of one field. */
const MAX_FIELDS = 1000

/** Parses forms only, and does not trim: a password may end with a space. */
const bodies = new BodyParserMiddleware(
  defineBodies({
    form: {
      ...{ limit: '1mb', convertEmptyStringsToNull: false, trimWhitespaces: false },
      // A field is named by its place, such as `settings.host`, and is a text or a list of texts.
      queryString: { allowDots: false, depth: 0, parseArrays: false, arrayLimit: MAX_FIELDS },
    },
    json: { types: [] },
    raw: { types: [] },
    multipart: { types: [], autoProcess: false },
  })
)

const TOO_LARGE =
  'Nothing was done: the form holds more than 1 MB. Go back, shorten it, and send it again.'

const WITH_NUL =
  'Nothing was done: a field has a NUL character, which is in no text. Go back, remove it, and send the form again.'

/** The most requests per second of one session, in this process. */
const PER_SECOND = 20

const counts = new MemoryCounts(() => clock.milliseconds())

/** Serves a page: transport, form, session, rate limit and token are checked first. */
export async function servePage(http: HttpContext, page: Page): Promise<void> {
  requestId(http)
  setPageHeaders(http, { secret: page.isSecret })
  try {
    if (!transportOf(http).isPrivate) return await refuseOpenTransport(http)
    const fault = http.request.method() === 'POST' ? await readForm(http) : null
    if (fault) return await renderProblem(http, fault)
    await openVisit(http)
    const signedIn = signedInOf(http)
    if (!page.isOpen && !signedIn) return await toSignIn(http, page)
    if (signedIn && !page.isUrgent && (await isTooMuch(http, signedIn.signInId))) return
    await carryOut(http, page)
    await closeVisit(http)
  } catch (error) {
    await showFailure(http, error)
  }
}

/** Counts the requests of a session and refuses too many: open pages poll all day. */
async function isTooMuch(http: HttpContext, signInId: string): Promise<boolean> {
  const { refusedBy } = await counts.take(signInId, { perSecond: PER_SECOND, perDay: null })
  if (refusedBy === null) return false
  http.response.header('retry-after', '1')
  const detail = `A session may load ${PER_SECOND} pages a second. Nothing was done.`
  await renderProblem(http, { status: 429, title: 'Too many requests', detail })
  return true
}

async function carryOut(http: HttpContext, page: Page): Promise<void> {
  try {
    await checkToken(http)
  } catch (error) {
    if (!(error instanceof errors.E_BAD_CSRF_TOKEN)) throw error
    http.response.status(403)
    if (page.showAgain) await page.showAgain(http)
    else await renderView(http, 'stale', { title: 'Not done', address: pageOf(http) })
    return
  }
  await page.handle(http)
}

async function showFailure(http: HttpContext, error: unknown): Promise<void> {
  const { status, code, message, extras, headers } = problemOf(error)
  if (status >= 500 && extras.cause !== undefined) {
    http.logger.error({ err: extras.cause, requestId: requestId(http) }, 'a page failed')
  }
  for (const [name, value] of Object.entries(headers)) {
    http.response.header(name, value)
  }
  await renderProblem(http, { status, title: declarationOf(code)[1], detail: message })
}

/** Answers a request without TLS: others could read a password, so the page does not ask for one. */
async function refuseOpenTransport(http: HttpContext): Promise<void> {
  if (http.request.method() === 'POST') http.response.status(403)
  await renderView(http, 'insecure', {
    title: 'Tarmac is not reached over TLS',
    port: http.request.request.socket.localPort,
  })
}

/**
 * Reads the form of a request. Browsers send `sec-fetch-site`, which must not be another site; old
 * browsers and programs do not send it.
 * @returns the reason to refuse it; null for none
 */
async function readForm(http: HttpContext): Promise<PageProblem | null> {
  const site = http.request.header('sec-fetch-site') ?? 'none'
  if (site !== 'same-origin' && site !== 'none') {
    return { status: 403, title: 'Not done', detail: 'This form came from another site.' }
  }
  try {
    if (http.request.is(['multipart/form-data'])) {
      const { readFormWithFiles } = await import('./read_form_with_files.js')
      await readFormWithFiles(http)
    } else await bodies.handle(http, async () => {})
    const texts: string[] = Object.values(http.request.body()).flat()
    // PostgreSQL stores no text with one.
    if (texts.some((text) => text.includes('\0'))) {
      return { status: 400, title: 'Not done', detail: WITH_NUL }
    }
    return null
  } catch (error) {
    const { status } = error as { status?: number }
    if (status === 413) {
      return { status, title: 'Not done', detail: TOO_LARGE }
    }
    if (status === undefined || status >= 500) throw error
    return { status, title: 'Not done', detail: 'The form could not be read.' }
  }
}

/**
 * Redirects to the sign-in page, which leads back to this page or the page of the form. A poll gets
 * a 401 instead: the open page then shows that it is not live, and typed input is not lost.
 */
async function toSignIn(http: HttpContext, page: Page): Promise<void> {
  const { request, response } = http
  const { isUrgent, shownAt } = page
  const isForm = request.method() === 'POST'
  const shown = isForm ? (shownAt?.(http) ?? pageOf(http)) : request.url(true)
  const next = isUrgent ? toStop(shown) : shown
  const kept = isForm && !isUrgent ? await keep(http, page, shown) : null
  const to = isUrgent ? STOP : kept
  const query = new URLSearchParams({ next, ...(to && { to }) })
  const address = `/sign-in?${query}`
  const isPolled = isPoll(http)
  const isScript = request.header('hx-request') !== undefined
  if (isScript && !isPolled) response.header('hx-redirect', address)
  if (!isScript) response.header('location', address)
  const redirect = isScript ? 200 : 303
  response.status(isPolled ? 401 : redirect)
  response.send('')
}

/** Keeps what was typed. Returns the value of `to=` that tells the sign-in page about it. */
async function keep(http: HttpContext, { sent }: Page, page: string) {
  const { by, typed } = sent?.(http) ?? { by: null, typed: null }
  if (typed === null || !(await keepForm(http, by, page, typed))) return REPEAT
  await closeVisit(http)
  return RESEND
}

/** Returns the address of a page with the focus on its red button; people still have to press it. */
function toStop(path: string): string {
  const [page, query] = path.split('?')
  const asked = new URLSearchParams(query)
  asked.set('to', STOP)
  return `${page}?${asked}`
}

/** Returns the path of the page that shows a form, by its `Referer`; else the path of the form. */
function pageOf(http: HttpContext): string {
  const referrer = http.request.header('referer')
  if (referrer && URL.canParse(referrer)) {
    const { origin, pathname, search } = new URL(referrer)
    if (origin === transportOf(http).origin) return pathname + search
  }
  return http.request.url()
}
