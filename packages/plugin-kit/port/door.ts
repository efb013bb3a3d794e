import type { PortInit } from '../http.js'
import type { DescribedError } from '../described_error.js'

/*
 * The interface between authentication and the port. The service has a port with budgets, breakers
 * and a log behind this; the conformance suite has one before a fake.
 */

/** The credentials of a connection, as its `credentialSchema` describes them. */
export type Credentials = Readonly<Record<string, unknown>>

/** The source of time, in milliseconds since the epoch. */
export interface PortClock {
  milliseconds(): number
}

/** Authenticates requests. */
export interface Authenticator {
  /** Headers to send. @throws ProviderError `unauthorized` when there is no token to be had */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** A token was refused; answers whether there is another to be had. */
  renew(): boolean
}

/** The way authentication calls providers. */
export interface AuthenticationDoor {
  /** Asks for a token at an origin that the host chose; sends no credentials of its own. */
  fetch(input: string | URL, origin: string, init?: PortInit): Promise<Response>
  /** Base URL of the API. */
  base: string | null
  /** The plugin's description of an error of its vendor; undefined leaves it to the status. */
  describeError?(
    status: number,
    body: unknown,
    headers: Headers
  ): Promise<DescribedError | undefined>
  /** Tokens are secrets from the moment they are there. */
  learn(...secrets: string[]): void
}
