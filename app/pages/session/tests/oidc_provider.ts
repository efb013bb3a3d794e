import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import app from '@adonisjs/core/services/app'
import { exportJWK, generateKeyPair } from 'jose'
import type OidcProvider from 'oidc-provider'
import type { OidcSettings } from '../oidc/settings.js'
import { Browser } from './browser.js'

/** Claims of the provider about whoever signs in there. */
interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** A provider of OpenID Connect on this machine, at which somebody is always signed in. */
export interface TestProvider {
  /** The person who signs in next. */
  whoever: Claims
  settings: OidcSettings
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const testService = `http://${process.env.HOST}:${process.env.PORT}`

/** Starts a provider that knows a service, whose address may be known later than its own. */
export async function startProvider(service: () => string = () => testService) {
  let handle: Promise<Handler> | undefined
  const server = createServer((request, response) => {
    handle ??= handlerOf(test, service())
    void handle.then((each) => each(request, response))
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const test: TestProvider = {
    whoever: { sub: 'nobody' },
    settings: {
      issuer,
      clientId: 'tarmac',
      clientSecret: 'a secret of the provider and the service',
      name: 'Acme ID',
      newUsers: false,
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return test
}

/** Starts a provider, and has the service under test know it until it is closed. */
export async function useProvider(given: Partial<OidcSettings> = {}): Promise<TestProvider> {
  const holder = await app.container.make('pages.oidc')
  const provider = await startProvider()
  Object.assign(provider.settings, given)
  holder.settings = provider.settings
  const { close } = provider
  provider.close = () => {
    holder.settings = null
    return close()
  }
  return provider
}

const HOUR_S = 3600

async function handlerOf(test: TestProvider, service: string): Promise<Handler> {
  const { default: Provider } = await import('oidc-provider')
  const { issuer, clientId, clientSecret } = test.settings
  const { privateKey } = await generateKeyPair('RS256', { extractable: true })
  const found: Record<string, Claims> = {}
  const provider: OidcProvider = new Provider(issuer, {
    clients: [
      {
        client_id: clientId,
        client_secret: clientSecret,
        redirect_uris: [`${service}/sign-in/oidc/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' }] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of the test'] },
    ttl: {
      ...{ AccessToken: HOUR_S, Grant: HOUR_S },
      ...{ IdToken: HOUR_S, Interaction: HOUR_S },
      Session: HOUR_S,
    },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => found[sub] }),
    async loadExistingGrant({ oidc }) {
      const accountId = oidc.session!.accountId
      const grant = new provider.Grant({ clientId: oidc.client!.clientId, accountId })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  return (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    const { sub } = test.whoever
    found[sub] = test.whoever
    void provider.interactionFinished(request, response, { login: { accountId: sub } })
  }
}

interface Going {
  /** Page of the service that leads there. */
  begin?: string
  /** Changes the address that the service leads to. */
  change?: (url: string) => string
}

/** Goes to the provider and returns the address to which it sends the browser back. */
export async function comeBack(
  browser: Browser,
  { begin = '/sign-in/oidc', change = (url) => url }: Going = {}
): Promise<string> {
  const begun = await browser.get(begin)
  const atProvider = new Browser()
  let url = change(begun.location!)
  while (!url.includes('/sign-in/oidc/callback')) {
    const { location } = await atProvider.get(url)
    url = new URL(location!, url).href
  }
  return url
}
