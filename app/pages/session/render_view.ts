import type { HttpContext } from '@adonisjs/core/http'
import type {} from '@adonisjs/shield/shield_middleware'
import { requestId } from '#foundation/api/http/request_id'
import { renderTemplate } from '../frame/engine.js'
import { plainFrame, problemHtml } from '../frame/plain_page.js'
import { sendHtml } from '../frame/send_html.js'
import { signedInOf } from './signed_in.js'

/** The members of a view that the page frame shows. */
interface FrameMembers {
  title: string
  /** The notice from the form that was sent last. */
  said?: string | null
  /** Errors by field; `form` holds an error about the whole form. */
  errors?: Readonly<Record<string, string | null | undefined>>
}

/** Answers with a sign-in page, with the CSRF token that its forms carry. */
export async function renderView(
  http: HttpContext,
  name: string,
  view: FrameMembers & Readonly<Record<string, unknown>>
): Promise<void> {
  const { title, said = null, errors = {} } = view
  const refusal = refusalOf(errors)
  const frame = plainFrame({
    title: refusal ? `Error: ${title}` : title,
    theme: themeOf(http),
    said,
    refusal,
  })
  const state = { view: { ...view, token: http.request.csrfToken ?? '' }, frame }
  await sendHtml(http, renderTemplate(`session/views/${name}`, state))
}

const themeOf = (http: HttpContext) => signedInOf(http)?.account.theme ?? null

/** Returns the notice above a refused form, with links to its fields. */
function refusalOf({ form, ...fields }: NonNullable<FrameMembers['errors']>) {
  const places = Object.entries(fields).flatMap(([field, message]) =>
    message ? [{ field, message }] : []
  )
  if (!form && places.length === 0) return null
  const detail = form ?? 'Something is missing or wrong.'
  return { title: 'Not done', detail, places, who: null }
}

/** The reason why a page was not served. */
export interface PageProblem {
  status: number
  title: string
  detail: string
}

/** Answers with a problem page. */
export async function renderProblem(
  http: HttpContext,
  { status, title, detail }: PageProblem
): Promise<void> {
  http.response.status(status)
  // The rest of the body stays unread, so the connection cannot be reused.
  if (!http.request.request.complete) http.response.header('connection', 'close')
  const id = status >= 500 ? requestId(http) : null
  const html = problemHtml(
    {
      icon: 'octagon-alert',
      heading: title,
      text: detail,
      who: null,
      requestId: id,
      back: { href: '/', name: 'Home' },
    },
    { theme: themeOf(http) }
  )
  await sendHtml(http, html)
}
