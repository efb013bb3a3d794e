import {
  adoptedAfter,
  eventsIn,
  hoursOf,
  sessionsIn,
  sharesAt,
  type Offered,
  type Used,
} from '#simulated-providers/audience'
import { phasedRelease, timesOut } from '#simulated-providers/version_states'
import { publishedAt, versionNameOf } from '#simulated-providers/play_releases'
import { PRODUCTION, type PlayRelease } from '#simulated-providers/play_state'
import { appStoreOf } from './app_store_answers.js'
import { playOf } from './play_answers.js'
import type { CrashIssue, World } from './world.js'

/*
 * The behaviour of the users of all stores of a world.
 */

/** Stands for the versions of users who have none of this world. */
const BEFORE = 'before'

/** Returns the versions that users of each store were offered, the oldest first. */
function offersOf(world: World, now: number): Offered[][] {
  const apple = Object.keys(world.appStores).map((bundleId) => {
    const store = appStoreOf(world, bundleId, now)
    return timesOut(store, now).map(({ version, from }): Offered => {
      const found = store.versions.find((each) => each.version === version)!
      const isPhased = found.phasing !== null
      const fractionAt = (at: number) =>
        isPhased ? phasedRelease(store, found, at).percentage / 100 : 1
      return { version, from, fractionAt }
    })
  })
  const google = Object.keys(world.plays).map((packageName) => {
    const store = playOf(world, packageName, now)
    return store.releases
      .filter(({ track }) => track === PRODUCTION)
      .flatMap((release): Offered[] => {
        const from = publishedAt(release, now)
        const version = versionNameOf(store, release)
        return from === null ? [] : [{ version, from, fractionAt: shareOf(release, from) }]
      })
      .sort((one, other) => one.from - other.from)
  })
  return [...apple, ...google].filter((offers) => offers.length > 0)
}

/**
 * Returns the share of users that are offered a release. While a staged one is halted, its users
 * keep it; after a halt at 100 %, users who had not adopted it yet no longer get it.
 */
const shareOf = (release: PlayRelease, from: number) => (at: number) => {
  const then = release.history.findLast((each) => each.at <= at)
  if (then === undefined || then.status === 'draft') return 0
  if (then.status !== 'halted' || then.userFraction !== null || at <= then.at) {
    return then.userFraction ?? 1
  }
  return adoptedAfter(then.at - from) / adoptedAfter(at - from)
}

/** The use of a version in an hour. */
class Hour implements Used {
  sessions = 0
  crashed = 0
  spike: number | null = null
  readonly #offer: Offered | undefined

  constructor(
    readonly version: string,
    readonly share: number,
    readonly at: number,
    offer: Offered | undefined
  ) {
    this.#offer = offer
  }

  /** Computed on demand: it is rarely needed, and expensive. */
  get offered(): number {
    return this.#offer?.fractionAt(this.at) ?? 0
  }
}

interface Span {
  from: number
  to: number
  version: string | null
}

/** Caches the latest queries by world: a poll of a version needs the same hours several times. */
const lastQueries = new WeakMap<World, { now: number; hours: Map<string, readonly Hour[]> }>()
const MAX_KEPT = 20

/** Returns the sessions by hour and version, of all versions or of one. */
export function usesIn(world: World, now: number, span: Span): readonly Hour[] {
  let known = lastQueries.get(world)
  if (known?.now !== now || known.hours.size >= MAX_KEPT) {
    lastQueries.set(world, (known = { now, hours: new Map() }))
  }
  const key = JSON.stringify([span.from, span.to, span.version])
  let hours = known.hours.get(key)
  if (!hours) known.hours.set(key, (hours = hoursUsed(world, now, span)))
  return hours
}

function hoursUsed(world: World, now: number, { from, to, version }: Span): Hour[] {
  const { audience, seed, crashes } = world
  const isBefore = version === BEFORE
  return offersOf(world, now).flatMap((offers) =>
    hoursOf(from, to, now).flatMap((at) => {
      const shares = sharesAt(offers, at, isBefore ? null : version)
      const left = 1 - [...shares.values()].reduce((sum, share) => sum + share, 0)
      return [...shares, [BEFORE, left] as const]
        .filter(([each]) => version === null || each === version)
        .map(([each, share]) => {
          const offer = offers.findLast(({ version: offered }) => offered === each)
          const hour = new Hour(each, share, at, offer)
          return Object.assign(hour, sessionsIn(audience, seed, hour, crashes.spikes))
        })
    })
  )
}

/** Returns how often an event came, by hour. */
export function eventPoints(
  world: World,
  now: number,
  request: { event: string; from: number; to: number; version: string | null }
): { at: number; value: number }[] {
  const { event, from, to } = request
  const isKnown = world.analytics.events.some(({ name }) => name === event)
  if (!isKnown) return []
  const sums = new Map(hoursOf(from, to, now).map((at) => [at, 0]))
  for (const used of usesIn(world, now, request)) {
    const count = eventsIn(world.seed, event, used, world.analytics.drops)
    sums.set(used.at, (sums.get(used.at) ?? 0) + count)
  }
  return [...sums].map(([at, value]) => ({ at, value }))
}

/**
 * Returns the average share of users with a version, among the stores that offered it; null for
 * none.
 */
export function adoptionAt(world: World, now: number, version: string, at: number): number | null {
  const stores = offersOf(world, now).filter((offers) =>
    offers.some((each) => each.version === version && each.from <= at)
  )
  if (stores.length === 0) return null
  const shares = stores.map((offers) => sharesAt(offers, at, version).get(version) ?? 0)
  return shares.reduce((sum, share) => sum + share, 0) / shares.length
}

const TITLES = ['NullPointerException in BasketView', 'Timeout in ImageCache', 'Index out of range']
const PARTS = [0.5, 0.3, 0.2]

/**
 * Returns the issues of a version in a span: those that every version has, and those of spikes. An
 * issue has the same id in every version.
 */
export function issuesIn(
  world: World,
  now: number,
  { from, to, version }: { from: number; to: number; version: string }
): CrashIssue[] {
  const { spikes } = world.crashes
  const uses = usesIn(world, now, { from, to, version })
  const offers = offersOf(world, now)
    .flat()
    .toSorted((one, other) => one.from - other.from)
  const began = offers.filter((each) => each.version === version).map((each) => each.from)
  const first = Math.min(...began)
  const oldest = offers.at(0)?.version ?? version
  const atSpike = (at: number) => offers.findLast((each) => each.from <= at)?.version ?? oldest
  const usesOf = (spike: number | null) => uses.filter((use) => use.spike === spike)
  const crashed = (spike: number | null) => usesOf(spike).reduce((sum, use) => sum + use.crashed, 0)
  const issue = (
    id: string,
    title: string,
    { version: since, at, events }: Pick<CrashIssue, 'version' | 'at' | 'events'>
  ): CrashIssue => ({
    ...{ id, title, version: since, at, events, isOpen: true },
    users: Math.ceil(events * 0.8),
  })
  const usual = crashed(null)
  return [
    ...TITLES.map((title, index) =>
      issue(`crash-${index + 1}`, title, {
        ...{ version: oldest, at: first, events: Math.round(usual * PARTS[index]) },
      })
    ),
    ...spikes.map((spike, index) =>
      issue(`spike-${index + 1}`, 'Fatal signal in Checkout', {
        version: spike.version ?? atSpike(spike.from),
        at: usesOf(index).at(0)?.at ?? spike.from,
        events: crashed(index),
      })
    ),
  ].filter(({ events }) => events > 0)
}
