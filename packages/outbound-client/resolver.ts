import { Resolver as DnsResolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'

/** Resolves a host name to all its addresses. @throws errors with a `code`, like `node:dns` */
export type Resolver = (hostname: string) => Promise<string[]>

interface ResolverOptions {
  /** Name servers (`address` or `address:port`) instead of the system's. */
  servers?: readonly string[]
  /** Path of the hosts file. */
  hostsFile?: string
  /** Path of the resolver configuration, for its search domains. */
  systemFile?: string
}

/**
 * Timeout in milliseconds of a query to each server, and the number of tries. Together they stay
 * below the 5 s of `CONNECT_TIMEOUT`.
 */
const QUERY_TIMEOUT_MS = 1500
const QUERY_TRIES = 2

/** The addresses of `localhost`, which no name server may change (RFC 6761, section 6.3). */
const LOCALHOST = ['127.0.0.1', '::1']

const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Resolves names with the hosts file, then with DNS. The system's own lookup (`getaddrinfo`) runs
 * in a pool of four threads, so a few unresponsive name servers would block all lookups. These DNS
 * queries do not block each other.
 */
export class NameResolver {
  readonly #hosts: CachedFile<Map<string, string[]>>
  readonly #system: CachedFile<System>

  constructor(options: ResolverOptions = {}) {
    const { servers, hostsFile = '/etc/hosts', systemFile = '/etc/resolv.conf' } = options
    this.#hosts = new CachedFile(hostsFile, readHosts, new Map())
    this.#system = new CachedFile(
      systemFile,
      (text) => systemOf(servers, readSearch(text)),
      systemOf(servers, [])
    )
  }

  readonly resolve: Resolver = async (hostname) => {
    const name = hostname.toLowerCase().replace(/\.$/, '')
    const known = (await this.#hosts.read()).get(name)
    if (known) return known
    if (name === 'localhost' || name.endsWith('.localhost')) return LOCALHOST
    const { dns, domains } = await this.#system.read()
    try {
      return await addressesOf(dns, name)
    } catch (error) {
      // A name with a trailing dot is absolute, so search domains do not apply.
      if (!isAbsent(error) || hostname.endsWith('.')) throw error
      for (const domain of domains) {
        const found = await addressesOf(dns, `${name}.${domain}`).catch(() => [])
        if (found.length > 0) return found
      }
      throw error
    }
  }
}

/** The DNS client and the search domains. */
interface System {
  dns: DnsResolver
  domains: readonly string[]
}

function systemOf(servers: readonly string[] | undefined, domains: readonly string[]): System {
  const dns = new DnsResolver({
    timeout: QUERY_TIMEOUT_MS,
    tries: QUERY_TRIES,
    maxTimeout: QUERY_TIMEOUT_MS,
  })
  if (servers) dns.setServers(servers)
  return { dns, domains }
}

/** Resolves IPv4 and IPv6; it fails only if both fail. */
async function addressesOf(dns: DnsResolver, name: string): Promise<string[]> {
  const results = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const found = results.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (found.length > 0) return found
  const failures = results.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  throw failures.find((failure) => !isAbsent(failure)) ?? failures[0]
}

function isAbsent(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}

/** Caches the parsed content of a file until the file changes. */
class CachedFile<Content> {
  #modifiedAt = Number.NaN

  /** @param content the content until the file can be read */
  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => Content,
    private content: Content
  ) {}

  async read(): Promise<Content> {
    try {
      const { mtimeMs } = await stat(this.path)
      if (mtimeMs !== this.#modifiedAt) {
        this.content = this.parse(await readFile(this.path, 'utf8'))
        this.#modifiedAt = mtimeMs
      }
    } catch {
      // The file is missing or unreadable: the last content remains valid.
    }
    return this.content
  }
}

/** Splits a text into the words of its lines, without comments. */
function splitLines(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
  )
}

/** Reads the addresses of each name in a hosts file, except those with a zone. */
export function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const [address, ...names] of splitLines(text)) {
    if (address.includes('%')) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name) ?? []
      if (!known.includes(address)) hosts.set(name, [...known, address])
    }
  }
  return hosts
}

/** Returns the domains of the last `search` or `domain` line of `resolv.conf`. */
export function readSearch(text: string): string[] {
  const lines = splitLines(text).filter(([word]) => word === 'search' || word === 'domain')
  const [, ...domains] = lines.at(-1) ?? []
  return domains.map((each) => each.replace(/\.$/, '')).filter((each) => each !== '')
}
