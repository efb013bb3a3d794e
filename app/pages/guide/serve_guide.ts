import type { HttpContext } from '@adonisjs/core/http'
import app from '@adonisjs/core/services/app'
import { compressed } from '#foundation/api/http/compress'
import { problemHtml } from '../frame/plain_page.js'
import { sendHtml } from '../frame/send_html.js'
import { GuideSite } from './site.js'

const YEAR_SECONDS = 365 * 24 * 3600
const GUIDE_PATH = '/guide'

const built = new GuideSite(app.makePath('docs/.vitepress/dist'))

/** Returns a policy that loads only from this service. Hashes allow inline scripts. */
const policyOf = (scripts: readonly string[]) =>
  [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

/** Serves the documentation that `npm run docs:build` has built. */
export async function serveGuide(http: HttpContext, site = built): Promise<void> {
  const { request, response } = http
  const path = request.url()
  // Relative links on the first page need the slash.
  if (path === GUIDE_PATH) return response.redirect().status(308).toPath(`${GUIDE_PATH}/`)
  const found = await site.find(path.slice(GUIDE_PATH.length + 1))
  response.header('x-content-type-options', 'nosniff')
  response.header('referrer-policy', 'same-origin')
  if (!found) return sendNotFound(http, found === null)
  response.header('content-security-policy', policyOf(found.scripts))
  response.header('etag', found.etag)
  response.header(
    'cache-control',
    found.isImmutable ? `public, max-age=${YEAR_SECONDS}, immutable` : 'public, no-cache'
  )
  if (request.header('if-none-match') === found.etag) return response.status(304).send('')
  response.header('content-type', found.contentType)
  response.send(await compressed(http, found.contentType, found.bytes, found.etag))
}

function sendNotFound(http: HttpContext, isUnbuilt: boolean): Promise<void> {
  const [heading, text] = isUnbuilt
    ? [
        'The guide is not built',
        'Build it in the folder of Tarmac with npm ci and npm run docs:build. The service does not have to be restarted.',
      ]
    : ['There is nothing here', 'The guide has no such page.']
  http.response.status(404)
  http.response.header('content-security-policy', policyOf([]))
  const back = isUnbuilt
    ? { href: '/', name: 'Go to Home' }
    : { href: `${GUIDE_PATH}/`, name: 'The guide' }
  const view = { icon: 'search' as const, heading, text, who: null, requestId: null, back }
  return sendHtml(http, problemHtml(view, { theme: null, navigation: null }))
}
