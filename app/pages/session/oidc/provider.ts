import { HOUR } from '#foundation/core/durations'
import app from '@adonisjs/core/services/app'
import * as oidc from 'openid-client'
import { clock } from '#foundation/core/services'
import { isLoopback } from '../transport.js'
import type { OidcSettings } from './settings.js'

/** Milliseconds for which the metadata and the keys of a provider are cached. */
const CACHED_MS = HOUR

/** Most bytes of an answer of a provider. */
const MAX_BYTES = 512 * 1024

interface Cached {
  settings: OidcSettings
  until: number
  discovered: Promise<oidc.Configuration>
}

let cached: Cached | null = null

/** Finds a provider by its issuer. @throws if the provider does not answer as it should */
export function providerOf(settings: OidcSettings): Promise<oidc.Configuration> {
  const now = clock.milliseconds()
  if (cached?.settings !== settings || cached.until < now) {
    const discovered = discover(settings)
    const latest = { settings, until: now + CACHED_MS, discovered }
    cached = latest
    discovered.catch(() => {
      if (cached === latest) cached = null
    })
  }
  return cached.discovered
}

function discover({ issuer, clientId, clientSecret }: OidcSettings): Promise<oidc.Configuration> {
  const url = new URL(issuer)
  const execute = [oidc.enableNonRepudiationChecks]
  // A provider on this machine, for development: settings refuse others without TLS.
  if (isLoopback(url.hostname)) execute.push(oidc.allowInsecureRequests)
  return oidc.discovery(url, clientId, clientSecret, undefined, {
    execute,
    [oidc.customFetch]: fetchOutbound,
  })
}

/** Sends a request with the outbound client, which connects only where its settings allow. */
async function fetchOutbound(url: string, options: oidc.CustomFetchOptions): Promise<Response> {
  const outbound = await app.container.make('outbound')
  const { method, headers, body, signal } = options
  const answer = await outbound.request({
    url,
    method: method as 'GET' | 'POST',
    headers,
    body: body ? Buffer.from(String(body)) : undefined,
    maxBytes: MAX_BYTES,
    signal,
  })
  if (answer.errorClass !== null) throw new Error(answer.errorMessage ?? answer.errorClass)
  if (answer.truncated) throw new Error('The provider answered more than is read')
  const hasBody = answer.status !== 204 && answer.status !== 304
  return new Response(hasBody ? new Uint8Array(answer.body) : null, {
    status: answer.status!,
    headers: answer.headers,
  })
}
