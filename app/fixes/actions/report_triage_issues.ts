import { recordAppEvent } from '#apps/record_app_event'
import { DAY } from '#foundation/core/durations'
import { newId } from '#foundation/core/ids'
import { as, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, parseVersion } from '#workflow/version'
import TriageIssue from '../models/triage_issue.js'
import { triageIssues, type IssueMetrics } from '../tables.js'
import { answerIssue } from '../triage/triage_fixes.js'
import {
  MAX_AFFECTED_VERSIONS,
  SEVERITIES,
  type Severity,
  type TriageIssueSource,
} from '../vocabulary.js'

const FIXED_IN = select(
  { version: as(text(), 'r.version') },
  `from fix_requests f join releases r on r.id = f.release_id
  where f.organization_id = :org and f.id = :fixRequestId`
)

/** The counts from which an issue is of medium and of high severity. */
interface SeverityLimits {
  by: 'eventCount' | 'userCount'
  medium: number
  high: number
}

/** An issue that was observed elsewhere. */
export interface SeenIssue {
  /** Its identity there, which is the same however often the issue is seen. */
  origin: string
  /** Identities by which it may be known from before. */
  formerly?: readonly string[]
  title: string
  description: string | null
  source: TriageIssueSource
  sourceUrl: string | null
  graveness: SeverityLimits
  /** The version that it was seen in. */
  version: string
  /** The internal id of its release. */ releaseId: string
  metrics: IssueMetrics
}

/**
 * Records issues that were observed, once each. A known issue, also one that a person reported with
 * the same address, gets its new versions and the newest numbers, and its severity grows with them.
 * A resolved issue is reopened if it is seen in the version that was to resolve it, or in a later
 * one. An ignored issue stays ignored.
 */
export class ReportTriageIssues {
  constructor(private readonly scope: Scope) {}

