import { HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * Reviews of users of an app in a store. They follow from the seed and from when a version came
 * out; nobody writes them down.
 */

/** For so long after a version came out users say something of it. */
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

/** The share of reviews of at most so many stars. */
const UP_TO: readonly number[] = [0.12, 0.2, 0.3, 0.5, 1]

const SAID: readonly (readonly [title: string, text: string])[] = [
  ['Broken', 'It closes by itself since the last update.'],
  ['Slow', 'It takes ages until anything is there.'],
  ['Fine', 'It does what it says. A dark mode would be nice.'],
  ['Good', 'I use it every day and it mostly works well.'],
  ['Great', 'Just what I was looking for. Thank you!'],
]
const TERRITORIES = ['USA', 'DEU', 'GBR', 'FRA', 'JPN', 'BRA']

/**
 * All that was said until now, the newest first.
 * @param everyMs one comes about so often; null if nobody says anything
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

interface Said {
  seed: string
  version: string
  from: number
  everyMs: number
}

/** Cached reviews of versions: they are requested again and again. */
const said = new Map<string, UserReview[]>()
const MOST_KEPT = 500

/** The first so many reviews of a version. Nobody changes one, so that all may have the same. */
function firstReviews({ seed, version, from, everyMs }: Said, count: number): UserReview[] {
  const key = JSON.stringify([seed, version, from, everyMs])
  const known = said.get(key) ?? []
  if (!said.has(key)) {
    if (said.size >= MOST_KEPT) said.clear()
    said.set(key, known)
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
  const of = (what: string) => chance(seed, `review ${what}`, version, index)
  const rolled = of('stars')
  const rating = UP_TO.findIndex((share) => rolled < share) + 1
  const [title, text] = SAID[rating - 1]
  return {
    id: `${version}-${index + 1}`,
    rating,
    title,
    text,
    author: `user${Math.floor(of('author') * 10_000)}`,
    at: slot.from + Math.floor(of('moment') * slot.everyMs),
    territory: TERRITORIES[Math.floor(of('territory') * TERRITORIES.length)],
    version,
  }
}
