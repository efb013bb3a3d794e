import type { PortInit } from '../http.js'

/*
 * What authentication and the port know of each other. The service has a port with budgets,
 * breakers and a log behind this; the conformance suite has one before a fake.
 */

/** What a connection authenticates with, as its `credentialSchema` describes it. */
export type Credentials = Readonly<Record<string, unknown>>

/** Where the time comes from, in milliseconds since the epoch. */
export interface PortClock {
  milliseconds(): number
}

/** How requests are authenticated. */
export interface Authenticator {
  /** Headers to send. @throws ProviderError `unauthorized` when there is no token to be had */
  headers(signal: AbortSignal): Promise<Readonly<Record<string, string>>>
  /** A token was refused; answers whether there is another to be had. */
  renew(): boolean
}

/** What authentication calls providers with. */
export interface AuthenticationDoor {
  /** Asks for a token at an origin that the host chose; sends no credentials of its own. */
  fetch(input: string | URL, origin: string, init?: PortInit): Promise<Response>
  /** Where the API is. */
  base: string | null
  /** Tokens are secrets from the moment they are there. */
  learn(...secrets: string[]): void
}
