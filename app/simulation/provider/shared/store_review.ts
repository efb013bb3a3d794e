import type { AppStore, StoreReview } from '#plugin-kit/capabilities/stores'
import type { Page, PluginContext } from '#plugin-kit/context'
import type { HttpRequest } from '#plugin-kit/http'
import { pageOf } from './world_pages.js'

/** A review in answers of a world. */
interface WorldReview {
  id: string
  rating: number
  title: string
  text: string
  author: string
  at: string
  territory: string
  version: string
  reply: { text: string; state: string; at: string } | null
}

type Place = Pick<HttpRequest, 'path' | 'params'>

/** Lists reviews of users, which both stores of a world answer alike. */
export async function reviewsAt(
  ctx: PluginContext,
  place: Place,
  { since, minRating, maxRating }: Parameters<AppStore['listReviews']>[0],
  cursor?: string
): Promise<Page<StoreReview>> {
  const query = { since, minRating, maxRating, cursor }
  const page = await pageOf<WorldReview>(ctx, { ...place, query })
  return { ...page, items: page.items.map(reviewOf) }
}

/** Replies to a review; a new reply replaces the previous one. */
export async function replyAt(
  { http }: PluginContext,
  place: Place,
  text: string
): Promise<StoreReview> {
  const { body } = await http.send<WorldReview>({
    method: 'POST',
    ...place,
    json: { text },
    idempotent: true,
  })
  return reviewOf(body)
}

function reviewOf({ reply, ...review }: WorldReview): StoreReview {
  if (!reply) return review
  const state = reply.state === 'PUBLISHED' ? 'published' : 'pending'
  return { ...review, reply: { text: reply.text, state, at: reply.at } }
}
