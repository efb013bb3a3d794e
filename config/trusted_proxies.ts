import ipaddr from 'ipaddr.js'
import { parseAddress, readBlocks, TrustedNetworks } from '#outbound-client/addresses'

/**
 * Returns whether the peer at an address is a trusted proxy.
 * @param distance proxies between it and the service: 0 is the peer of the connection
 */
export type IsTrustedProxy = (address: string, distance: number) => boolean

const HOPS = /^\d{1,2}$/

/**
 * Reads `TRUST_PROXY`: a number of proxies (`true` is one), or their addresses and CIDR blocks. The
 * client's address is the one that the outermost trusted proxy saw; entries to the left of it in
 * `X-Forwarded-For` are the client's own claims.
 * @throws Error that says what the setting may be
 */
export function trustedProxies(setting = ''): IsTrustedProxy {
  const given = setting.trim()
  if (/^(|false)$/i.test(given)) return () => false
  if (/^true$/i.test(given)) return (_address, distance) => distance < 1
  if (HOPS.test(given)) return (_address, distance) => distance < Number(given)
  const networks = readNetworks(readBlocks(given))
  return (address) => {
    // A dual-stack socket writes IPv4 peers as IPv6 addresses.
    return parseAddress(address) !== null && networks.includes(ipaddr.process(address))
  }
}

function readNetworks(blocks: string[]): TrustedNetworks {
  try {
    const odd = blocks.find((block) => !/[.:]/.test(block))
    if (odd !== undefined) throw new Error(`"${odd}" is neither`)
    return new TrustedNetworks(blocks)
  } catch (error) {
    const { message } = error as Error
    throw new Error(
      `TRUST_PROXY is a number of proxies, or their addresses and CIDR blocks: ${message}`,
      { cause: error }
    )
  }
}
