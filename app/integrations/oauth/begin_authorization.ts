import { MINUTE } from '#foundation/core/durations'
import { createHash } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { later } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { baseOf } from '#plugin-kit/port/allowed_hosts'
import type { PluginManifest } from '#plugin-kit/manifest'
import type { Credentials } from '../connections/credentials.js'
import { oauthStarts } from '../tables.js'
import { oauthScheme } from './oauth_scheme.js'

/** Time limit for a person to agree, in milliseconds. */
const TIME_MS = 10 * MINUTE

/** Values that are stored encrypted until the provider answers. */
export interface KeptForAnswer {
  credentials: Credentials
  /** Version of the credentials that are to be replaced; null for none. */
  version: number | null
  /**
   * The code verifier of PKCE (RFC 7636): proves that the client that asks for tokens is the one
   * that began.
   */
  verifier?: string
  /** A form that the browser posts to the provider. */
  page?: PostedPage
}

interface PostedPage {
  url: string
  form: Readonly<Record<string, string>>
}

export interface BeginAuthorizationInput {
  manifest: PluginManifest
  alias: string | null
  settings: Record<string, unknown>
  /**
   * Credentials of the client that the operator registered at the provider: `clientId`,
   * `clientSecret`.
   */
  credentials: Credentials
  /** The connection that gets new credentials; null for a new one. */
  connectionId: string | null
  /** Version of the credentials that it had at the beginning; null for none. */
  version: number | null
  /** The only browser session that may finish it; null if it began at the console. */
  browser: string | null
  redirectUri: string
}

/** The address that a person opens, and the end of its validity. */
export interface AuthorizationStart {
  /** Name of the provider. */
  name: string
  url: string
  expiresAt: string
  /** The form that the page of that address posts to the provider; absent for none. */
  page?: PostedPage
}

/**
 * Hashes the `state` for storage, so that a reader of the row cannot forge the provider's answer.
 */
export const hashOf = (state: string) => createHash('sha256').update(state).digest('hex')

/** Returns the owner that sealed values are bound to: in another row they cannot be decrypted. */
export const ownerOf = (organizationId: string, stateHash: string) =>
  `oauth:${organizationId}:${stateHash}`

/**
 * Stores a begun authorization until the browser returns with its state.
 * @returns its expiry
 */
export async function storeStart(
  scope: Scope,
  secrets: SecretBox,
  {
    manifest,
    connectionId,
    alias,
    settings,
    browser,
    redirectUri,
    version,
  }: Omit<BeginAuthorizationInput, 'credentials'>,
  { state, ...more }: Omit<KeptForAnswer, 'version'> & { state: string }
): Promise<string> {
  const stateHash = hashOf(state)
  const kept: KeptForAnswer = { ...more, version }
  const expiresAt = later(scope.now, TIME_MS)
  await scope.insert(oauthStarts, [
    {
      stateHash,
      pluginId: manifest.id,
      connectionId,
      alias,
      settings,
      ciphertext: secrets.seal(ownerOf(scope.organization.id, stateHash), kept),
      redirectUri,
      actor: scope.actor,
      browser,
      createdAt: scope.now,
      expiresAt,
    },
  ])
  return expiresAt
}

/**
 * Begins a connection by OAuth 2, to which a person agrees in a browser (RFC 6749, section 4.1,
 * with PKCE, RFC 7636).
 * @returns the address to open, valid for ten minutes and for one answer
 */
export class BeginAuthorization {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /** @throws conflict when the plugin is not connected that way */
  async handle(input: BeginAuthorizationInput): Promise<AuthorizationStart> {
    const { scope } = this
    const { manifest, settings, credentials, redirectUri } = input
    const scheme = oauthScheme(manifest)
    const state = oauth.generateRandomState()
    const verifier = oauth.generateRandomCodeVerifier()
    const expiresAt = await storeStart(scope, this.secrets, input, { state, verifier, credentials })
    const url = new URL(scheme.authorizeUrl, baseOf(manifest.hosts, settings.host) ?? undefined)
    const parameters = {
      ...scheme.extraAuthorizeParams,
      response_type: 'code',
      client_id: String(credentials.clientId),
      redirect_uri: redirectUri,
      state,
      ...(scheme.scopes.length > 0 ? { scope: scheme.scopes.join(' ') } : {}),
      ...(scheme.pkce
        ? {
            code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
            code_challenge_method: 'S256',
          }
        : {}),
    }
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return { name: manifest.name, url: url.href, expiresAt }
  }
}
