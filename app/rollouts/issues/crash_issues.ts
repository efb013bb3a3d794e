import { later, type Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { HealthWindow } from '#plugin-kit/capabilities/monitoring'
import type { Page } from '#plugin-kit/context'

const DAY = 86_400_000

type Found = Awaited<ReturnType<CapabilityMap['crashMonitoring']['listIssues']>>['items'][number]

/** An issue of a crash tool that somebody should look at. */
export interface CrashIssue {
  origin: string
  title: string
  url: string | null
  users: number
  events: number
  why: 'new' | 'growing'
}

/** Most of each kind at one look: where there are more, the worst come first. */
const MOST = 20
/** A crash of a single user is nothing yet; one that grows has to be of some. */
const LEAST_NEW = 2
const LEAST_GROWING = 10

type Listed = Pick<Page<Found>, 'items' | 'next'>

/** The last day of a version beside the one before, and how many times as many sessions it had. */
interface Growth {
  frequent: Listed
  earlier: Listed
  moreSessions: number
}

/**
 * What crash tools of an app tell of a version in the last day: issues that are new with it, and
 * those that hit twice as many users as the day before, of as many sessions: a rollout alone
 * brings more of both. Growth is told of versions that were out on both days, by tools that count
 * sessions. Null where the app has no such tool.
 * @throws what `askProvider` throws
 */
export async function crashIssues(
  scope: Scope,
  appId: string,
  { version, releasedAt }: { version: string; releasedAt: Instant | null },
  signal: AbortSignal
): Promise<CrashIssue[] | null> {
  const integrations = await integrationsOfKind(scope, appId, 'crashMonitoring')
  if (integrations.length === 0) return null
  const found: CrashIssue[] = []
  for (const integration of integrations) {
    const environment = integration.data.prodEnvironmentIdentifier
    const at = { version, ...(typeof environment === 'string' ? { environment } : {}) }
    const [now, day, before] = [scope.now, later(scope.now, -DAY), later(scope.now, -2 * DAY)]
    await askProvider(scope, { integration, kind: 'crashMonitoring', signal }, async (tool) => {
      const today = { ...at, from: day, to: now }
      const fresh = await tool.listIssues(today, 'new')
      const wasOut = releasedAt !== null && releasedAt <= before
      const grown = wasOut ? await growthOf(tool, today, { ...at, from: before, to: day }) : null
      found.push(...worthLooking(integration.id, version, { fresh, grown }))
    })
  }
  return found
}

/** Two days of a version, which can be compared; null where a tool counts no sessions of them. */
async function growthOf(
  tool: CapabilityMap['crashMonitoring'],
  today: HealthWindow,
  yesterday: HealthWindow
): Promise<Growth | null> {
  const { sessions: now = 0 } = await tool.health(today)
  const { sessions: before = 0 } = await tool.health(yesterday)
  if (now <= 0 || before <= 0) return null
  const frequent = await tool.listIssues(today, 'frequent')
  const earlier = await tool.listIssues(yesterday, 'frequent')
  return { frequent, earlier, moreSessions: now / before }
}

/** Pure. */
export function worthLooking(
  integrationId: string,
  version: string,
  { fresh, grown }: { fresh: Listed; grown: Growth | null }
): CrashIssue[] {
  const usersBefore = new Map(grown?.earlier.items.map(({ id, users }) => [id, users]))
  // What a further page may hold is not known to be none.
  const unlisted = grown?.earlier.next === undefined ? 0 : Infinity
  const isNew = ({ firstVersion = version, users }: Found) =>
    firstVersion === version && users >= LEAST_NEW
  const isGrowing =
    ({ moreSessions }: Growth) =>
    ({ id, users }: Found) =>
      users >= LEAST_GROWING && users >= 2 * (usersBefore.get(id) ?? unlisted) * moreSessions
  const worst = (some: readonly Found[]) =>
    some
      .filter(({ open }) => open)
      .sort((one, other) => other.users - one.users || (one.id < other.id ? -1 : 1))
      .slice(0, MOST)
  const issues = new Map<string, CrashIssue>()
  const add = (why: CrashIssue['why'], some: readonly Found[]) => {
    for (const { id, title, url = null, users, events } of worst(some)) {
      const origin = `crash:${integrationId}:${id}`.slice(0, 300)
      if (!issues.has(origin)) issues.set(origin, { origin, title, url, users, events, why })
    }
  }
  add('new', fresh.items.filter(isNew))
  if (grown) add('growing', grown.frequent.items.filter(isGrowing(grown)))
  return [...issues.values()]
}