  /** @returns whether anything was recorded that people should look at */
  async handle(appId: string, seen: readonly SeenIssue[]): Promise<boolean> {
    if (seen.length === 0) return false
    const known = await this.#known(appId, seen)
    let hasNews = false
    for (const each of seen) {
      const issue = known.get(each.origin)
      if (!issue) await this.#record(appId, each)
      if (!issue || (await this.#update(issue, each))) hasNews = true
    }
    return hasNews
  }

  /** Returns existing issues by origin, by former origins, or by address. */
  async #known(appId: string, seen: readonly SeenIssue[]): Promise<Map<string, TriageIssue>> {
    const origins = seen.flatMap(({ origin, formerly = [] }) => [origin, ...formerly])
    const byOrigin = new Map<string, TriageIssue>()
    for (const issue of await this.#issuesOf(appId, 'origin', origins)) {
      byOrigin.set(issue.origin!, issue)
    }
    const known = new Map<string, TriageIssue>()
    const takenIds = new Set<string>()
    const take = (origin: string, issue: TriageIssue | undefined) => {
      if (!issue || known.has(origin) || takenIds.has(issue.id)) return
      known.set(origin, issue)
      takenIds.add(issue.id)
    }
    for (const { origin } of seen) take(origin, byOrigin.get(origin))
    for (const { origin, formerly = [] } of seen) {
      for (const each of formerly) take(origin, byOrigin.get(each))
    }
    const unknown = seen.filter(({ origin, sourceUrl }) => sourceUrl && !known.has(origin))
    const urls = unknown.flatMap(({ sourceUrl }) => sourceUrl ?? [])
    const reported = (await this.#issuesOf(appId, 'sourceUrl', urls)).filter(
      ({ origin }) => origin === null
    )
    for (const { origin, sourceUrl } of unknown) {
      const issue = reported.find((each) => each.sourceUrl === sourceUrl)
      if (issue) issue.origin = origin
      take(origin, issue)
    }
    return known
  }

  /** Returns issues of an app, newest first. */
  async #issuesOf(appId: string, name: 'origin' | 'sourceUrl', values: readonly string[]) {
    if (values.length === 0) return []
    return this.scope
      .query(TriageIssue)
      .where('appId', appId)
      .whereIn(name, [...values])
      .orderBy([
        { column: 'createdAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .exec()
  }

  /** @returns whether people should look at it again */
  async #update(known: TriageIssue, seen: SeenIssue): Promise<boolean> {
    const { scope } = this
    const isNew = !known.affectedVersions.includes(seen.version)
    const isBack = known.status === 'resolved' && (await this.#isBack(known, seen.version))
    // The numbers of an issue are those of its newest version.
    const isNewest = known.affectedVersions.every((each) => order(seen.version, each) >= 0)
    const severity = isNewest ? this.#raisedSeverity(known, seen) : null
    if (isNew) {
      const versions = [...known.affectedVersions, seen.version].slice(-MAX_AFFECTED_VERSIONS)
      known.merge({ affectedVersions: versions, updatedAt: scope.now })
    }
    if (isNewest && (isNew || isOther(known.metrics, seen.metrics))) {
      const firstSeenAt = known.metrics.firstSeenAt ?? seen.metrics.firstSeenAt
      known.merge({ metrics: { ...seen.metrics, firstSeenAt } })
    }
    if (severity) await this.#raise(known, severity)
    if (known.$isDirty) await known.useTransaction(scope.transaction).save()
    if (isBack) await answerIssue(scope, known, 'open', null)
    return isNew || isBack || severity !== null
  }

  /** Returns the severity by its numbers if that exceeds the earlier one and the current one. */
  #raisedSeverity(known: TriageIssue, { graveness, metrics }: SeenIssue): Severity | null {
    if (known.status === 'resolved' || known.status === 'ignored') return null
    const [before, now] = [severityOf(known.metrics, graveness), severityOf(metrics, graveness)]
    const isMore = rank(now) > rank(before) && rank(now) > rank(known.severity)
    return isMore ? now : null
  }

  async #raise(issue: TriageIssue, severity: Severity): Promise<void> {
    const { scope } = this
    const from = { severity: issue.severity }
    issue.merge({ severity, updatedAt: scope.now })
    recordAppEvent(scope, issue.appId, {
      type: 'triageIssue.updated',
      title: `Triage issue ${issue.title}: ${from.severity} → ${severity}`,
      data: { triageIssueId: issue.id, from, to: { severity } },
    })
  }

  async #record(appId: string, seen: SeenIssue): Promise<void> {
    const { scope } = this
    const id = newId('issue')
    const { title, description, source, sourceUrl, origin, version, releaseId, metrics } = seen
    const severity = severityOf(metrics, seen.graveness)
    await scope.insert(triageIssues, [
      {
        title,
        description,
        source,
        sourceUrl,
        severity,
        origin,
        releaseId,
        metrics,
        id,
        appId,
        status: 'open',
        affectedVersions: [version],
        fixRequestId: null,
        createdBy: scope.actor,
        createdAt: scope.now,
        updatedAt: scope.now,
      },
    ])
    recordAppEvent(scope, appId, {
      type: 'triageIssue.created',
      title: `Triage issue: ${title}`,
      data: { triageIssueId: id, source, severity },
    })
  }

  /**
   * Returns whether a version should no longer have the issue: that of its fix, or one after all
   * affected versions.
   */
  async #isBack({ fixRequestId, affectedVersions }: TriageIssue, version: string) {
    const [fixed] = fixRequestId === null ? [] : await this.scope.rows(FIXED_IN, { fixRequestId })
    if (fixed) return order(version, fixed.version) >= 0
    const isSeen = affectedVersions.length > 0
    return isSeen && affectedVersions.every((each) => order(version, each) > 0)
  }
}

const NONE = { major: 0, minor: 0, patch: 0 }
const order = (one: string, other: string) =>
  compareVersions(parseVersion(one) ?? NONE, parseVersion(other) ?? NONE)

function severityOf(metrics: IssueMetrics, { by, medium, high }: SeverityLimits): Severity {
  const count = metrics[by] ?? 0
  return count >= high ? 'high' : count >= medium ? 'medium' : 'low'
}

const rank = (severity: Severity) => SEVERITIES.indexOf(severity)

/** Returns whether the numbers differ; if only the time does, once a day. */
function isOther(known: IssueMetrics, { eventCount, userCount, lastSeenAt }: IssueMetrics) {
  const later = Date.parse(lastSeenAt ?? '') - Date.parse(known.lastSeenAt ?? '')
  const isLater = lastSeenAt !== null && !(later < DAY)
  return isLater || known.eventCount !== eventCount || known.userCount !== userCount
}
