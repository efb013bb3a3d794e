import { DAY, HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * The behaviour of users, hour by hour: their versions follow from the share of users that each was
 * offered to, and for how long; sessions, crashes and events follow from that and the seed.
 * Instants are milliseconds since the epoch.
 */

/** Time after which two thirds of the users who are offered a version have it. */
const ADOPTION_MS = 2 * DAY

/** Returns the share of the users who were offered a version that have it after a time. */
export const adoptedAfter = (elapsedMs: number) => 1 - Math.exp(-elapsedMs / ADOPTION_MS)

/** A version that users were offered, with the share of them at an instant. */
export interface Offered {
  version: string
  from: number
  /** Share of its store's users, from 0 to 1. */
  fractionAt(at: number): number
}

export interface AudienceSettings {
  /** Daily users of one app in one store. */
  dailyUsers: number
  sessionsPerUser: number
  /** Bounds of the share of sessions that crash; each version has a share between them. */
  leastCrashing: number
  mostCrashing: number
}

/** A change that a scenario plants: more crashes, or fewer events, for a while. */
interface Planted {
  /** Null for every version. */
  version: string | null
  from: number
  until: number | null
  /** Share of users that must be offered the version before it begins, 0 to 1; null for at once. */
  fromShare: number | null
}
export interface Spike extends Planted {
  /** The share of sessions that crash meanwhile. */
  crashing: number
}
export interface Drop extends Planted {
  event: string
  /** The remaining share, from 0 to 1. */
  left: number
}

/**
 * Returns the shares of one store's users by version, 0 to 1; the rest has older versions.
 * @param offers the oldest first
 * @param only the version of interest: older ones are left out, because they do not affect its
 * share
 */
export function sharesAt(
  offers: readonly Offered[],
  at: number,
  only: string | null = null
): Map<string, number> {
  const shares = new Map<string, number>()
  const last = only === null ? 0 : offers.findIndex(({ version }) => version === only)
  if (last < 0) return shares
  let remaining = 1
  for (let index = offers.length - 1; index >= last; index--) {
    const { version, from, fractionAt } = offers[index]
    if (from > at) continue
    // After years there are many versions that nobody has any more.
    const taken = remaining === 0 ? 0 : remaining * fractionAt(at) * adoptedAfter(at - from)
    shares.set(version, taken)
    remaining -= taken
  }
  return shares
}

/** Returns the hours of a span that have begun by now, each by its first instant. */
export function hoursOf(from: number, to: number, now: number): number[] {
  const first = Math.ceil(from / HOUR) * HOUR
  const last = Math.min(to, now)
  return Array.from({ length: Math.max(0, Math.ceil((last - first) / HOUR)) }, (_, index) =>
    Math.floor(first + index * HOUR)
  )
}

/** Returns the share of a day's use in an hour; evenings in UTC have the most. */
const useOf = (at: number) =>
  (1 + 0.6 * Math.sin((((Math.floor(at / HOUR) % 24) - 13) / 24) * 2 * Math.PI)) / 24

/** Upper bound of a random variation. */
const MOST_ABOUT = 1.05
/** Returns a random factor from 0.95 to `MOST_ABOUT`. */
const about = (seed: string, ...subject: (string | number)[]) =>
  0.95 + 0.1 * chance(seed, ...subject)

/** A version in an hour: the share of users that have it, and that are offered it. */
export interface Used {
  version: string
  share: number
  offered: number
  at: number
}

const isAt = ({ version, from, until, fromShare }: Planted, used: Omit<Used, 'share'>) =>
  (version === null || version === used.version) &&
  from <= used.at &&
  used.at < (until ?? Infinity) &&
  (fromShare === null || used.offered >= fromShare)

/**
 * Returns the sessions of a version in an hour, how many crash, and the index of the spike at that
 * time.
 */
export function sessionsIn(
  settings: AudienceSettings,
  seed: string,
  used: Used,
  spikes: readonly Spike[]
): { sessions: number; crashed: number; spike: number | null } {
  const { version, share, at } = used
  const { dailyUsers, sessionsPerUser, leastCrashing, mostCrashing } = settings
  const index = spikes.findIndex((each) => isAt(each, used))
  const spike = index < 0 ? null : index
  const usually = dailyUsers * sessionsPerUser * share * useOf(at)
  // Rounds to zero whatever chance yields.
  if (usually * MOST_ABOUT < 0.4) return { sessions: 0, crashed: 0, spike }
  const use = useOf(at) * about(seed, 'sessions', version, at)
  const sessions = Math.round(dailyUsers * sessionsPerUser * share * use)
  const usual = leastCrashing + (mostCrashing - leastCrashing) * chance(seed, 'crashes', version)
  const planted = index < 0 ? 0 : spikes[index].crashing
  const rate = Math.max(usual * about(seed, 'crashing', version, at), planted)
  const crashed = Math.min(sessions, Math.round(sessions * rate))
  return { sessions, crashed, spike }
}

/** Returns how often an event of a version came in an hour. */
export function eventsIn(
  seed: string,
  event: string,
  used: Omit<Used, 'share'> & { sessions: number },
  drops: readonly Drop[]
): number {
  const { version, sessions, at } = used
  const perSession = 0.1 + 0.9 * chance(seed, 'event', event)
  const left = drops
    .filter((each) => each.event === event && isAt(each, used))
    .reduce((least, each) => Math.min(least, each.left), 1)
  return Math.round(sessions * perSession * left * about(seed, 'events', event, version, at))
}
