import { createTarmacClient, type TarmacClient } from '@tarmac/client'
import { findCredentials } from './credentials.js'
import { EXIT, Failure } from './exit_codes.js'
import { Output } from './output.js'
import { VERSION } from './version.js'

/** Options that every command takes. */
export interface CommonOptions {
  url?: string
  org?: string
  json?: boolean
}

/** The context of a running command: the service, and the output. */
export interface Session {
  client: TarmacClient
  /** Address of the service, without a slash at the end. */
  url: string
  out: Output
  /** When its key expires, if it cannot be replaced; milliseconds since the epoch. */
  endsAt?: number
  /** Returns the id of the organization. @throws Failure if none is named */
  organizationId(): string
}

/** Parses the address of a service. @throws Failure if it is invalid */
export function addressOf(given: string): string {
  const url = URL.parse(given)
  if (url && /^https?:$/.test(url.protocol) && !url.username && !url.search)
    return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
  throw new Failure(
    EXIT.usage,
    `"${given}" is not the address of a service, such as https://tarmac.example.com.`
  )
}

/**
 * Makes a client with the program's `User-Agent`.
 * @param renewed returns the current key, if keys expire sooner than the work ends
 */
export function clientOf(
  baseUrl: string,
  apiKey?: string,
  currentKey?: () => Promise<string>
): TarmacClient {
  return createTarmacClient({
    baseUrl,
    apiKey,
    fetch: async (request) => {
      request.headers.set('User-Agent', `tarmac-cli/${VERSION}`)
      if (currentKey) request.headers.set('X-API-Key', await currentKey())
      return fetch(request)
    },
  })
}

/**
 * Opens a session with `TARMAC_API_KEY`, otherwise as the person who is signed in.
 * @throws Failure if nobody is
 */
export function openSession(options: CommonOptions): Session {
  const { TARMAC_URL, TARMAC_API_KEY, TARMAC_ORG } = process.env
  const given = options.url ?? TARMAC_URL
  const url = given === undefined ? undefined : addressOf(given)
  const out = new Output(options.json ?? false)
  const organizationOf = (own?: string) => () => {
    const id = options.org ?? (TARMAC_ORG || own)
    if (id) return id
    throw new Failure(EXIT.usage, 'Name the organization: --org or TARMAC_ORG.')
  }
  if (TARMAC_API_KEY) {
    if (!url) throw new Failure(EXIT.usage, 'Name the service: --url or TARMAC_URL.')
    return { client: clientOf(url, TARMAC_API_KEY), url, out, organizationId: organizationOf() }
  }
  const found = findCredentials(url)
  const isOver = found && found.credentials.expiresAt <= new Date().toISOString()
  if (!found || isOver) {
    const why = isOver ? 'The sign-in is over.' : 'Nobody is signed in.'
    throw new Failure(EXIT.signedOut, `${why} Run "tarmac login", or set TARMAC_API_KEY.`)
  }
  const { key, organization } = found.credentials
  return {
    client: clientOf(found.url, key),
    url: found.url,
    out,
    organizationId: organizationOf(organization.id),
  }
}

/** Parses the id of a release, `<app>:<version>`. @throws Failure if it is invalid */
export function releasePath(id: string): { appId: string; releaseId: string } {
  const [appId, version, ...rest] = id.split(':')
  if (appId && version && rest.length === 0) return { appId, releaseId: id }
  throw new Failure(
    EXIT.usage,
    `"${id}" is no release: name it as <app>:<version>, such as acme-ios:4.2.0.`
  )
}
