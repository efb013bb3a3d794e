import type { ConformanceOptions } from '../../conformance/options.js'
import type { PluginContext } from '../../context.js'
import { FakeProvider } from '../../fake/fake_provider.js'
import type { Scenario } from '../../fake/scenario.js'
import type { Kind } from '../../kinds.js'
import { SPI_VERSION, type CapabilityDeclaration } from '../../manifest.js'
import type { Plugin } from '../../plugin.js'
import { ProviderError } from '../../provider_error.js'
import lifecycle from '../../template/src/lifecycle.js'
import { manifest } from '../../template/src/manifest.js'

/*
 * A provider whose API uses almost the kit's own words. Samples add their kinds to it.
 */

const PAGE = 50

export type Body = Record<string, never>

/** A request to a fake: `runs/1/cancel` is split into `what`, `id` and `more`. */
export interface FakeRequest {
  what: string
  id?: string
  more?: string
  query: URLSearchParams
  body: Body
  isChange: boolean
}

export class Refusal extends Error {
  constructor(readonly status: number) {
    super()
  }
}

/** Remembers its answer to each idempotency key. */
export abstract class WorldFake<World extends Scenario> extends FakeProvider {
  protected abstract world: World
  readonly #answered = new Map<string, object>()

  /** @throws Refusal */
  protected abstract answerTo(requested: FakeRequest): object | string

  seed(scenario: Scenario): void {
    this.world = { ...this.world, ...structuredClone(scenario) }
    this.#answered.clear()
  }

  state(): Scenario {
    return this.world
  }

  protected async respond(request: Request): Promise<Response> {
    const { pathname, searchParams: query } = new URL(request.url)
    if (request.headers.get('authorization') !== 'Bearer good-token') return refusal(401)
    if (pathname === '/v1/me') {
      return Response.json({ team: 'Acme', scopes: ['read', 'write'] })
    }
    const key = request.headers.get('idempotency-key')
    if (key !== null && this.#answered.has(key)) return Response.json(this.#answered.get(key))
    const isChange = request.method !== 'GET'
    try {
      const body = (isChange ? await request.json() : {}) as Body
      const [what, id, more] = pathname.split('/').slice(2).map(decodeURIComponent)
      const result = this.answerTo({ what, id, more, query, body, isChange })
      if (typeof result === 'string') return new Response(result)
      if (key !== null) this.#answered.set(key, result)
      return Response.json(result)
    } catch (error) {
      if (error instanceof Refusal) return refusal(error.status)
      throw error
    }
  }
}

const refusal = (status: number) => Response.json({ message: 'No' }, { status })

export function found<Item>(items: readonly Item[], is: (item: Item) => boolean): Item {
  const item = items.find(is)
  if (!item) throw new Refusal(404)
  return item
}

export function paged(items: readonly object[], query: URLSearchParams): object {
  const from = Number(query.get('cursor') ?? 0)
  const next = from + PAGE < items.length ? { next: String(from + PAGE) } : {}
  return { items: items.slice(from, from + PAGE), ...next }
}

/** The client that all kinds share. */
export class Api {
  constructor(readonly ctx: PluginContext) {}

  async get<Result>(path: string, query: Record<string, string | number | undefined> = {}) {
    const { status, body } = await this.ctx.http.send<Result>({
      method: 'GET',
      path: `/v1/${path}`,
      query,
      expect: [404],
    })
    return status === 404 ? null : body
  }

  async list<Item>(path: string, cursor?: string, query: Record<string, string | undefined> = {}) {
    const page = await this.get<{ items: Item[]; next?: string }>(path, { ...query, cursor })
    if (!page) throw new ProviderError('notFound', 'Not found', { outcome: 'notApplied' })
    return page
  }

  async change<Result>(path: string, json: object, key: string) {
    const headers = { 'idempotency-key': key }
    const request = {
      method: 'POST',
      path: `/v1/${path}`,
      json,
      headers,
      idempotent: true,
    } as const
    return (await this.ctx.http.send<Result>(request)).body
  }
}

/** Returns a plugin of some kinds, with the options to try it with. */
export function optionsOf(
  fake: ConformanceOptions['fake'],
  capabilities: Plugin['capabilities'],
  features: { readonly [Each in Kind]?: string[] },
  data: ConformanceOptions['data']
): ConformanceOptions {
  const declared = (Object.keys(capabilities) as Kind[]).map(
    (kind): [Kind, CapabilityDeclaration] => [
      kind,
      { type: `acme-${kind.toLowerCase()}`, features: features[kind] ?? [] },
    ]
  )
  return {
    plugin: {
      manifest: { ...manifest, spi: SPI_VERSION, capabilities: Object.fromEntries(declared) },
      lifecycle: async () => ({ default: lifecycle }),
      capabilities,
    },
    fake,
    credentials: { good: { token: 'good-token' }, bad: { token: 'bad-token' } },
    data,
  }
}

/** Returns the same plugin with a single kind. */
export function only(kind: Kind, options: ConformanceOptions): ConformanceOptions {
  const { plugin } = options
  const { [kind]: declared } = plugin.manifest.capabilities
  const { [kind]: capability } = plugin.capabilities
  return {
    ...options,
    plugin: {
      ...plugin,
      manifest: { ...plugin.manifest, capabilities: { [kind]: declared } },
      capabilities: { [kind]: capability },
    },
  }
}
