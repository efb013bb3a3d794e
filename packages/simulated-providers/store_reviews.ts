import { HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * Reviews of users of an app in a store. They follow from the seed and from the times of releases,
 * and are not stored.
 */

/** Time after a release in which users review a version, in milliseconds. */
const LASTING_MS = 30 * 24 * HOUR

export interface UserReview {
  id: string
  rating: number
  title: string
  text: string
  author: string
  at: number
  territory: string
  version: string
}

export interface ReviewReply {
  reviewId: string
  text: string
  at: number
}

/** A period in which a version was available; up to now if `until` is null. */
export interface TimeOut {
  version: string
  from: number
  until: number | null
}

/** The share of reviews with at most one, two, … five stars. */
const UP_TO: readonly number[] = [0.12, 0.2, 0.3, 0.5, 1]

const TEXTS: readonly (readonly [title: string, text: string])[] = [
  ['Broken', 'It closes by itself since the last update.'],
  ['Slow', 'It takes ages until anything is there.'],
  ['Fine', 'It does what it says. A dark mode would be nice.'],
  ['Good', 'I use it every day and it mostly works well.'],
  ['Great', 'Just what I was looking for. Thank you!'],
]
const TERRITORIES = ['USA', 'DEU', 'GBR', 'FRA', 'JPN', 'BRA']

/**
 * Returns all reviews until now, the newest first.
 * @param everyMs average time between reviews of a version; null if there are none
 */
export function reviewsUntil(
  seed: string,
  outs: readonly TimeOut[],
  { now, everyMs }: { now: number; everyMs: number | null }
): readonly UserReview[] {
  if (everyMs === null) return []
  const all = outs.flatMap(({ version, from, until }) => {
    const lasted = Math.min(now, until ?? now, from + LASTING_MS) - from
    const count = Math.ceil(lasted / everyMs)
    return firstReviews({ seed, version, from, everyMs }, count).filter(
      ({ at }) => at <= from + lasted
    )
  })
  return all.sort((one, other) => other.at - one.at || (one.id < other.id ? 1 : -1))
}

interface Series {
  seed: string
  version: string
  from: number
  everyMs: number
}

/** Cached reviews of versions: they are requested again and again. */
const cached = new Map<string, UserReview[]>()
const MAX_KEPT = 500

/**
 * Returns the first `count` reviews of a version. They are never changed, so callers may share
 * them.
 */
function firstReviews({ seed, version, from, everyMs }: Series, count: number): UserReview[] {
  const key = JSON.stringify([seed, version, from, everyMs])
  const known = cached.get(key) ?? []
  if (!cached.has(key)) {
    if (cached.size >= MAX_KEPT) cached.clear()
    cached.set(key, known)
  }
  for (let index = known.length; index < count; index++) {
    known.push(reviewAt(seed, version, { from: from + index * everyMs, everyMs }, index))
  }
  return known.slice(0, Math.max(0, count))
}

function reviewAt(
  seed: string,
  version: string,
  slot: { from: number; everyMs: number },
  index: number
): UserReview {
  const draw = (what: string) => chance(seed, `review ${what}`, version, index)
  const rolled = draw('stars')
  const rating = UP_TO.findIndex((share) => rolled < share) + 1
  const [title, text] = TEXTS[rating - 1]
  return {
    id: `${version}-${index + 1}`,
    rating,
    title,
    text,
    author: `user${Math.floor(draw('author') * 10_000)}`,
    at: slot.from + Math.floor(draw('moment') * slot.everyMs),
    territory: TERRITORIES[Math.floor(draw('territory') * TERRITORIES.length)],
    version,
  }
}
