import type { CapabilityKind } from './kinds.js'
import type { ObjectSchema } from './schema.js'

/** The version of the interface between the service and plugins. */
export const SPI_VERSION = 1

/** Platforms of apps: Apple's, Android, and apps updated over the air. */
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

/** The members of `credentialSchema` that each scheme uses. */
export const CREDENTIALS_OF: Readonly<
  Record<
    AuthScheme['scheme'],
    {
      required: readonly string[]
      optional?: readonly string[]
      /** Alternative to the required ones. */
      instead?: readonly string[]
    }
  >
> = {
  none: { required: [] },
  header: { required: ['token'] },
  basic: { required: ['username', 'password'] },
  // Without an issuer, the key is a person's own (Apple's `sub: user`).
  jwt: { required: ['keyId', 'privateKey'], optional: ['issuerId'] },
  // The key file, as text.
  googleServiceAccount: { required: ['serviceAccount'] },
  githubApp: { required: ['appId', 'installationId', 'privateKey'] },
  twoStep: { required: ['clientId', 'clientSecret'] },
  // Some providers issue a lasting access token and no refresh token.
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
  /** A second limit on all calls, for a shorter period. */
  bursts?: RateLimit
  /** Separate limits on calls that may make changes. */
  changes?: RateLimit[]
  /**
   * A pause that the provider asks for delays interactive calls, too, because it punishes further
   * calls.
   */
  pausesPeople?: boolean
  /** Most concurrent calls. */
  concurrency: number
  /** The unit that the provider counts by: the credentials, a connection, or a host. */
  scope: 'credential' | 'connection' | 'host'
  /** Headers with the time of the next attempt, beyond the usual ones. */
  retryAfterHeaders?: string[]
  /** Texts of refusals that ask for a pause without naming its length. */
  pauses?: { says: string; seconds: number }[]
}

/**
 * Hosts that a plugin may connect to, over https only: names, or `*.` and a name for its
 * subdomains.
 */
export interface PluginHosts {
  /**
   * Hosts that get credentials. Of those that a `*.` matches, only the one that a setting of the
   * connection names gets them (`acme.atlassian.net`, or `acme`); the others are read without
   * credentials.
   */
  allow: string[]
  /** Hosts of files to download that the provider links to; they get no credentials. */
  downloads?: string[]
  /** Hosts that take file uploads, by signed URLs of the provider; they get no credentials. */
  uploads?: string[]
  /** The setting `host` of a connection names a further host, which alone gets the credentials. */
  selfHosted: boolean
}

/** A plugin's declaration of one kind. */
export interface CapabilityDeclaration {
  /** The integration type that a configuration file names: `github-vcs`. */
  type: string
  /** The platforms whose apps may use it; absent for all. */
  platforms?: PluginPlatform[]
  /** The optional methods of the kind that it implements. */
  features: string[]
  /**
   * The schema of `data`: fields of the specification, narrowed, and own fields whose names begin
   * with `x-`. The specification's fields by default.
   */
  dataSchema?: ObjectSchema
}

/** The plain data that the service knows of a plugin before it loads its code. */
export interface PluginManifest {
  /** The prefix of its connections' ids: `github:111222333`. */
  id: string
  /** Other names for it at the console. */
  aliases: string[]
  name: string
  version: string
  /** The `SPI_VERSION` that the plugin was written for. */
  spi: number
  docsUrl: string
  deprecated?: { since: string; replacedBy?: string; endsOn?: string }
  hosts: PluginHosts
  auth: AuthScheme[]
  /** Credentials are encrypted and never shown; secrets are marked with `x-secret`. */
  credentialSchema: ObjectSchema
  /** Settings that are not secret: region, host, account. */
  connectionSchema: ObjectSchema
  rate: RatePolicy
  capabilities: Partial<Record<CapabilityKind, CapabilityDeclaration>>
  webhooks?: { verify: 'hmac' | 'standardWebhooks' | 'sharedToken' | 'custom'; events: string[] }
}
