import { compareTexts } from '../../foundation/core/compare_texts.js'
import { later, type Instant } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import type { Scope } from '#foundation/core/scope'
import { knownOrigins } from '#fixes/queries/triage_issues'
import { askProvider } from '#integrations/ask_provider'
import { integrationsOfKind } from '#integrations/queries/app_integrations'
import type { CapabilityMap } from '#plugin-kit/capabilities/map'
import type { HealthWindow } from '#plugin-kit/capabilities/monitoring'
import type { Page } from '#plugin-kit/context'

type ListedIssue = Awaited<
  ReturnType<CapabilityMap['crashMonitoring']['listIssues']>
>['items'][number]

/** An issue in a crash tool that somebody should look at. */
export interface CrashIssue {
  origin: string
  title: string
  url: string | null
  users: number
  events: number
  /**
   * The reason to report it: it is new in the version, it grows, or it is already a triage issue
   * (`known`).
   */
  why: 'new' | 'growing' | 'known'
}

/** Maximum number of issues of each kind per check, worst first. */
const MAX_ISSUES = 20
/** Minimum number of users of a new issue, and of a growing one. */
const MIN_NEW = 2
const MIN_GROWING = 10

type Listed = Pick<Page<ListedIssue>, 'items' | 'next'>

/** The issues of the day before, and how many times as many sessions the last day had. */
interface Growth {
  earlier: Listed
  sessionRatio: number
}

/**
 * Returns the issues of a version in crash tools over the last day: new ones, growing ones and
 * known triage issues, as a fixed one may be back. A growing issue hit twice as many users as on
 * the day before, relative to sessions, because a rollout alone increases both. Growth is known
 * only for versions that were out on both days, and from tools that count sessions. Null without a
 * crash tool.
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
      const newIssues = await tool.listIssues(today, 'new')
      const frequent = await tool.listIssues(today, 'frequent')
      const hasFullDayBefore = releasedAt !== null && releasedAt <= before
      const grown = hasFullDayBefore
        ? await growthOf(tool, today, { ...at, from: before, to: day })
        : null
      const known = await knownOrigins(scope, appId, originsOf(integration.id))
      const listed = { newIssues, frequent, grown, known }
      found.push(...worthLooking(integration.id, version, listed))
    })
  }
  return found
}

/** Compares the last two days of a version; null if the tool counts no sessions. */
async function growthOf(
  tool: CapabilityMap['crashMonitoring'],
  today: HealthWindow,
  yesterday: HealthWindow
): Promise<Growth | null> {
  const { sessions: now = 0 } = await tool.health(today)
  const { sessions: before = 0 } = await tool.health(yesterday)
  if (now <= 0 || before <= 0) return null
  const earlier = await tool.listIssues(yesterday, 'frequent')
  return { earlier, sessionRatio: now / before }
}

/** The issues of the last day in a tool, and the known triage issues. */
interface Lists {
  newIssues: Listed
  frequent: Listed
  grown: Growth | null
  /** Origins of triage issues. */
  known: ReadonlySet<string>
}

const originsOf = (integrationId: string) => `crash:${integrationId}:`

/** Returns the issues in a tool that somebody should look at. */
export function worthLooking(
  integrationId: string,
  version: string,
  { newIssues, frequent, grown, known }: Lists
): CrashIssue[] {
  const usersBefore = new Map(grown?.earlier.items.map(({ id, users }) => [id, users]))
  // A missing issue may be on a further page, so its growth is unknown.
  const unlisted = grown?.earlier.next === undefined ? 0 : Infinity
  const isNew = ({ firstVersion = version, users }: ListedIssue) =>
    firstVersion === version && users >= MIN_NEW
  const isGrowing =
    ({ sessionRatio }: Growth) =>
    ({ id, users }: ListedIssue) =>
      users >= MIN_GROWING && users >= 2 * (usersBefore.get(id) ?? unlisted) * sessionRatio
  const originOf = ({ id }: ListedIssue) => `${originsOf(integrationId)}${id}`.slice(0, 300)
  const worst = (listed: readonly ListedIssue[]) =>
    listed.toSorted((one, other) => other.users - one.users || compareTexts(one.id, other.id))
  const issues = new Map<string, CrashIssue>()
  const add = (why: CrashIssue['why'], listed: readonly ListedIssue[]) => {
    for (const each of listed.filter(({ open }) => open)) {
      const { title, url = null, users, events } = each
      const origin = originOf(each)
      if (!issues.has(origin)) issues.set(origin, { origin, title, url, users, events, why })
    }
  }
  const isKnown = (each: ListedIssue) => known.has(originOf(each))
  add('new', worst(newIssues.items.filter(isNew)).slice(0, MAX_ISSUES))
  if (grown) add('growing', worst(frequent.items.filter(isGrowing(grown))).slice(0, MAX_ISSUES))
  add('known', [...newIssues.items, ...frequent.items].filter(isKnown))
  return [...issues.values()]
}
