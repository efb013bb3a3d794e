import { DAY, HOUR } from './durations.js'
import { chance } from './chance.js'

/*
 * The behaviour of users, hour by hour. The share of users with a version follows from the share
 * that is offered it, and since when. Sessions, crashes and events follow from the users and the
 * seed. Instants are milliseconds since the epoch.
 */

/** Time after which two thirds of the users who are offered a version have it. */
const ADOPTION_MS = 2 * DAY

/** Returns the share of the users who were offered a version that have it after a time. */
export const adoptedAfter = (elapsedMs: number) => 1 - Math.exp(-elapsedMs / ADOPTION_MS)

/** A version that users were offered, with the share of them at an instant. */
export interface Offered {
  version: string
  from: number
  /** Returns the share of its store's users, from 0 to 1. */
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

/** A change of behaviour that a scenario sets for a while: more crashes, or fewer events. */
interface ScenarioChange {
  /** Null for every version. */
  version: string | null
  from: number
  until: number | null
  /** It begins once this share of users, 0 to 1, is offered the version; null for at once. */
  fromShare: number | null
}
export interface Spike extends ScenarioChange {
  /** The share of sessions that crash while it lasts, 0 to 1. */
  crashing: number
}
export interface Drop extends ScenarioChange {
  event: string
  /** The share of events that remains, 0 to 1. */
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

/** Returns the first instants of the hours that begin within a span, and before now. */
export function hoursOf(from: number, to: number, now: number): number[] {
  const first = Math.ceil(from / HOUR) * HOUR
  const last = Math.min(to, now)
  return Array.from({ length: Math.max(0, Math.ceil((last - first) / HOUR)) }, (_, index) =>
    Math.floor(first + index * HOUR)
  )
}

/** Returns the share of a day's sessions that fall into an hour; evenings in UTC have the most. */
const hourlyShare = (at: number) =>
  (1 + 0.6 * Math.sin((((Math.floor(at / HOUR) % 24) - 13) / 24) * 2 * Math.PI)) / 24

const MAX_VARIATION = 1.05
/** Returns a random factor from 0.95 to `MAX_VARIATION`. */
const variation = (seed: string, ...subject: (string | number)[]) =>
  0.95 + 0.1 * chance(seed, ...subject)

/** The use of a version in an hour: the shares of users that have it, and that are offered it. */
export interface Used {
  version: string
  share: number
  offered: number
  at: number
}

const applies = ({ version, from, until, fromShare }: ScenarioChange, used: Omit<Used, 'share'>) =>
  (version === null || version === used.version) &&
  from <= used.at &&
  used.at < (until ?? Infinity) &&
  (fromShare === null || used.offered >= fromShare)

/**
 * Returns the sessions of a version in an hour, how many of them crash, and the index of the spike
 * that applies; null without one.
 */
export function sessionsIn(
  settings: AudienceSettings,
  seed: string,
  used: Used,
  spikes: readonly Spike[]
): { sessions: number; crashed: number; spike: number | null } {
  const { version, share, at } = used
  const { dailyUsers, sessionsPerUser, leastCrashing, mostCrashing } = settings
  const index = spikes.findIndex((each) => applies(each, used))
  const spike = index < 0 ? null : index
  const expected = dailyUsers * sessionsPerUser * share * hourlyShare(at)
  // No variation of so few rounds to a session.
  if (expected * MAX_VARIATION < 0.4) return { sessions: 0, crashed: 0, spike }
  const ofDay = hourlyShare(at) * variation(seed, 'sessions', version, at)
  const sessions = Math.round(dailyUsers * sessionsPerUser * share * ofDay)
  const usualRate =
    leastCrashing + (mostCrashing - leastCrashing) * chance(seed, 'crashes', version)
  const spikeRate = index < 0 ? 0 : spikes[index].crashing
  const rate = Math.max(usualRate * variation(seed, 'crashing', version, at), spikeRate)
  const crashed = Math.min(sessions, Math.round(sessions * rate))
  return { sessions, crashed, spike }
}

/** Returns the number of events of one name in an hour from users of a version. */
export function eventsIn(
  seed: string,
  event: string,
  used: Omit<Used, 'share'> & { sessions: number },
  drops: readonly Drop[]
): number {
  const { version, sessions, at } = used
  const perSession = 0.1 + 0.9 * chance(seed, 'event', event)
  const remaining = drops
    .filter((each) => each.event === event && applies(each, used))
    .reduce((least, each) => Math.min(least, each.left), 1)
  return Math.round(
    sessions * perSession * remaining * variation(seed, 'events', event, version, at)
  )
}
