import { compareTexts } from '../../foundation/core/compare_texts.js'
import { createHash } from 'node:crypto'
import type { Instant } from '#foundation/core/clock'
import { later } from '#foundation/core/clock'
import { WEEK } from '#foundation/core/durations'
import type { Term } from '../reviews/review_terms.js'

/** The members of a review that grouping needs; the developer's reply is not grouped. */
interface GroupedReview {
  id: string
  writtenAt: Instant
  terms: readonly Term[]
}

export interface ReviewIssue {
  id: string
  /** Ids under less frequent words of the same reviews. */
  sameIds: string[]
  title: string
  reviewCount: number
  trend: 'up' | 'flat' | 'down'
  firstSeenAt: Instant
  lastSeenAt: Instant
  reviewIds: ReadonlySet<string>
}

/** The fewest reviews that must share a word to be an issue. */
const MIN_REVIEWS = 3
const MAX_ISSUES = 20
/** The most further words of one issue; the most frequent are kept. */
const MAX_SAME = 40
/** The share of a word's reviews that must be in a more frequent issue for both to be the same. */
const SAME = 0.6

/**
 * Groups reviews by the words they share, the most frequent first. The result does not depend on
 * the order of the reviews. Pure.
 * @param now the end of the week that a trend compares with the week before
 */
export function issuesOf(reviews: readonly GroupedReview[], now: Instant): ReviewIssue[] {
  const byStem = new Map<string, { words: Map<string, number>; reviews: GroupedReview[] }>()
  for (const review of [...reviews].sort(byTime)) {
    for (const { stem, word } of review.terms) {
      const group = byStem.get(stem) ?? {
        words: new Map<string, number>(),
        reviews: [] as GroupedReview[],
      }
      group.words.set(word, (group.words.get(word) ?? 0) + 1)
      group.reviews.push(review)
      byStem.set(stem, group)
    }
  }
  const groups = [...byStem]
    .filter(([, group]) => group.reviews.length >= MIN_REVIEWS)
    .sort(([a, one], [b, other]) => other.reviews.length - one.reviews.length || compareTexts(a, b))
  const issues: ReviewIssue[] = []
  for (const [stem, group] of groups) {
    const same = issues.find(({ reviewIds }) => shareIn(reviewIds, group.reviews) >= SAME)
    if (same && same.sameIds.length < MAX_SAME) same.sameIds.push(idOf(stem))
    if (!same && issues.length < MAX_ISSUES) issues.push(issueOf(stem, group, now))
  }
  return issues
}

const idOf = (stem: string) =>
  `issue_${createHash('sha256').update(stem).digest('hex').slice(0, 20)}`

const byTime = (one: GroupedReview, other: GroupedReview) =>
  one.writtenAt.localeCompare(other.writtenAt) || one.id.localeCompare(other.id)

const shareIn = (ids: ReadonlySet<string>, reviews: readonly GroupedReview[]) =>
  reviews.filter(({ id }) => ids.has(id)).length / reviews.length

function issueOf(
  stem: string,
  { words, reviews }: { words: Map<string, number>; reviews: readonly GroupedReview[] },
  now: Instant
): ReviewIssue {
  const [title] = [...words].sort(([a, one], [b, other]) => other - one || compareTexts(a, b))[0]
  return {
    id: idOf(stem),
    sameIds: [],
    title,
    reviewCount: reviews.length,
    trend: trendOf(reviews, now),
    firstSeenAt: reviews[0].writtenAt,
    lastSeenAt: reviews.at(-1)!.writtenAt,
    reviewIds: new Set(reviews.map(({ id }) => id)),
  }
}

/**
 * Compares this week with the week before; a trend needs a change of a quarter and of two reviews.
 */
function trendOf(reviews: readonly GroupedReview[], now: Instant): ReviewIssue['trend'] {
  const [week, before] = [later(now, -WEEK), later(now, -2 * WEEK)]
  const recent = reviews.filter(({ writtenAt }) => writtenAt > week).length
  const earlier = reviews.filter(({ writtenAt }) => writtenAt > before && writtenAt <= week).length
  if (Math.abs(recent - earlier) < 2) return 'flat'
  if (recent > earlier * 1.25) return 'up'
  return recent < earlier * 0.75 ? 'down' : 'flat'
}
