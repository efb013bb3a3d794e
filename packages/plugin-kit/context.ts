import type { Http, PortFetch } from './http.js'
import type { PluginManifest } from './manifest.js'
import type { ProviderErrorCode } from './provider_error.js'

/** The context of a capability: one connection, and the data of one app's integration. */
export interface PluginContext {
  readonly manifest: PluginManifest
  /** Settings of the connection, as the plugin's `connectionSchema` describes them. */
  readonly connection: Readonly<Record<string, unknown>>
  /** The integration's `data`; empty if the context is for a connection alone. */
  readonly data: Readonly<Record<string, unknown>>
  /** The app whose integration this is; null if the context is for a connection or its webhooks. */
  readonly app: ContextApp | null
  /**
   * The connection's own folder on this machine, for data that can be obtained again, such as a
   * clone. The plugin creates it; it is deleted with the connection. Null before the connection
   * exists.
   */
  readonly folder: string | null
  /** Facts that the plugin learnt about the provider, for all processes and after a restart. */
  readonly kept: Kept
  /** Returns one of the credentials. A function, so that logging a context shows none. */
  secret(name: string): unknown
  /** The only way to call the provider: applies limits, retries, authentication and the log. */
  readonly http: Http
  /** The same port as a WHATWG `fetch`, for a vendor's own client. */
  readonly fetch: PortFetch
  /**
   * Reaches the provider without our HTTP client, such as by a program. A setting of the connection
   * must name the host; its addresses are checked, outages open the breaker, and the call is
   * logged.
   * @param work may connect to these addresses alone
   * @throws ProviderError `forbidden`, `unavailable`; any error of `work`
   */
  reach<Result>(
    access: DirectAccess,
    work: (addresses: readonly string[]) => Promise<Result>
  ): Promise<Result>
  readonly log: {
    info(fields: object, message: string): void
    warn(fields: object, message: string): void
  }
  readonly now: () => Date
  /**
   * Waits, for a provider that needs time.
   * @throws the reason of `signal`, if it aborts the wait
   */
  pause(milliseconds: number): Promise<void>
  /** Aborts when the caller no longer waits. */
  readonly signal: AbortSignal
}

/** The part of an app that its integrations know. */
export interface ContextApp {
  id: string
  /**
   * The `repoName` of its version control integration, for CI systems that find workflows by it;
   * null without one.
   */
  repository: string | null
}

/**
 * Short texts that a plugin keeps for its connection, such as a setting that only a refusal
 * reveals. They may be lost, and are never a secret. Before the connection exists, nothing is kept.
 */
export interface Kept {
  get(name: string): Promise<string | null>
  /** @param value at most 200 characters; null to forget it */
  set(name: string, value: string | null): Promise<void>
}

/** An access to a provider without our HTTP client. */
export interface DirectAccess {
  /** Scheme, host and port: `ssh://git.acme.example:2222`. */
  origin: string
  /** The kind of access in the log: `FETCH`. */
  method: string
  /** The path that the log shows, without secrets: `/{repository}`. */
  path: string
  /** Returns the error code of a failure; null if the failure says nothing about the provider. */
  codeOf: (error: unknown) => ProviderErrorCode | null
}

export interface Page<Item> {
  items: Item[]
  next?: string
}

/** Passed to every change, so that a repetition has no second effect. */
export interface Mutation {
  idempotencyKey: string
  /**
   * When the first attempt began whose answer was lost, RFC 3339. Absent if nothing of the change
   * can exist yet. The service passes it to `trigger` of CI.
   */
  inDoubtSince?: string
}

/** An observed state. A value that the plugin does not know is `unknown`, never an error. */
export interface Observed<State extends string> {
  state: State | 'unknown'
  raw: string
  /** When the read began. */
  beganAt: string
  observedAt: string
  /**
   * Maximum age of the content when the read begins, in seconds. 0 if the provider returns its
   * current state, as in the answer to a change.
   */
  lagSeconds: number
}

/** A reference to an object at the provider. */
export interface Ref {
  id: string
  url?: string
}
