import type { Permits, PortInit } from '../http.js'
import type { DescribedError } from '../described_error.js'

/*
 * The interface between authentication and the port. The service implements it with budgets,
 * breakers and a log, the conformance suite with a fake.
 */

/** The credentials of a connection, as its `credentialSchema` describes them. */
export type Credentials = Readonly<Record<string, unknown>>

/** The source of time, in milliseconds since the epoch. */
export interface PortClock {
  milliseconds(): number
}

/** Authenticates requests. */
export interface Authenticator {
  /**
   * Returns the headers to send.
   * @throws ProviderError `unauthorized` when no token can be obtained
   */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** Returns what the token permits; null if the provider did not say. @throws as `headers` does */
  permits(signal: AbortSignal): Promise<Permits | null>
  /** Handles a refused token. Returns whether another one can be obtained. */
  renew(): boolean
}

/** The way authentication calls providers. */
export interface AuthenticationDoor {
  /** Requests a token at an origin that the host chose; adds no credentials itself. */
  fetch(input: string | URL, origin: string, init?: PortInit): Promise<Response>
  /** Base URL of the API. */
  base: string | null
  /**
   * Returns the plugin's description of an error of its vendor; undefined leaves it to the status.
   */
  describeError?(
    status: number,
    body: unknown,
    headers: Headers
  ): Promise<DescribedError | undefined>
  /** Adds secrets to redact, such as tokens as soon as they exist. */
  learn(...secrets: string[]): void
}
