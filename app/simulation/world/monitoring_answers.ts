import { DAY, HOUR } from '#foundation/core/durations'
import { adoptionAt, eventPoints, issuesIn, usesIn } from './audience.js'
import {
  answered,
  instantOf,
  instantText,
  noAddress,
  paged,
  Refusal,
  type WorldResponse,
  type WorldRequest,
} from './http.js'
import type { World } from './world.js'

/*
 * Answers of a world's crash monitoring and product analytics.
 */

/** Reads a span. @throws Refusal if it is missing, or longer than 400 days */
function spanIn({ query }: WorldRequest): { from: number; to: number } {
  const [from, to] = [instantOf(query, 'from'), instantOf(query, 'to')]
  const isSpan = from !== null && to !== null && from <= to && to - from <= 400 * DAY
  if (!isSpan) throw new Refusal(422, 'From and to are no span of at most 400 days')
  return { from, to }
}

export function respondForCrashes(world: World, now: number, request: WorldRequest): WorldResponse {
  const [what] = request.path
  const version = request.query.get('version')
  if (request.isChange || version === null) throw noAddress()
  const span = { ...spanIn(request), version }
  const { given } = world.crashes
  const issues = given
    ? given.issues.filter(
        (each) => each.version === version && each.at >= span.from && each.at < span.to
      )
    : issuesIn(world, now, span)
  if (what === 'issues') {
    const isNew = request.query.get('order') === 'new'
    const sorted = issues.toSorted((one, other) =>
      isNew ? other.at - one.at : other.events - one.events
    )
    return answered(
      world,
      paged(sorted, request.query, ({ at, ...each }) => ({ ...each, firstSeenAt: instantText(at) }))
    )
  }
  if (what !== 'health') throw noAddress()
  const countedUntil = now - (world.crashes.lagMs ?? 0)
  const { sessions, crashed } = sessionsUntil(world, { now, countedUntil }, span)
  const users = Math.ceil(sessions / world.audience.sessionsPerUser)
  const free = (bad: number, all: number) => (all === 0 ? null : Math.max(0, 1 - bad / all))
  return answered(world, {
    sessions,
    users,
    crashFreeSessions: free(crashed, sessions),
    crashFreeUsers: free(crashed * 0.8, users),
    events: crashed,
    newIssues: issues.filter(({ at }) => at >= span.from).length,
    openIssues: issues.filter(({ isOpen }) => isOpen).length,
    sampledAt: instantText(countedUntil),
  })
}

/** Returns the sessions of a span that crash monitoring has counted by now. */
function sessionsUntil(
  world: World,
  { now, countedUntil }: { now: number; countedUntil: number },
  span: { from: number; to: number; version: string }
) {
  const { given, lagMs = 0 } = world.crashes
  if (lagMs > 0 && span.from >= countedUntil) return { sessions: 0, crashed: 0 }
  if (given) return givenSessions(given.versions, span.version)
  return sumOf(usesIn(world, now, { ...span, to: Math.min(span.to, countedUntil) }))
}

function givenSessions(
  versions: readonly { version: string; sessions: number; crashedSessions: number }[],
  version: string
) {
  const found = versions.find((each) => each.version === version)
  return { sessions: found?.sessions ?? 0, crashed: found?.crashedSessions ?? 0 }
}

const sumOf = (uses: readonly { sessions: number; crashed: number }[]) => ({
  sessions: uses.reduce((sum, { sessions }) => sum + sessions, 0),
  crashed: uses.reduce((sum, { crashed }) => sum + crashed, 0),
})

/** Share of distinct users among those who do something in an hour. */
const UNIQUES = 0.6

export function respondForAnalytics(
  world: World,
  now: number,
  request: WorldRequest
): WorldResponse {
  const { path, query, isChange } = request
  const [what] = path
  if (isChange) throw noAddress()
  const { events, given } = world.analytics
  if (what === 'events') {
    const wanted = (query.get('query') ?? '').toLowerCase()
    return answered(
      world,
      paged(
        events.filter(({ name }) => name.toLowerCase().includes(wanted)),
        query
      )
    )
  }
  const version = query.get('version')
  const { from, to } = spanIn(request)
  if (what === 'adoption' && version !== null) {
    const share = given
      ? (given.shares.find((each) => each.version === version)?.share ?? null)
      : adoptionAt(world, now, version, Math.min(to, now))
    return answered(world, { share })
  }
  const event = query.get('event')
  if (what !== 'series' || event === null) throw noAddress()
  const hours = given
    ? given.points.filter((each) => each.event === event && each.at >= from && each.at < to)
    : eventPoints(world, now, { event, from, to, version })
  const part = query.get('metric') === 'uniques' ? UNIQUES : 1
  const width = query.get('granularity') === 'day' ? DAY : HOUR
  const sums = new Map<number, number>()
  for (const { at, value } of hours) {
    const begin = Math.floor(at / width) * width
    sums.set(begin, (sums.get(begin) ?? 0) + value)
  }
  const points = [...sums].map(([at, value]) => ({
    at: instantText(at),
    value: Math.round(value * part),
  }))
  return answered(world, { points, partial: to > now })
}
