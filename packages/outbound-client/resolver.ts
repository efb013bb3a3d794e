import { Resolver as DnsResolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'

/** Finds all addresses of a name. @throws errors with a `code`, as `node:dns` has them */
export type Resolver = (hostname: string) => Promise<string[]>

interface ResolverOptions {
  /** Name servers (`address` or `address:port`) instead of the system's. */
  servers?: readonly string[]
  /** Path of the machine's hosts file. */
  hostsFile?: string
  /** Path of the system's list of name servers and search domains. */
  systemFile?: string
}

/**
 * Timeout in milliseconds of the first query to each server, and number of tries; both together
 * stay below the 5 s of `CONNECT_TIMEOUT`.
 */
const QUERY_TIMEOUT_MS = 1500
const QUERY_TRIES = 2

/** The addresses of `localhost`, which no name server may change (RFC 6761, section 6.3). */
const LOCALHOST = ['127.0.0.1', '::1']

const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Finds addresses in the hosts file, then in the DNS. The system's own lookup (`getaddrinfo`) uses
 * a pool of four threads, so a few names whose servers never answer would block all others. DNS
 * queries here do not block each other.
 */
export class NameResolver {
  readonly #hosts: KeptFile<Map<string, string[]>>
  readonly #system: KeptFile<System>

  constructor(options: ResolverOptions = {}) {
    const { servers, hostsFile = '/etc/hosts', systemFile = '/etc/resolv.conf' } = options
    this.#hosts = new KeptFile(hostsFile, readHosts, new Map())
    this.#system = new KeptFile(
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

/** The DNS servers to ask. */
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

/** Resolves both families; a missing answer for one does not matter if the other answers. */
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

/** The parsed content of a file, read again after a change. */
class KeptFile<Content> {
  #changed = Number.NaN

  /** @param content the content while the file cannot be read */
  constructor(
    private readonly path: string,
    private readonly parse: (text: string) => Content,
    private content: Content
  ) {}

  async read(): Promise<Content> {
    try {
      const { mtimeMs } = await stat(this.path)
      if (mtimeMs !== this.#changed) {
        this.content = this.parse(await readFile(this.path, 'utf8'))
        this.#changed = mtimeMs
      }
    } catch {
      // The file is missing or unreadable: the last content stays.
    }
    return this.content
  }
}

/** Splits lines into words, without comments. */
function wordsOf(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
  )
}

/** Reads names with their addresses; addresses with a zone are left out. */
export function readHosts(text: string): Map<string, string[]> {
  const hosts = new Map<string, string[]>()
  for (const [address, ...names] of wordsOf(text)) {
    if (address.includes('%')) continue
    for (const name of names.map((each) => each.toLowerCase())) {
      const known = hosts.get(name) ?? []
      if (!known.includes(address)) hosts.set(name, [...known, address])
    }
  }
  return hosts
}

/** Reads the domains of the last line `search` or `domain`. */
export function readSearch(text: string): string[] {
  const lines = wordsOf(text).filter(([word]) => word === 'search' || word === 'domain')
  const [, ...domains] = lines.at(-1) ?? []
  return domains.map((each) => each.replace(/\.$/, '')).filter((each) => each !== '')
}
