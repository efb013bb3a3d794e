import { Resolver as DnsResolver } from 'node:dns/promises'
import { readFile, stat } from 'node:fs/promises'

/** Finds all addresses of a name. @throws errors with a `code`, as `node:dns` has them */
export type Resolver = (hostname: string) => Promise<string[]>

interface ResolverOptions {
  /** Servers to ask (`address` or `address:port`) instead of those of the system. */
  servers?: readonly string[]
  /** Path of the machine's hosts file. */
  hostsFile?: string
  /** Path of the system's list of name servers and search domains. */
  systemFile?: string
}

/** Milliseconds for the first question of each server, and how often it is asked; together below the 5 s of a connection. */
const QUESTION_MS = 1500
const QUESTIONS = 2

/** Addresses of the machine's own name, whatever a name server says (RFC 6761, section 6.3). */
const LOCALHOST = ['127.0.0.1', '::1']

const ABSENT = new Set(['ENOTFOUND', 'ENODATA'])

/**
 * Finds addresses in the hosts file, then in the DNS. The system's own look-up
 * (`getaddrinfo`) stands in four threads of the process: a few names whose servers never
 * answer would keep every other name waiting. Questions here wait for nobody.
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
      // A name with a dot at its end is whole.
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
  const dns = new DnsResolver({ timeout: QUESTION_MS, tries: QUESTIONS, maxTimeout: QUESTION_MS })
  if (servers) dns.setServers(servers)
  return { dns, domains }
}

/** Resolves both families; a missing answer for one does not matter if the other answers. */
async function addressesOf(dns: DnsResolver, name: string): Promise<string[]> {
  const answers = await Promise.allSettled([dns.resolve4(name), dns.resolve6(name)])
  const found = answers.flatMap((each) => (each.status === 'fulfilled' ? each.value : []))
  if (found.length > 0) return found
  const failures = answers.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []))
  throw failures.find((failure) => !isAbsent(failure)) ?? failures[0]
}

function isAbsent(error: unknown): boolean {
  return ABSENT.has((error as NodeJS.ErrnoException).code ?? '')
}

/** The parsed content of a file, read again after a change. */
class KeptFile<Content> {
  #changed = Number.NaN

  /** @param content what holds while the file cannot be read */
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
      // A machine without such a file has nothing to say there.
    }
    return this.content
  }
}

/** Lines without comments, as words. */
function wordsOf(text: string): string[][] {
  return text.split('\n').map((line) =>
    line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
  )
}

/** Names and their addresses; addresses with a zone are of no use here. */
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

/** The domains of the last line `search` or `domain`. */
export function readSearch(text: string): string[] {
  const lines = wordsOf(text).filter(([word]) => word === 'search' || word === 'domain')
  const [, ...domains] = lines.at(-1) ?? []
  return domains.map((each) => each.replace(/\.$/, '')).filter((each) => each !== '')
}
