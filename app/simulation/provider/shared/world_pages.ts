import type { Observed, Page, PluginContext } from '#plugin-kit/context'
import type { HttpRequest } from '#plugin-kit/http'
import { ProviderError } from '#plugin-kit/provider_error'
import { spellingsOf } from '#plugin-kit/version_names'

/** The start of a read, and the maximum age of its content. */
export type Seen = Pick<Observed<string>, 'beganAt' | 'lagSeconds'>

type ListRequest = Pick<HttpRequest, 'path' | 'params' | 'query'>

/** Marks an answer of a world as current, from now on and without a lag. */
export const asItIs = ({ now }: PluginContext): Seen => ({
  beganAt: now().toISOString(),
  lagSeconds: 0,
})

/**
 * Reads one page of a list of a world.
 * @throws ProviderError `protocol` if the answer is no page
 */
export async function pageOf<Item, More = object>(
  { http }: PluginContext,
  request: ListRequest
): Promise<Page<Item> & More> {
  const { body } = await http.send<Page<Item> & More>({ method: 'GET', ...request })
  if (Array.isArray(body?.items)) return body
  throw noPage()
}

/** Returns the error about a response that is not a page. */
export const noPage = () =>
  new ProviderError('protocol', 'The response is not a page', { outcome: 'notApplied' })

/** Returns the filter of a version, which a world compares as a text. */
export const named = (version: string | undefined) =>
  version === undefined ? {} : { version: spellingsOf(version) }

/** Reads all pages of a short list. @throws ProviderError as `pageOf` does */
export const allOf = async <Item>(ctx: PluginContext, request: ListRequest): Promise<Item[]> =>
  (await listOf<Item>(ctx, request)).items

/** Reads all pages of a list, with the lag that the world declares. */
export async function listOf<Item>(
  ctx: PluginContext,
  request: ListRequest
): Promise<{ items: Item[]; seen: Seen }> {
  const items: Item[] = []
  const seen = asItIs(ctx)
  for (let cursor: string | undefined; ;) {
    const query = { ...request.query, cursor }
    const page = await pageOf<Item, { lagSeconds?: number }>(ctx, { ...request, query })
    items.push(...page.items)
    seen.lagSeconds = page.lagSeconds ?? 0
    if (page.next === undefined) return { items, seen }
    cursor = page.next
  }
}

/** Returns an observation in the states of the plugin kit; others are `unknown`. */
export const observed = <State extends string>(
  ctx: PluginContext,
  states: Readonly<Record<string, State>>,
  raw: string,
  seen: Seen = asItIs(ctx)
): Observed<State> => ({
  state: Object.hasOwn(states, raw) ? states[raw] : 'unknown',
  raw,
  ...seen,
  observedAt: ctx.now().toISOString(),
})
