import type { Permits } from '../http.js'
import * as oauth from 'oauth4webapi'
import type { AuthScheme } from '../manifest.js'
import { ProviderError } from '../provider_error.js'
import type { AuthenticationDoor, Credentials, PortClock } from '../port/door.js'
import { brokenToken, refusedToken } from './refusals.js'
import { sign } from './signing.js'
import { readTokenAnswer, tokenOf } from './token_answers.js'
import type { Token } from './token_cache.js'

/** The input of a strategy for obtaining a token. */
export interface TokenInput<Scheme extends AuthScheme['scheme']> {
  scheme: Extract<AuthScheme, { scheme: Scheme }>
  credentials: Credentials
  door: AuthenticationDoor
  clock: PortClock
}

const GOOGLE_TOKENS = 'https://oauth2.googleapis.com/token'

/** Tokens are issued a minute back, because clocks differ. */
const SKEW_SECONDS = 60

/** GitHub takes ten minutes at most. */
const GITHUB_SECONDS = 540

const secondsOf = (clock: PortClock) => Math.floor(clock.milliseconds() / 1000)

/** Returns a credential that is text or a number, as text; '' if it is missing. */
export function textOf(credentials: Credentials, name: string): string {
  const value = Object.hasOwn(credentials, name) ? credentials[name] : undefined
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/**
 * Returns the JWT that the service signs, which is the token itself (App Store Connect and others).
 */
export async function jwtToken({ scheme, credentials, clock }: TokenInput<'jwt'>): Promise<Token> {
  const { alg, audience, lifetimeSeconds } = scheme
  const now = secondsOf(clock)
  const issuer = textOf(credentials, 'issuerId')
  const value = await sign(
    { alg, keyId: textOf(credentials, 'keyId') },
    textOf(credentials, 'privateKey'),
    {
      // Apple: a team key has an issuer, an individual key has none.
      ...(issuer === '' ? { sub: 'user' } : { iss: issuer }),
      aud: audience,
      iat: now,
      exp: now + lifetimeSeconds,
    }
  )
  return tokenOf(value, lifetimeSeconds, clock.milliseconds())
}

/**
 * Exchanges an assertion, signed with the key of a Google service account, for a token (RFC 7523).
 */
export async function googleToken(input: TokenInput<'googleServiceAccount'>): Promise<Token> {
  const { scheme, credentials, door, clock } = input
  const account = serviceAccountOf(textOf(credentials, 'serviceAccount'))
  const now = secondsOf(clock)
  const assertion = await sign({ alg: 'RS256', keyId: account.keyId }, account.privateKey, {
    iss: account.email,
    scope: scheme.scopes.join(' '),
    // The key file names an endpoint too; it is ignored, since a file is easily edited.
    aud: GOOGLE_TOKENS,
    iat: now,
    exp: now + 3600,
  })
  const form = new URLSearchParams({
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion,
  })
  const response = await door.fetch(GOOGLE_TOKENS, new URL(GOOGLE_TOKENS).origin, {
    method: 'POST',
    body: form,
    idempotent: true,
  })
  const result = await readSigned(response, clock, door.describeError)
  return tokenOf(result?.access_token, result?.expires_in, clock.milliseconds())
}

function serviceAccountOf(text: string) {
  let file: Record<string, unknown> = {}
  try {
    file = JSON.parse(text) as Record<string, unknown>
  } catch {
    // Falls through to the refusal: the parser's own message quotes the key.
  }
  const { client_email: email, private_key: privateKey, private_key_id: keyId } = file ?? {}
  if (typeof email !== 'string' || typeof privateKey !== 'string') {
    throw refusedToken('The service account is no key file of Google')
  }
  return { email, privateKey, ...(typeof keyId === 'string' ? { keyId } : {}) }
}

/** Signs a JWT as a GitHub app, and gets a token for one of its installations. */
export async function githubAppToken(input: TokenInput<'githubApp'>): Promise<Token> {
  const { credentials, door, clock } = input
  const base = baseOf(door)
  const now = secondsOf(clock)
  const jwt = await sign({ alg: 'RS256' }, textOf(credentials, 'privateKey'), {
    iss: textOf(credentials, 'appId'),
    iat: now - SKEW_SECONDS,
    exp: now + GITHUB_SECONDS,
  })
  door.learn(jwt)
  // An Enterprise Server has its API below a path.
  const prefix = new URL(base).hostname === 'api.github.com' ? '' : '/api/v3'
  const installation = encodeURIComponent(textOf(credentials, 'installationId'))
  const url = `${base}${prefix}/app/installations/${installation}/access_tokens`
  const response = await door.fetch(url, base, {
    method: 'POST',
    headers: { authorization: `Bearer ${jwt}`, accept: 'application/vnd.github+json' },
    // A new token does not invalidate existing ones.
    idempotent: true,
    template: '/app/installations/{installation}/access_tokens',
  })
  // The endpoint is part of the API, so its refusals have the same form.
  const result = await readSigned(response, clock, door.describeError)
  const expiresAt = Date.parse(String(result?.expires_at))
  const seconds = (expiresAt - clock.milliseconds()) / 1000
  const token = tokenOf(result?.token, seconds, clock.milliseconds())
  return { ...token, ...permitsIn(result?.permissions) }
}

/** Reads what a token permits; an answer of another form says nothing. */
function permitsIn(permissions: unknown): { permits?: Permits } {
  if (typeof permissions !== 'object' || permissions === null) return {}
  const isPlain = Object.values(permissions).every((each) => typeof each === 'string')
  return isPlain ? { permits: permissions as Permits } : {}
}

/** Reads the answer to a request that was signed with the time of this machine. */
const readSigned = async (
  response: Response,
  clock: PortClock,
  describe?: AuthenticationDoor['describeError']
) =>
  (await readTokenAnswer(response, clock.milliseconds(), { isSigned: true, describe })) as Record<
    string,
    unknown
  >

/** Exchanges an id and a secret of Xray for a token, which is the whole response. */
export async function twoStepToken(input: TokenInput<'twoStep'>): Promise<Token> {
  const { scheme, credentials, door, clock } = input
  const base = baseOf(door)
  const response = await door.fetch(new URL(scheme.tokenPath, base), base, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'accept': 'application/json' },
    body: JSON.stringify({
      client_id: textOf(credentials, 'clientId'),
      client_secret: textOf(credentials, 'clientSecret'),
    }),
    idempotent: true,
  })
  const result = await readTokenAnswer(response, clock.milliseconds())
  const members = (typeof result === 'object' ? result : {}) as Record<string, unknown> | null
  const value = typeof result === 'string' ? result : (members?.access_token ?? members?.token)
  return tokenOf(value, scheme.lifetimeSeconds, clock.milliseconds())
}

