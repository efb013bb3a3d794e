import type { Page, PluginContext } from '#plugin-kit/context'
import type { HttpRequest } from '#plugin-kit/http'
import { ProviderError } from '#plugin-kit/provider_error'

/** One page of what a world lists. @throws ProviderError `protocol` for what is no page */
export async function pageOf<Item>(
  { http }: PluginContext,
  request: Pick<HttpRequest, 'path' | 'params' | 'query'>
): Promise<Page<Item>> {
  const { body } = await http.send<Page<Item>>({ method: 'GET', ...request })
  if (Array.isArray(body?.items)) return body
  throw new ProviderError('protocol', 'The answer is no page', { outcome: 'notApplied' })
}

/** All pages of a list that is short. @throws ProviderError as `pageOf` does */
export async function allOf<Item>(
  ctx: PluginContext,
  request: Pick<HttpRequest, 'path' | 'params' | 'query'>
): Promise<Item[]> {
  const items: Item[] = []
  for (let cursor: string | undefined; ;) {
    const { query } = request
    const page = await pageOf<Item>(ctx, { ...request, query: { ...query, cursor } })
    items.push(...page.items)
    if (page.next === undefined) return items
    cursor = page.next
  }
}

/** What was seen, in our words; a state that we do not know is `unknown`. */
export const observed = <State extends string>(
  { now }: PluginContext,
  states: Readonly<Record<string, State>>,
  raw: string
): { state: State | 'unknown'; raw: string; observedAt: string } => ({
  state: Object.hasOwn(states, raw) ? states[raw] : 'unknown',
  raw,
  observedAt: now().toISOString(),
})
