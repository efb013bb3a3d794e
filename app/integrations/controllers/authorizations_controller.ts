import app from '@adonisjs/core/services/app'
import type { OperationResponse } from '#foundation/api/operation/response'
import type { Call, Wire } from '#foundation/api/operation/declaration'
import { addressOf } from '#foundation/core/address_of'
import { Problem, refuse } from '#foundation/core/problems/problem'
import { pageAddresses } from '../page_addresses.js'
import type { AuthorizationAnswer } from '../oauth/finish_authorization.js'

const page = (title: string, body: string) => `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${title}</title></head>
<body><h1>${title}</h1>${body}</body></html>
`

/**
 * Security headers: the address contains single-use values, so it is never a referrer, and a page
 * may load only what it needs.
 */
const protection = (more = '') => ({
  'content-security-policy': `default-src 'none'${more}`,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
})

const html = (text: string, more?: string): OperationResponse => ({
  status: 200,
  raw: { bytes: text, contentType: 'text/html; charset=utf-8' },
  headers: protection(more),
})

const escaped = (text: string) =>
  text.replaceAll(/[&<>"']/g, (character) => `&#${character.codePointAt(0)};`)

/** Redirects the browser to the page that checks its session. */
function onPages(orgId: string, query: AuthorizationAnswer): OperationResponse {
  const result = new URLSearchParams(Object.entries(query))
  const location = `${addressOf(pageAddresses.authorized, { orgId })}?${result}`
  return { status: 303, headers: { ...protection(), location } }
}

/** Redirects browsers to a page that explains a problem; programs get the problem itself. */
async function inBrowser(
  { body }: { body: Wire },
  work: () => Promise<OperationResponse>
): Promise<OperationResponse> {
  try {
    return await work()
  } catch (error) {
    const isShown = body.headers['sec-fetch-dest'] === 'document' && error instanceof Problem
    if (!isShown || error.status === 500) throw error
    const location = `${pageAddresses.notConnected}?${new URLSearchParams({ why: error.code })}`
    return { status: 303, headers: { ...protection(), location } }
  }
}

/** Serves the addresses of connections that are made in a browser. */
export class AuthorizationsController {
  begin = (call: Call<Wire, { state: string }>): Promise<OperationResponse> =>
    inBrowser(call, () => this.#begin(call.query.state))

  finish = (call: Call<Wire, Partial<AuthorizationAnswer>>): Promise<OperationResponse> =>
    inBrowser(call, () => this.#finish(call.query))

  async #begin(state: string): Promise<OperationResponse> {
    const finish = await app.container.make('integrations.authorizations')
    const { name, url, form } = await finish.page(state)
    const fields = Object.entries(form).map(
      ([key, value]) => `<input type="hidden" name="${escaped(key)}" value="${escaped(value)}">`
    )
    const body = `<p>${escaped(name)} makes the key, and leads back here.</p>
<form method="post" action="${escaped(url)}">${fields.join('')}<button>Go to ${escaped(name)}</button></form>`
    return html(page(`Connect ${escaped(name)}`, body), `; form-action ${new URL(url).origin}`)
  }

  async #finish({ state, ...more }: Partial<AuthorizationAnswer>): Promise<OperationResponse> {
    if (state === undefined) {
      throw refuse('authorization_unknown', {
        detail: 'The response of the provider belongs to no authorization that was started here.',
      })
    }
    const finish = await app.container.make('integrations.authorizations')
    const result = { state, ...more }
    const orgId = await finish.beganOnPages(state)
    if (orgId !== null) return onPages(orgId, result)
    const done = await finish.handle(result)
    if ('url' in done) return { status: 303, headers: { ...protection(), location: done.url } }
    const body = `<p>The connection is <code>${done.id}</code>. You may close this page.</p>`
    return html(page('Connected', body))
  }
}
