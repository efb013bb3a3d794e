import type { StoreReview } from '#plugin-kit/capabilities/stores'

/** A review as a world tells it. */
export interface WorldReview {
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

export function reviewOf({ reply, ...review }: WorldReview): StoreReview {
  if (!reply) return review
  const state = reply.state === 'PUBLISHED' ? 'published' : 'pending'
  return { ...review, reply: { text: reply.text, state, at: reply.at } }
}
