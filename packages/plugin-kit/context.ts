import type { Http, PortFetch } from './http.js'
import type { PluginManifest } from './manifest.js'
import type { ProviderErrorCode } from './provider_error.js'

/** The context of a capability: one connection, and the data of one app's integration. */
export interface PluginContext {
  readonly manifest: PluginManifest
  /** As the plugin's `connectionSchema` describes it. */
  readonly connection: Readonly<Record<string, unknown>>
  /** The integration's `data`; empty if a connection itself is looked at. */
  readonly data: Readonly<Record<string, unknown>>
  /** The app whose integration this is; null if a connection or its webhooks are looked at. */
  readonly app: ContextApp | null
  /**
   * A folder of the connection's own on this machine, made by whoever uses it, for what can be had
   * anew: it goes with the connection. Null while there is no connection yet.
   */
  readonly folder: string | null
  /** One of the credentials. A function, so that logging a context shows none. */
  secret(name: string): unknown
  /** The only way to the provider: limits, retries, the log and authentication are behind it. */
  readonly http: Http
  /** The same as a WHATWG `fetch`, for a vendor's own client. */
  readonly fetch: PortFetch
  /**
   * The way there for what is no HTTP of ours, such as a program: the host must be one that a
   * setting of the connection names, its addresses are checked, outages are remembered and the
   * call is logged.
   * @param work connects to these addresses and no others
   * @throws ProviderError `forbidden`, `unavailable`; what the work throws
   */
  reach<Answer>(
    to: Reached,
    work: (addresses: readonly string[]) => Promise<Answer>
  ): Promise<Answer>
  readonly log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
  readonly now: () => Date
  /**
   * Waits for a provider that needs a moment.
   * @throws the reason of `signal`, which ends it
   */
  pause(milliseconds: number): Promise<void>
  /** Ends when the caller no longer waits. */
  readonly signal: AbortSignal
}

/** An app, as far as its integrations depend on it. */
export interface ContextApp {
  id: string
  /** The `repoName` of its version control, where a CI system finds its workflows; null without. */
  repository: string | null
}

/** An access to a provider past HTTP. */
export interface Reached {
  /** Scheme, host and port: `ssh://git.acme.example:2222`. */
  origin: string
  /** The kind of access in the log: `FETCH`. */
  method: string
  /** As the log shows it, without anything secret: `/{repository}`. */
  path: string
  /** Returns the meaning of a failure; null if it says nothing about the provider. */
  codeOf: (error: unknown) => ProviderErrorCode | null
}

export interface Page<Item> {
  items: Item[]
  next?: string
}

/** Sent with every change, so that a repetition has no second effect. */
export interface Mutation {
  idempotencyKey: string
  /** When it was first asked for, RFC 3339; absent if nobody knows. */
  askedAt?: string
}

/** A state that was seen; a value the plugin does not know is `unknown`, never an error. */
export interface Observed<State extends string> {
  state: State | 'unknown'
  raw: string
  /** When the read began. */
  beganAt: string
  observedAt: string
  /**
   * Maximum age of the content when the read begins, in seconds. 0 if the provider shows its
   * present state, as in the answer to a change.
   */
  lagSeconds: number
}

/** Something of the provider. */
export interface Ref {
  id: string
  url?: string
}
