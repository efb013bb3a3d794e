import { RETRIES } from '#foundation/jobs/retry'
import { Type } from '@sinclair/typebox'
import { ReportTriageIssues, type SeenIssue } from '#fixes/actions/report_triage_issues'
import { onObservation } from '#foundation/jobs/handlers'
import { observationKind } from '#foundation/core/jobs/kinds'
import { of, select } from '#foundation/core/database/statement'
import { HOUR, MINUTE } from '#foundation/core/durations'
import type { EventSubscriber } from '#foundation/core/events/subscribers'
import type { Scope } from '#foundation/core/scope'
import { newestFirst } from '#releases/queries/version_sql'
import { releases } from '#releases/tables'
import { reviewIssues } from '#stores/queries/store_reviews'
import { storesOf } from '#stores/queries/store_targets'
import { crashIssues, type CrashIssue } from './crash_issues.js'

/** Polls for problems of a version that users have; the subject is its release. */
export const issuesKind = observationKind('triage.look', Type.Object({ appId: Type.String() }))

/** The newest two released versions: mostly the one that most users have, and its successor. */
const NEWEST = select(
  of(releases, 'r', ['id', 'version', 'releasedAt']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.released_at is not null and r.status <> 'skipped' ${newestFirst('r')} limit 2`
)

/** Begins to watch a version once it is released. */
export const looksFromRelease: EventSubscriber = {
  async handle(scope, recorded) {
    for (const { type, releaseId, appId } of recorded) {
      if (type !== 'release.released' || !releaseId || !appId) continue
      await scope.jobs.plan(issuesKind, { subject: releaseId, payload: { appId } })
    }
  },
}

/** Plans a look at the newest versions now, since there may be other sources. */
export async function watchIssues(scope: Scope, appId: string): Promise<void> {
  for (const { id: subject } of await scope.rows(NEWEST, { appId })) {
    await scope.jobs.plan(issuesKind, { subject, payload: { appId } })
  }
}

/** Opens triage issues for crashes and complaints of users, each once. */
export const findIssues = onObservation(issuesKind, {
  actor: 'triage',
  lease: 2 * MINUTE,
  every: { least: 30 * MINUTE, most: 6 * HOUR },
  retry: RETRIES.ofPoll,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  /** Returns null if the version is no longer watched, or nothing reports on it. */
  async poll({ subject, payload: { appId } }, { scope, signal }): Promise<Seen[] | null> {
    const release = await watchedRelease(scope, appId, subject)
    if (!release) return null
    const crashes = await crashIssues(scope, appId, release, signal)
    const hasStores = (await storesOf(scope, appId)).length > 0
    if (crashes === null && !hasStores) return null
    return [
      ...(crashes ?? []).map((each) => issueFromCrash(scope, release.version, each)),
      ...(await issuesFromReviews(scope, appId, release.version)),
    ]
  },
  async store(scope, { subject, payload: { appId } }, look) {
    const release = look && (await watchedRelease(scope, appId, subject))
    if (!look || !release) return 'over'
    const { version, id: releaseId } = release
    const seen = look.map((each) => ({ ...each, version, releaseId }))
    const hasNews = await new ReportTriageIssues(scope).handle(appId, seen)
    return hasNews ? 'changed' : 'unchanged'
  },
})

async function watchedRelease(scope: Scope, appId: string, releaseId: string) {
  const rows = await scope.rows(NEWEST, { appId })
  return rows.find(({ id }) => id === releaseId) ?? null
}

type Seen = Omit<SeenIssue, 'version' | 'releaseId'>

function issueFromCrash({ now }: Scope, version: string, issue: CrashIssue): Seen {
  const { origin, title, url, users, events, why } = issue
  return {
    origin,
    title: cut(title) || 'A crash without a title',
    description:
      why === 'growing'
        ? `Twice as often in ${version} as the day before, of as many sessions.`
        : `New in ${version}.`,
    source: 'stabilityMonitoring',
    sourceUrl: url,
    graveness: { by: 'userCount', medium: 100, high: 1000 },
    metrics: { eventCount: events, userCount: users, firstSeenAt: now, lastSeenAt: now },
  }
}

/** Returns what several users write about a version, grouped by topic. */
async function issuesFromReviews(scope: Scope, appId: string, version: string): Promise<Seen[]> {
  const found = await reviewIssues(scope, appId, { version })
  return found.map(({ id, sameIds, title, reviewCount, firstSeenAt, lastSeenAt }) => ({
    origin: originOf(id),
    formerly: sameIds.map(originOf),
    title: cut(`Reviews speak of "${title}"`),
    description: `Seen in reviews of ${version} with three stars or less.`,
    source: 'appReviews',
    sourceUrl: null,
    graveness: { by: 'eventCount', medium: 8, high: 20 },
    metrics: { eventCount: reviewCount, userCount: null, firstSeenAt, lastSeenAt },
  }))
}

const originOf = (id: string) => `reviews:${id}`

/** Shortens a title that others wrote to one line of bounded length. */
const cut = (title: string) => [...title.replace(/\s+/g, ' ').trim()].slice(0, 200).join('')