/** An OAuth token pair. A provider without rotation keeps the refresh token. */
export interface TokenPair {
  access: Token
  refreshToken: string
}

/** Renews a pair of OAuth 2 with its refresh token (RFC 6749, section 6). @throws RefreshRefused */
export async function refreshPair(
  input: TokenInput<'oauth2'>,
  refreshToken: string
): Promise<TokenPair> {
  const { scheme, door, clock } = input
  const { server, client, proof, origin } = endpointOf(input)
  const response = await oauth.refreshTokenGrantRequest(server, client, proof, refreshToken, {
    // The address guard decides whether plain http is allowed.
    [oauth.allowInsecureRequests]: true,
    [oauth.customFetch]: (url: string, init) =>
      door.fetch(url, origin, {
        method: 'POST',
        headers: init.headers,
        body: init.body,
        // A retry with a single-use refresh token would be refused for good.
        idempotent: !scheme.rotatingRefresh,
      }),
  })
  const nowMs = clock.milliseconds()
  if (!response.ok) await refusal(response, nowMs)
  const result = await oauth
    .processRefreshTokenResponse(server, client, response)
    .catch((error: unknown) => {
      if (error instanceof ProviderError) throw error
      throw brokenToken('The provider answered without a token')
    })
  return {
    access: tokenOf(result.access_token, result.expires_in, nowMs),
    refreshToken: result.refresh_token ?? refreshToken,
  }
}

/** The consent of a person in a browser. */
export interface AuthorizationGrant {
  code: string
  /** The redirect URI that the authorization request had. */
  redirectUri: string
  verifier: string
}

/**
 * Obtains the first pair of OAuth 2 for the code that the provider gave the browser (RFC 6749,
 * section 4.1.3; RFC 7636).
 * @returns a null refresh token where the provider gives none
 * @throws ProviderError `unauthorized` when the code is refused
 */
export async function firstPair(
  input: TokenInput<'oauth2'>,
  { code, redirectUri, verifier }: AuthorizationGrant
): Promise<{ access: Token; refreshToken: string | null }> {
  const { scheme, door, clock } = input
  const { server, client, proof, origin } = endpointOf(input)
  const validated = oauth.validateAuthResponse(
    server,
    client,
    new URLSearchParams({ code }),
    oauth.expectNoState
  )
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    proof,
    validated,
    redirectUri,
    scheme.pkce ? verifier : oauth.nopkce,
    {
      [oauth.allowInsecureRequests]: true,
      // A code can be used once, so the request is not idempotent.
      [oauth.customFetch]: (url: string, init) =>
        door.fetch(url, origin, { method: 'POST', headers: init.headers, body: init.body }),
    }
  )
  const nowMs = clock.milliseconds()
  if (!response.ok) await readTokenAnswer(response, nowMs)
  const result = await oauth
    .processAuthorizationCodeResponse(server, client, response)
    .catch((error: unknown) => {
      if (error instanceof ProviderError) throw error
      throw brokenToken('The provider answered without a token')
    })
  const access = tokenOf(result.access_token, result.expires_in, nowMs)
  return { access, refreshToken: result.refresh_token ?? null }
}

function endpointOf({ scheme, credentials, door }: TokenInput<'oauth2'>) {
  // A self-hosted instance has its endpoint below its host.
  const { origin, href } = new URL(scheme.tokenUrl, door.base ?? undefined)
  const server: oauth.AuthorizationServer = { issuer: origin, token_endpoint: href }
  const client: oauth.Client = { client_id: textOf(credentials, 'clientId') }
  const secret = textOf(credentials, 'clientSecret')
  const proof = secret === '' ? oauth.None() : oauth.ClientSecretPost(secret)
  return { server, client, proof, origin }
}

/** The refresh token is used up or revoked: a person has to connect again. */
export class RefreshRefused extends ProviderError {}

async function refusal(response: Response, nowMs: number): Promise<never> {
  try {
    await readTokenAnswer(response, nowMs)
  } catch (error) {
    if (!(error instanceof ProviderError) || error.code !== 'unauthorized') throw error
    throw error.detail.reason === 'invalid_grant'
      ? new RefreshRefused(error.code, error.message, error.detail)
      : error
  }
  throw brokenToken('The provider answered without a token')
}

function baseOf({ base }: AuthenticationDoor): string {
  if (base === null) throw refusedToken('There is no host to get a token from')
  return base
}
