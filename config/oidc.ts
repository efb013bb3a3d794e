import type { OidcSettings } from '#pages/session/oidc/settings'
import env from '#start/env'

const LOOPBACK = /^(localhost|\[::1\]|127\.\d+\.\d+\.\d+)$/

/** The provider of OpenID Connect that people sign in with, see `docs/reference/settings.md`. */
export const oidc: OidcSettings | null = readSettings()

/** @throws Error for an issuer over plain HTTP, other than loopback */
function readSettings(): OidcSettings | null {
  const issuer = env.get('OIDC_ISSUER')
  if (!issuer) return null
  const { protocol, hostname } = new URL(issuer)
  if (protocol !== 'https:' && !LOOPBACK.test(hostname)) {
    throw new Error('OIDC_ISSUER has to begin with https://.')
  }
  return {
    issuer,
    clientId: env.get('OIDC_CLIENT_ID')!,
    clientSecret: env.get('OIDC_CLIENT_SECRET')!,
    name: env.get('OIDC_NAME') ?? hostname,
    newUsers: env.get('OIDC_NEW_USERS') ?? false,
  }
}
