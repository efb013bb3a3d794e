import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import app from '@adonisjs/core/services/app'
import type { OidcSettings } from '../oidc/settings.js'

/** What the provider tells of whoever signs in there. */
interface Claims {
  sub: string
  email?: string
  email_verified?: boolean
  name?: string
}

/** A provider of OpenID Connect on this machine, at which somebody is always signed in. */
export interface TestProvider {
  /** Who signs in next. */
  whoever: Claims
  issuer: string
  settings: OidcSettings
  close(): Promise<void>
}

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Starts a provider, and has the service know it until it is closed. */
export async function startProvider(newUsers = false): Promise<TestProvider> {
  const { default: Provider } = await import('oidc-provider')
  let handle: Handler = () => {}
  const server = createServer((request, response) => handle(request, response))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const service = `http://${process.env.HOST}:${process.env.PORT}`
  const client = { id: 'tarmac', secret: 'a secret of the provider and the service' }
  const found: Record<string, Claims> = {}
  const provider = new Provider(issuer, {
    clients: [
      {
        client_id: client.id,
        client_secret: client.secret,
        redirect_uris: [`${service}/sign-in/oidc/callback`],
        token_endpoint_auth_method: 'client_secret_post',
      },
    ],
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    cookies: { keys: ['of the test'] },
    findAccount: (_context, sub) => ({ accountId: sub, claims: async () => found[sub] }),
    async loadExistingGrant({ oidc }) {
      const grant = new provider.Grant({
        clientId: oidc.client!.clientId,
        accountId: oidc.session!.accountId,
      })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  const callback = provider.callback()
  handle = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void callback(request, response)
    found[test.whoever.sub] = test.whoever
    const login = { accountId: test.whoever.sub }
    void provider.interactionFinished(request, response, { login })
  }
  const holder = await app.container.make('pages.oidc')
  const test: TestProvider = {
    whoever: { sub: 'nobody' },
    issuer,
    settings: {
      issuer,
      ...{ clientId: client.id, clientSecret: client.secret, name: 'Acme ID', newUsers },
    },
    async close() {
      holder.settings = null
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  holder.settings = test.settings
  return test
}
