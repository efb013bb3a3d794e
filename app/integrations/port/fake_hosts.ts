import { isLoopback } from '#outbound-client/addresses'
import type { Transport } from '#provider-port/messages'

/** Origins of fakes on this machine, by the host that they replace; `*.` matches all subdomains. */
export type FakeHosts = ReadonlyMap<string, string>

/**
 * Reads `PROVIDER_HOSTS`: `api.github.com=http://127.0.0.1:4001,*.blob.core.windows.net=…`.
 * @param isLocal whether only this machine reaches the service
 * @throws Error for a malformed text, and for any text while others reach the service
 */
export function readFakeHosts(text: string | undefined, isLocal: boolean): FakeHosts {
  const pairs = (text ?? '')
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '')
    .map(readPair)
  if (pairs.length > 0 && !isLocal) {
    throw new Error(
      'PROVIDER_HOSTS leads calls of providers to fakes. It works only while nobody but this ' +
        'machine reaches the service: HOST and PUBLIC_URL are loopback, and TRUST_PROXY is off.'
    )
  }
  return new Map(pairs)
}

function readPair(pair: string): [host: string, origin: string] {
  const [, host = '', target = ''] = /^((?:\*\.)?[A-Za-z0-9.-]+)=(.+)$/.exec(pair) ?? []
  const url = URL.canParse(target) ? new URL(target) : null
  const isFake = url?.protocol === 'http:' && isLoopback(url.hostname) && url.pathname === '/'
  if (host !== '' && isFake) return [host.toLowerCase(), url.origin]
  throw new Error(
    `PROVIDER_HOSTS is a list like api.github.com=http://127.0.0.1:4001; "${pair}" is not.`
  )
}

/**
 * Wraps a transport so that fakes answer for some hosts; they get the path and the original host.
 */
export function ledToFakes(transport: Transport, fakes: FakeHosts): Transport {
  if (fakes.size === 0) return transport
  const originFor = (host: string) =>
    fakes.get(host) ??
    [...fakes].find(([name]) => name.startsWith('*.') && host.endsWith(name.slice(1)))?.[1]
  return {
    addressesOf: (url) => transport.addressesOf(url),
    open(request) {
      const { host, pathname, search } = new URL(request.url)
      const origin = originFor(host)
      if (origin === undefined) return transport.open(request)
      const url = `${origin}${pathname}${search}`
      return transport.open({ ...request, url, headers: { ...request.headers, host } })
    },
  }
}
