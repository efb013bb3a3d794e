import { DAY, HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * The behaviour of users, hour by hour: their versions follow from how far each has been offered,
 * and how long; sessions, crashes and events from that and from the seed. Instants are milliseconds
 * since the epoch.
 */

/** Time after which two thirds of the users who are offered a version have it. */
const ADOPTION_MS = 2 * DAY

/** The share of those who are offered a version that have it after so many milliseconds. */
export const adoptedAfter = (lasting: number) => 1 - Math.exp(-lasting / ADOPTION_MS)

/** A version that users were offered, and how many of them at an instant. */
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
  /** The share of sessions that crash, at the least and at the most of versions. */
  leastCrashing: number
  mostCrashing: number
}

/** A change that a scenario plants: more crashes, or fewer events, for a while. */
interface Planted {
  /** Null for every version. */
  version: string | null
  from: number
  until: number | null
  /** Only once so many of the users are offered the version, 0 to 1; null for at once. */
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
 * Shares of users by version, 0 to 1, of one store; those of versions before are left.
 * @param offers the oldest first
 * @param only the version that is asked for: older ones take nothing from it and are left out
 */
export function sharesAt(
  offers: readonly Offered[],
  at: number,
  only: string | null = null
): Map<string, number> {
  const shares = new Map<string, number>()
  const last = only === null ? 0 : offers.findIndex(({ version }) => version === only)
  if (last < 0) return shares
  let left = 1
  for (let index = offers.length - 1; index >= last; index--) {
    const { version, from, fractionAt } = offers[index]
    if (from > at) continue
    // In years there are many versions that nobody has any more.
    const taken = left === 0 ? 0 : left * fractionAt(at) * adoptedAfter(at - from)
    shares.set(version, taken)
    left -= taken
  }
  return shares
}

/** The hours of a span that are over or under way, each by its first instant. */
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
const about = (seed: string, ...of: (string | number)[]) => 0.95 + 0.1 * chance(seed, ...of)

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

/** Sessions of a version in an hour, those that crash, and the spike that has them crash. */
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
  // Below the threshold whatever chance yields.
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
