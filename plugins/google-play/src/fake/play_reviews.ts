import type { AppStoreScenario } from '@tarmac/plugin-kit/testing'
import { REFUSALS } from './refusals.js'

type Given = AppStoreScenario['reviews'][number]

const MAX_OF_REPLY = 350

/** Reviews of users, the newest first. */
export class PlayReviews {
  readonly #replies = new Map<string, { text: string; at: number }>()

  constructor(
    private readonly now: () => number,
    private readonly given: readonly Given[] = []
  ) {
    for (const { id, reply, at } of given) {
      if (reply !== null) this.#replies.set(id, { text: reply, at: Date.parse(at) })
    }
  }

  list(query: URLSearchParams): object {
    const begin = Number(query.get('token') ?? 0)
    const end = begin + Math.min(Number(query.get('maxResults') ?? 10), 100)
    const newest = this.given.toSorted((one, other) => other.at.localeCompare(one.at))
    const reviews = newest.slice(begin, end).map((each) => this.#written(each))
    const isMore = end < newest.length
    return {
      ...(reviews.length > 0 ? { reviews } : {}),
      ...(isMore ? { tokenPagination: { nextPageToken: String(end) } } : {}),
    }
  }

  get(id: string): object {
    return this.#written(this.#found(id))
  }

  reply(id: string, { replyText = '' }: { replyText?: string }): object {
    this.#found(id)
    if ([...replyText].length > MAX_OF_REPLY) throw REFUSALS.replyTooLong()
    this.#replies.set(id, { text: replyText, at: this.now() })
    return { result: { replyText, lastEdited: stampOf(this.now()) } }
  }

  state(): Given[] {
    return this.given.map((each) => ({ ...each, reply: this.#replies.get(each.id)?.text ?? null }))
  }

  #found(id: string): Given {
    const found = this.given.find((each) => each.id === id)
    if (!found) throw REFUSALS.reviewUnknown()
    return found
  }

  #written({ id, rating, text, at }: Given): object {
    const reply = this.#replies.get(id)
    const userComment = { text, starRating: rating, lastModified: stampOf(Date.parse(at)) }
    const developerComment = reply && { text: reply.text, lastModified: stampOf(reply.at) }
    return {
      reviewId: id,
      authorName: 'Ada',
      comments: [{ userComment }, ...(developerComment ? [{ developerComment }] : [])],
    }
  }
}

const stampOf = (at: number) => ({
  seconds: String(Math.floor(at / 1000)),
  nanos: (at % 1000) * 1e6,
})
