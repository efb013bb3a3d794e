import { HOUR } from '#foundation/core/durations'
import app from '@adonisjs/core/services/app'
import * as oidc from 'openid-client'
import { clock } from '#foundation/core/services'
import { isLoopback } from '../transport.js'
import type { OidcSettings } from './settings.js'

/** Milliseconds for which the metadata and the keys of a provider are cached. */
const CACHED_MS = HOUR

/** Maximum size of a response, in bytes. */
const MAX_BYTES = 512 * 1024

interface Cached {
  settings: OidcSettings
  until: number
  discovered: Promise<oidc.Configuration>
}

let cached: Cached | null = null

/** Finds a provider by its issuer. @throws if the response of the provider is invalid */
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
  // For development, a provider on this machine may lack TLS. The settings refuse all others.
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
  const response = await outbound.request({
    url,
    method: method as 'GET' | 'POST',
    headers,
    body: body ? Buffer.from(String(body)) : undefined,
    maxBytes: MAX_BYTES,
    signal,
  })
  if (response.errorClass !== null) throw new Error(response.errorMessage ?? response.errorClass)
  if (response.truncated) throw new Error('The response of the provider is too large')
  const hasBody = response.status !== 204 && response.status !== 304
  return new Response(hasBody ? new Uint8Array(response.body) : null, {
    status: response.status!,
    headers: response.headers,
  })
}
