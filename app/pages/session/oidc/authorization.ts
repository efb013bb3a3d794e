import * as oidc from 'openid-client'
import { providerOf } from './provider.js'
import type { OidcSettings } from './settings.js'

/** A sign-in that is under way at a provider, as the session of the browser remembers it. */
export interface Begun {
  state: string
  nonce: string
  verifier: string
  /** The address that it leads to. */
  next: string | null
}

/** The identity of a person, as a provider states it. */
export interface Identity {
  issuer: string
  subject: string
  /** In lower case; null if the provider does not vouch for it. */
  email: string | null
  name: string | null
}

const callbackOf = (origin: string) => `${origin}/sign-in/oidc/callback`

/** Begins a sign-in at a provider. @returns where to send the browser, and what to remember */
export async function beginAuthorization(
  settings: OidcSettings,
  origin: string,
  next: string | null
): Promise<{ url: string; begun: Begun }> {
  const provider = await providerOf(settings)
  const [state, nonce] = [oidc.randomState(), oidc.randomNonce()]
  const verifier = oidc.randomPKCECodeVerifier()
  const url = oidc.buildAuthorizationUrl(provider, {
    redirect_uri: callbackOf(origin),
    scope: 'openid email profile',
    state,
    nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
  })
  return { url: url.href, begun: { state, nonce, verifier, next } }
}

/**
 * Finishes a sign-in: redeems the code that the browser brings back from the provider.
 * @param query of the address that the browser came back to
 * @throws if this browser did not begin the sign-in, or the answer is not the provider's
 */
export async function finishAuthorization(
  settings: OidcSettings,
  origin: string,
  { begun, query }: { begun: Begun; query: string }
): Promise<Identity> {
  const provider = await providerOf(settings)
  const tokens = await oidc.authorizationCodeGrant(provider, new URL(callbackOf(origin) + query), {
    expectedState: begun.state,
    expectedNonce: begun.nonce,
    pkceCodeVerifier: begun.verifier,
    idTokenExpected: true,
  })
  const claims = tokens.claims()!
  const isComplete = claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint
  const reported = isComplete
    ? claims
    : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub)
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email:
      reported.email_verified === true && typeof reported.email === 'string'
        ? reported.email.trim().toLowerCase()
        : null,
    name:
      typeof reported.name === 'string' && reported.name !== ''
        ? reported.name.slice(0, 200)
        : null,
  }
}
