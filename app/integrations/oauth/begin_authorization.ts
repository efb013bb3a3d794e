import { createHash } from 'node:crypto'
import * as oauth from 'oauth4webapi'
import { later } from '#foundation/core/clock'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { SecretBox } from '#foundation/core/secret_box'
import { baseOf } from '#plugin-kit/port/allowed_hosts'
import type { AuthScheme, PluginManifest } from '#plugin-kit/manifest'
import type { Credentials } from '../connections/credentials.js'
import { oauthStarts } from '../tables.js'

/** Time limit for a person to agree, in milliseconds. */
const TIME_MS = 10 * 60_000

/** Encrypted state for the answer of the provider. */
export interface KeptForAnswer {
  credentials: Credentials
  /** Proves that the one who asks for tokens is the one who began (RFC 7636). */
  verifier?: string
  /** A form that the browser posts to the provider. */
  page?: { url: string; form: Readonly<Record<string, string>> }
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
  redirectUri: string
}

/** The address that a person opens, and the end of its validity. */
export interface Begun {
  url: string
  expiresAt: string
}

/** The `state` as it is stored: whoever reads the row cannot answer for the provider. */
export const hashOf = (state: string) => createHash('sha256').update(state).digest('hex')

/** Returns the owner of kept values: moved to another row they do not open. */
export const ownerOf = (organizationId: string, stateHash: string) =>
  `oauth:${organizationId}:${stateHash}`

/**
 * Keeps what began until the browser comes back with its state.
 * @returns until when
 */
export async function keepStart(
  scope: Scope,
  secrets: SecretBox,
  {
    manifest,
    connectionId,
    alias,
    settings,
    redirectUri,
  }: Omit<BeginAuthorizationInput, 'credentials'>,
  { state, ...kept }: KeptForAnswer & { state: string }
): Promise<string> {
  const stateHash = hashOf(state)
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
      createdAt: scope.now,
      expiresAt,
    },
  ])
  return expiresAt
}

/** The scheme of a plugin whose connections can be made in a browser. @throws conflict */
export function oauthScheme({ auth, name }: PluginManifest) {
  const found = auth.find((each): each is Extract<AuthScheme, { scheme: 'oauth2' }> => {
    return each.scheme === 'oauth2'
  })
  if (found) return found
  throw refuse('conflict', {
    detail: `${name} cannot be connected in a browser: give credentials.`,
  })
}

/**
 * Begins a connection that a person agrees to in a browser (RFC 6749, section 4.1, with PKCE,
 * RFC 7636).
 * @returns the address to open, good for ten minutes and for one answer
 */
export class BeginAuthorization {
  constructor(
    private readonly scope: Scope,
    private readonly secrets: SecretBox
  ) {}

  /** @throws conflict when the plugin is not connected that way */
  async handle(input: BeginAuthorizationInput): Promise<Begun> {
    const { scope } = this
    const { manifest, settings, credentials, redirectUri } = input
    const scheme = oauthScheme(manifest)
    const state = oauth.generateRandomState()
    const verifier = oauth.generateRandomCodeVerifier()
    const expiresAt = await keepStart(scope, this.secrets, input, { state, verifier, credentials })
    const url = new URL(scheme.authorizeUrl, baseOf(manifest.hosts, settings.host) ?? undefined)
    const asked = {
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
    for (const [name, value] of Object.entries(asked)) url.searchParams.set(name, value)
    return { url: url.href, expiresAt }
  }
}
