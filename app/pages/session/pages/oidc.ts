import app from '@adonisjs/core/services/app'
import type { HttpContext } from '@adonisjs/core/http'
import { signInByOidc, type OidcRefusal } from '../actions/sign_in_by_oidc.js'
import { seeOther } from '../forms.js'
import { nextAddressOf } from '../next_address.js'
import {
  beginAuthorization,
  finishAuthorization,
  type Begun,
  type Identity,
} from '../oidc/authorization.js'
import type { OidcSettings } from '../oidc/settings.js'
import type { Page } from '../page.js'
import { renderProblem } from '../render_view.js'
import { transportOf } from '../transport.js'
import { beginSession } from '../visits.js'

/** The member of a visitor's session that holds a sign-in under way. */
const BEGUN = 'oidc'

const REFUSED: Readonly<Record<OidcRefusal, string>> = {
  unverified: 'The provider does not vouch for your e-mail address, which is how you are known.',
  bound: 'Your e-mail address belongs to somebody else at the provider. Ask the operator.',
  unknown: 'No organization knows your e-mail address. Ask an admin to add you.',
  severalOrganizations:
    'There are several organizations, and you belong to none of them. Ask an admin of yours to add you.',
}

async function settingsOf(): Promise<OidcSettings | null> {
  return (await app.container.make('pages.oidc')).settings
}

const refuse = (http: HttpContext, status: number, detail: string) =>
  renderProblem(http, { status, title: 'Not signed in', detail })

/** Redirects to the provider, and remembers the sign-in in this browser. */
export const beginOidc: Page = {
  isOpen: true,
  isSecret: true,
  async handle(http) {
    const settings = await settingsOf()
    if (!settings) return refuse(http, 404, 'No provider of OpenID Connect is set up.')
    const { origin } = transportOf(http)
    const next = nextAddressOf(http.request.qs().next, origin)
    try {
      const { url, begun } = await beginAuthorization(settings, origin, next)
      http.session.put(BEGUN, begun)
      seeOther(http, url)
    } catch (error) {
      await refuseFailed(http, settings, error)
    }
  },
}

/** Signs in the person who comes back from the provider, once and in the browser that began it. */
export const finishOidc: Page = {
  isOpen: true,
  isSecret: true,
  async handle(http) {
    const settings = await settingsOf()
    const begun = http.session.pull(BEGUN, null) as Begun | null
    if (!settings || !begun) {
      return refuse(
        http,
        403,
        'This sign-in was not started in this browser, or has already ended.'
      )
    }
    const { origin } = transportOf(http)
    const { search: query } = new URL(http.request.request.url ?? '', origin)
    let identity: Identity
    try {
      identity = await finishAuthorization(settings, origin, { begun, query })
    } catch (error) {
      return refuseFailed(http, settings, error)
    }
    const signedIn = await signInByOidc(identity, settings.newUsers)
    if ('refused' in signedIn) return refuse(http, 403, REFUSED[signedIn.refused])
    await beginSession(http, signedIn.accountId)
    seeOther(http, begun.next ?? '/')
  },
}

/** Says that the sign-in failed. The reason is for the operator, in the log. */
async function refuseFailed(http: HttpContext, { name }: OidcSettings, error: unknown) {
  http.logger.warn({ err: error }, 'a sign-in by OpenID Connect failed')
  await refuse(http, 502, `${name} did not sign you in. Try again, or ask the operator.`)
}
