import { LOOPBACK_BLOCKS, TrustedNetworks, isPublic, literalOf, parseAddress } from './addresses.js'

/** Ports that any public host may be reached on. */
const PUBLIC_PORTS: readonly number[] = [443, 8443]

const MAX_URL_LENGTH = 2048

/** Why a request is not made. */
export type Refusal =
  | 'urlInvalid'
  | 'urlTooLong'
  | 'urlHasCredentials'
  | 'schemeNotAllowed'
  | 'portNotAllowed'
  | 'addressNotAllowed'

export class OutboundRefused extends Error {
  constructor(
    readonly reason: Refusal,
    message: string
  ) {
    super(message)
  }
}

export interface GuardOptions {
  /** Set if only this machine reaches the service, since its users can reach loopback anyway. */
  allowLoopback?: boolean
  /** Further private networks, as CIDR blocks (`OUTBOUND_ALLOW`). */
  allow?: readonly string[]
}

/**
 * Decides where the service may connect (docs/explanation/webhooks.md, Where it connects). Public
 * addresses are allowed over https on ports 443 and 8443, and over ssh; trusted networks also over
 * http and on any port. Every address that a name resolves to is checked.
 */
export class OutboundGuard {
  readonly #trusted: TrustedNetworks

  constructor({ allowLoopback = false, allow = [] }: GuardOptions = {}) {
    this.#trusted = new TrustedNetworks([...(allowLoopback ? LOOPBACK_BLOCKS : []), ...allow])
  }

  /**
   * Parses a URL and checks it as far as its text allows: an IP address at once, a name once it is
   * resolved.
   * @throws OutboundRefused
   */
  checkUrl(text: string): URL {
    if (text.length > MAX_URL_LENGTH) {
      throw new OutboundRefused('urlTooLong', `A URL has at most ${MAX_URL_LENGTH} characters.`)
    }
    // URLs with whitespace are invalid: the parser would silently drop line breaks and outer
    // spaces.
    const url = !/\s/.test(text) && URL.canParse(text) ? new URL(text) : null
    if (!url) throw new OutboundRefused('urlInvalid', 'This is not a URL.')
    if (url.protocol !== 'https:' && url.protocol !== 'http:') {
      throw new OutboundRefused('schemeNotAllowed', 'The URL must start with https://.')
    }
    if (url.username !== '' || url.password !== '') {
      throw new OutboundRefused('urlHasCredentials', 'The URL must not hold a user or password.')
    }
    const literal = literalOf(url.hostname)
    if (literal !== null) this.checkAddresses(url, [literal])
    else if (this.#trusted.isEmpty) this.#checkPublicForm(url)
    return url
  }

  /**
   * Checks that every address may be reached with the URL's scheme and port.
   * @throws OutboundRefused
   */
  checkAddresses(url: URL, addresses: readonly string[]): void {
    const parsed = addresses.map(parseAddress)
    if (parsed.length > 0 && parsed.every((each) => each && this.#trusted.includes(each))) return
    for (const address of parsed) {
      if (!address || !(isPublic(address) || this.#trusted.includes(address))) {
        throw new OutboundRefused(
          'addressNotAllowed',
          'The host is not a public one; OUTBOUND_ALLOW lists the private networks to reach.'
        )
      }
    }
    this.#checkPublicForm(url)
  }

  #checkPublicForm(url: URL): void {
    // `checkUrl` refuses ssh, so only a plugin's `reach` gets here with it.
    if (url.protocol === 'ssh:') return
    if (url.protocol !== 'https:') {
      throw new OutboundRefused('schemeNotAllowed', 'The URL must start with https://.')
    }
    if (!PUBLIC_PORTS.includes(url.port === '' ? 443 : Number(url.port))) {
      throw new OutboundRefused('portNotAllowed', 'The port must be 443 or 8443.')
    }
  }
}
