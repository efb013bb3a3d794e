import type { CapabilityKind } from './kinds.js'
import type { ObjectSchema } from './schema.js'

/** The version of the interface between the service and plugins. */
export const SPI_VERSION = 1

/** Platforms of apps: of Apple, with Android, and those that are updated over the air. */
export const PLUGIN_PLATFORMS = ['ios', 'android', 'ota'] as const
export type PluginPlatform = (typeof PLUGIN_PLATFORMS)[number]

/**
 * The authentication of requests to the provider; `CREDENTIALS_OF` lists the credentials of each
 * scheme. Of several schemes, the first one with complete credentials is used.
 */
export type AuthScheme =
  | { scheme: 'none' }
  | { scheme: 'header'; header: string; prefix?: string }
  | { scheme: 'basic' }
  | { scheme: 'jwt'; alg: 'ES256' | 'RS256'; audience: string; lifetimeSeconds: number }
  | { scheme: 'googleServiceAccount'; scopes: string[] }
  | { scheme: 'githubApp' }
  | { scheme: 'twoStep'; tokenPath: string; lifetimeSeconds: number }
  | {
      scheme: 'oauth2'
      authorizeUrl: string
      tokenUrl: string
      scopes: string[]
      pkce: boolean
      rotatingRefresh: boolean
      extraAuthorizeParams?: Record<string, string>
    }

export const AUTH_SCHEMES: readonly AuthScheme['scheme'][] = [
  'none',
  'header',
  'basic',
  'jwt',
  'googleServiceAccount',
  'githubApp',
  'twoStep',
  'oauth2',
]

/** The members of `credentialSchema` that a scheme works with. */
export const CREDENTIALS_OF: Readonly<
  Record<
    AuthScheme['scheme'],
    {
      required: readonly string[]
      optional?: readonly string[]
      /** Enough in place of those required. */
      instead?: readonly string[]
    }
  >
> = {
  none: { required: [] },
  header: { required: ['token'] },
  basic: { required: ['username', 'password'] },
  // Without an issuer the token is that of a person's own key (`sub: user`, as Apple has it).
  jwt: { required: ['keyId', 'privateKey'], optional: ['issuerId'] },
  // The key file, as text.
  googleServiceAccount: { required: ['serviceAccount'] },
  githubApp: { required: ['appId', 'installationId', 'privateKey'] },
  twoStep: { required: ['clientId', 'clientSecret'] },
  // Some providers give an access token that nothing renews, and no refresh token.
  oauth2: {
    required: ['clientId', 'refreshToken'],
    optional: ['clientSecret', 'accessToken'],
    instead: ['accessToken'],
  },
}

/** Returns whether each request is signed with the time of this machine. */
export function signsRequests({ auth }: Pick<PluginManifest, 'auth'>): boolean {
  return auth.length > 0 && auth.every(({ scheme }) => scheme === 'jwt')
}

/** Rate limit of the provider: at most `requests` in any `perSeconds`. */
export interface RateLimit {
  requests: number
  perSeconds: number
}

export interface RatePolicy extends RateLimit {
  /** A shorter limit beside it, on all calls. */
  bursts?: RateLimit
  /** Limits of their own on calls that may change something. */
  changes?: RateLimit[]
  /** A pause that the provider asks for holds up people too: it punishes who goes on. */
  pausesPeople?: boolean
  /** Calls that are under way at once. */
  concurrency: number
  /** The unit that the provider counts by: the credentials, a connection, or a host. */
  scope: 'credential' | 'connection' | 'host'
  /** Headers beyond the usual ones that say when to come again. */
  retryAfterHeaders?: string[]
  /** Texts of refusals that ask for a pause and name no time. */
  pauses?: { says: string; seconds: number }[]
}

/** Hosts that a plugin may connect to: names, or `*.` and a name for all below it; https only. */
export interface PluginHosts {
  /**
   * Credentials are for these, and below a `*.` for the one that a setting of the connection names
   * (`acme.atlassian.net`, or `acme`). All others of them are read without.
   */
  allow: string[]
  /** Hosts of files that the provider points to; no credential is sent there. */
  downloads?: string[]
  /** Hosts of files that the provider asks for, by signed addresses; no credential is sent there. */
  uploads?: string[]
  /** The setting `host` of a connection names one more; its credentials are for that one alone. */
  selfHosted: boolean
}

/** The abilities of a plugin in one kind. */
export interface CapabilityDeclaration {
  /** The integration type that a configuration file names: `github-vcs`. */
  type: string
  /** The platforms of apps that it is for: no other app may use it. Absent for all. */
  platforms?: PluginPlatform[]
  /** The optional methods of the kind that it has. */
  features: string[]
  /**
   * The schema of `data`: fields of the specification, narrowed, and own fields whose names begin
   * with `x-`. The specification's fields by default.
   */
  dataSchema?: ObjectSchema
}

/** All that the service knows of a plugin before it uses it: plain data. */
export interface PluginManifest {
  /** Begins the ids of its connections: `github:111222333`. */
  id: string
  /** Other names that the console takes. */
  aliases: string[]
  name: string
  version: string
  /** The `SPI_VERSION` that it was written for. */
  spi: number
  docsUrl: string
  deprecated?: { since: string; replacedBy?: string; endsOn?: string }
  hosts: PluginHosts
  auth: AuthScheme[]
  /** Encrypted, and never shown; secrets are marked with `x-secret`. */
  credentialSchema: ObjectSchema
  /** Settings that are no secret: region, host, account. */
  connectionSchema: ObjectSchema
  rate: RatePolicy
  capabilities: Partial<Record<CapabilityKind, CapabilityDeclaration>>
  webhooks?: { verify: 'hmac' | 'standardWebhooks' | 'sharedToken' | 'custom'; events: string[] }
}
