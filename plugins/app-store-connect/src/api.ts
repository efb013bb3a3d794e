import {
  isProviderError,
  ProviderError,
  type HttpRequest,
  type Observed,
  type PluginContext,
  refused,
} from '@tarmac/plugin-kit'
import type { Changes, Plain, QueryOf, Reads } from './operations.js'

/** The largest page size. */
export const PAGE = 200

/** Maximum age of what Apple shows of versions and builds, in seconds: reads lag behind changes. */
export const LAG_SECONDS = 60

/** The platform of the versions and builds that the plugin manages. */
export const PLATFORM = 'IOS'

/**
 * Pauses between retries of calls about a new resource that Apple does not know everywhere yet, in
 * milliseconds.
 */
const APPEARING_MS = [1000, 2000, 4000, 8000]

/** Pauses between reads until they show a new resource, in milliseconds. */
export const LISTED_MS = [2000, 4000, 8000]

/** Codes of refusals that may mean the change was applied before. */
const REFUSALS: readonly string[] = ['conflict', 'invalid', 'preconditionFailed']

/** The beginning of a read, and the maximum age of what it shows. */
export type Seen = Pick<Observed<string>, 'beganAt' | 'lagSeconds'>

/** A page of a list, with Apple's link to the next one. */
interface Listed {
  links: { next?: string }
}

type QueryValues = Readonly<
  Record<string, string | number | boolean | readonly string[] | undefined>
>

/** App Store Connect, for one use by one integration. */
export class AppStoreConnect {
  #appId: string | null = null

  constructor(readonly ctx: PluginContext) {}

  /** @param cursor from the previous page; undefined for the first one. @throws ProviderError */
  async read<Path extends keyof Reads>(
    path: Path,
    id: string | null,
    query: QueryOf<Path>,
    cursor?: string
  ): Promise<Reads[Path][1]> {
    const { body } = await this.ctx.http.send<{ data?: unknown } | null>({
      method: 'GET',
      path,
      ...paramsOf(id),
      query: queryOf({ ...(query as QueryValues), cursor }),
    })
    return requireDocument(body, path) as Reads[Path][1]
  }

  /**
   * @param more.isRepeatable a repetition has no further effect, so the port may retry it
   * @throws ProviderError
   */
  async change<Route extends keyof Changes>(
    route: Route,
    id: string | null,
    json: Plain<Changes[Route][0]>,
    { isRepeatable = false } = {}
  ): Promise<Changes[Route][1]> {
    const [method, path] = route.split(' ') as [HttpRequest['method'], string]
    const { body } = await this.ctx.http.send<{ data?: unknown } | null>({
      method,
      path,
      ...paramsOf(id),
      ...(json === undefined ? {} : { json }),
      idempotent: isRepeatable || method === 'DELETE',
    })
    return (body === null ? null : requireDocument(body, route)) as Changes[Route][1]
  }

  /** Repeats a call about a new resource, which Apple may not find yet. */
  async onceThere<Answer>(call: () => Promise<Answer>): Promise<Answer> {
    for (const milliseconds of APPEARING_MS) {
      try {
        return await call()
      } catch (error) {
        if (!isProviderError(error) || !isMissing(error)) throw error
        await this.ctx.pause(milliseconds)
      }
    }
    return call()
  }

  /**
   * Creates a unique resource, or finds it: an earlier call whose answer was lost may have created
   * it, and reads show it with a delay.
   */
  async madeOnce<Created>(
    make: () => Promise<Created>,
    find: () => Promise<Created | null>
  ): Promise<Created> {
    try {
      return await make()
    } catch (error) {
      if (!isProviderError(error) || !REFUSALS.includes(error.code)) throw error
      for (const milliseconds of LISTED_MS) {
        const found = await find()
        if (found !== null) return found
        await this.ctx.pause(milliseconds)
      }
      throw error
    }
  }

  get bundleId(): string {
    return String(this.ctx.data.bundleId ?? '')
  }

  /**
   * Returns Apple's id of the app: the one in the integration's data, or looked up once.
   * @throws ProviderError `notFound`
   */
  async appId(): Promise<string> {
    const named = this.ctx.data['x-apple-id']
    if (typeof named === 'string' && named !== '') return named
    this.#appId ??= await this.#findApp()
    return this.#appId
  }

  /** Stores the id of the app, which came with another answer. */
  knowApp(id: string): void {
    this.#appId = id
  }

  async #findApp(): Promise<string> {
    const { bundleId } = this
    const { data } = await this.read('/v1/apps', null, {
      'filter[bundleId]': [bundleId],
      'fields[apps]': ['bundleId'],
      'limit': PAGE,
    })
    // The filter may also match longer bundle ids with the same beginning.
    const app = data.find(({ attributes }) => attributes?.bundleId === bundleId)
    if (app) return app.id
    throw refused('notFound', {
      reason: 'appUnknown',
      message: `The key sees no app ${bundleId}: it was removed from the account, or the key is for other apps.`,
      action: 'Whoever may change the app corrects its bundleId, or an Admin of the account helps.',
    })
  }

  /** Records the beginning of a read. */
  begin(lagSeconds = LAG_SECONDS): Seen {
    return { beganAt: this.now, lagSeconds }
  }

  /** The current time in the kit's format. */
  get now(): string {
    return this.ctx.now().toISOString()
  }

  /** Makes an observation with the kit's state for Apple's; a new state of Apple is `unknown`. */
  observed<State extends string>(
    states: Readonly<Record<string, State>>,
    raw: string,
    seen: Seen
  ): Observed<State> {
    const state = Object.hasOwn(states, raw) ? states[raw] : 'unknown'
    return { state, raw, ...seen, observedAt: this.now }
  }

  /** Returns the cursor of the next page, from Apple's link. */
  nextOf({ links: { next } }: Listed): { next?: string } {
    if (next === undefined) return {}
    const cursor = new URL(next, 'https://apple').searchParams.get('cursor')
    return cursor ? { next: cursor } : {}
  }
}

const paramsOf = (id: string | null) => (id === null ? {} : { params: { id } })

/** Apple takes several values of a parameter separated by commas. */
function queryOf(asked: QueryValues): HttpRequest['query'] {
  return Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [
      name,
      typeof value === 'object' ? value.join(',') : value,
    ])
  )
}

function requireDocument(body: { data?: unknown } | null, what: string): unknown {
  if (typeof body === 'object' && body !== null && 'data' in body) return body
  throw new ProviderError('protocol', `${what} answered with no document of JSON:API`, {
    outcome: what.startsWith('/') ? 'notApplied' : 'unknown',
  })
}

/** Returns whether Apple does not find the resource of a call, or one that it refers to. */
export function isMissing({ code, detail }: ProviderError): boolean {
  const { status, vendorCode = '', reason = '', raw = reason } = detail
  if (code === 'notFound' && status === 404) return true
  return vendorCode.startsWith('ENTITY_ERROR.RELATIONSHIP') && /cannot be found/i.test(raw)
}

/** Returns the included resources of a type, by their ids. */
export function includedOf<Type extends string>(
  { included = [] }: { included?: readonly { type: string; id: string }[] },
  type: Type
): Map<string, Extract<(typeof included)[number], { type: Type }>> {
  const own = included.filter((each) => each.type === type)
  return new Map(own.map((each) => [each.id, each as never]))
}
