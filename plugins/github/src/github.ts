import { createHash } from 'node:crypto'
import { Octokit } from '@octokit/core'
import type { Endpoints } from '@octokit/types'
import {
  answerOfClient,
  isGraphqlQuery,
  type PluginContext,
  type ProviderError,
} from '@tarmac/plugin-kit'
import { refused } from './errors.js'

/** The largest page size. */
export const PAGE = 100

/** Yields the entries of a list, page by page, until one is not full. */
export async function* allPages<Entry>(
  read: (page: { per_page: number; page: number }) => Promise<readonly Entry[]>
): AsyncGenerator<Entry> {
  for (let page = 1; ; page++) {
    const entries = await read({ per_page: PAGE, page })
    yield* entries
    if (entries.length < PAGE) return
  }
}

type Parameters<Route extends keyof Endpoints> = Omit<
  Endpoints[Route]['parameters'],
  'owner' | 'repo'
>

/** GitHub's own client for one repository. The port does retries, limits and authentication. */
export class GitHub {
  readonly owner: string
  readonly repo: string
  readonly #octokit: Octokit

  /** @param repository `acme/app`; null if none is needed */
  constructor(
    readonly ctx: PluginContext,
    repository: string | null
  ) {
    const [owner = '', repo = ''] = repository?.split('/') ?? []
    this.owner = owner
    this.repo = repo
    const silent = () => {}
    this.#octokit = new Octokit({
      baseUrl: baseUrlOf(ctx),
      userAgent: 'Tarmac',
      log: { debug: silent, info: silent, warn: silent, error: silent },
      request: { fetch: fetchOf(ctx) },
    })
  }

  /**
   * Calls an operation by its route, with the owner and the repository filled in.
   * @throws ProviderError
   */
  async request<Route extends keyof Endpoints>(
    route: Route,
    parameters?: Parameters<Route> & { headers?: Record<string, string> }
  ): Promise<Endpoints[Route]['response']> {
    const { owner, repo } = this
    const place = route.includes('{owner}') ? { owner, repo } : {}
    const call = this.#octokit.request(route as string, { ...place, ...parameters })
    return (await answerOfClient(call)) as Endpoints[Route]['response']
  }

  /** @throws ProviderError, also for errors within a successful answer */
  graphql<Answer>(query: string, variables: Record<string, unknown> = {}): Promise<Answer> {
    const { owner, repo } = this
    return answerOfClient(this.#octokit.graphql<Answer>(query, { owner, repo, ...variables }))
  }
}

/** Marks GraphQL queries, which change nothing, so they may be retried and count as reads. */
const fetchOf =
  ({ http }: PluginContext): typeof http.client =>
  (input, init) => {
    const isQuery = typeof init?.body === 'string' && isGraphqlQuery(init.body)
    return http.client(input, isQuery ? { ...init, isQuery } : init)
  }

/** Returns the origin of an Enterprise Server; null for github.com. */
export function serverOf({ connection: { host } }: PluginContext): string | null {
  if (typeof host !== 'string' || host === '') return null
  const origin = /^https?:\/\//i.test(host) ? host : `https://${host}`
  return origin.replace(/\/$/, '')
}

export function baseUrlOf(ctx: PluginContext): string {
  const server = serverOf(ctx)
  return server === null ? 'https://api.github.com' : `${server}/api/v3`
}

/** A page of a list of GraphQL. */
export interface Connection<Node> {
  nodes: Node[]
  pageInfo: { hasNextPage: boolean; endCursor: string | null }
}

export const nextOf = ({ pageInfo: { hasNextPage, endCursor } }: Connection<unknown>) =>
  hasNextPage && endCursor ? { next: endCursor } : {}

/** Returns the current time in the kit's format. */
export const nowOf = (ctx: PluginContext) => ctx.now().toISOString()

export const isNotFound = ({ code, detail }: ProviderError) =>
  code === 'notFound' && (detail.status === 404 || detail.status === 410)

/** Returns whether the resource was renamed or moved. */
export const isMoved = ({ detail: { status = 0 } }: ProviderError) => status >= 300 && status < 400

/** Returns whether GitHub's own text of an error matches. */
export const reads =
  (pattern: RegExp) =>
  ({ detail: { raw, reason = '' } }: ProviderError) =>
    pattern.test(raw ?? reason)

/** Returns whether a text is the full hash of a commit. */
export const isHash = (text: string) => /^[0-9a-f]{40}$/.test(text)

/** @throws ProviderError `invalid` */
export function requireHash(text: string): string {
  if (isHash(text)) return text
  throw refused('invalid', `"${text.slice(0, 80)}" is not a full hash of a commit`, 'hash')
}

/** Characters and sequences that `git check-ref-format` refuses in a name. */
const NO_REF = /[\p{Cc} ~^:?*[\\]|\.\.|@\{|\/\/|^\/|\/$|\.$|^@$|(^|\/)\.|\.lock(\/|$)/u

/** @throws ProviderError `invalid` */
export function requireName(name: string): string {
  if (name !== '' && name.length <= 200 && !NO_REF.test(name)) return name
  throw refused('invalid', `"${name.slice(0, 80)}" is not a name of a branch or tag`, 'name')
}

/** Returns the trailer by which a repeated request finds its commit. */
export const requestLine = ({ idempotencyKey }: { idempotencyKey: string }) =>
  `Tarmac-Request: ${digest(idempotencyKey)}`

export const digest = (key: string) => createHash('sha256').update(key).digest('hex').slice(0, 32)
