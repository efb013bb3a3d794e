import ipaddr from 'ipaddr.js'

type Address = ipaddr.IPv4 | ipaddr.IPv6
type Network = [Address, number]

/** Global unicast, the only block with publicly reachable addresses that IANA has assigned. */
const GLOBAL_IPV6: [ipaddr.IPv6, number] = [ipaddr.IPv6.parse('2000::'), 3]

/**
 * Returns whether an address is publicly reachable: outside of all blocks of the IANA
 * special-purpose registries for IPv4 and IPv6, not multicast, and without an embedded IPv4 address
 * (mapped, NAT64, 6to4, Teredo), which could hide a private one.
 *
 * ipaddr.js knows these blocks except `100:0:0:1::/64` (RFC 9780) and the old IPv4-compatible
 * `::/96`; both, and any later assignment, lie outside of 2000::/3.
 */
export function isPublic(address: Address): boolean {
  if (address.range() !== 'unicast') return false
  return address.kind() === 'ipv4' || (address as ipaddr.IPv6).match(GLOBAL_IPV6)
}

/** Networks that are trusted by explicit choice, private or not. */
export class TrustedNetworks {
  readonly #networks: Network[]

  /**
   * @param blocks CIDR blocks (`10.1.0.0/16`, `fd00::/8`) or single addresses.
   * @throws Error naming the block that is neither.
   */
  constructor(blocks: readonly string[]) {
    this.#networks = blocks.map(parseBlock)
  }

  get isEmpty(): boolean {
    return this.#networks.length === 0
  }

  includes(address: Address): boolean {
    return this.#networks.some(([network, bits]) => {
      return network.kind() === address.kind() && address.match(network, bits)
    })
  }
}

/** Every address of the machine itself. */
export const LOOPBACK_BLOCKS = ['127.0.0.0/8', '::1/128']

const LOOPBACK = new TrustedNetworks(LOOPBACK_BLOCKS)

/** Returns whether a host, by name or address, is this machine. */
export function isLoopback(host: string): boolean {
  const literal = literalOf(host.toLowerCase())
  const address = literal === null ? null : parseAddress(literal)
  return address ? LOOPBACK.includes(address) : /(^|\.)localhost\.?$/i.test(host)
}

/**
 * Returns whether only this machine reaches the service, so that its users can reach loopback
 * anyway. A proxy in front, or a public address other than loopback, means that others reach it,
 * too.
 */
export function servesThisMachineOnly(service: {
  host: string
  publicUrl?: string
  hasProxy: boolean
}): boolean {
  const { host, publicUrl, hasProxy } = service
  if (!isLoopback(host) || hasProxy) return false
  return !publicUrl || (URL.canParse(publicUrl) && isLoopback(new URL(publicUrl).hostname))
}

/** Reads a comma-separated list of blocks, as `OUTBOUND_ALLOW` holds it. */
export function readBlocks(text: string | undefined): string[] {
  return (text ?? '')
    .split(',')
    .map((block) => block.trim())
    .filter((block) => block !== '')
}

function parseBlock(block: string): Network {
  try {
    if (block.includes('/')) return ipaddr.parseCIDR(block)
    const address = ipaddr.parse(block)
    return [address, address.kind() === 'ipv4' ? 32 : 128]
  } catch {
    throw new Error(`"${block}" is not a network such as 10.1.0.0/16 or fd00::/8`)
  }
}

/** Returns the IP address in a URL's host; null if the host is a name. */
export function literalOf(hostname: string): string | null {
  const bare = hostname.startsWith('[') ? hostname.slice(1, -1) : hostname
  return ipaddr.isValid(bare) ? bare : null
}

/** Parses an IP address; null if the text is not one, or has a zone. */
export function parseAddress(text: string): Address | null {
  if (text.includes('%') || !ipaddr.isValid(text)) return null
  return ipaddr.parse(text)
}
