import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { as, select } from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { compareVersions, parseVersion } from '#workflow/version'
import TriageIssue from '../models/triage_issue.js'
import { triageIssues, type IssueMetrics } from '../tables.js'
import { answerIssue } from '../triage_fixes.js'
import { MAX_AFFECTED_VERSIONS, type Severity, type TriageIssueSource } from '../vocabulary.js'

const FIXED_IN = select(
  { version: as(text(), 'r.version') },
  `from fix_requests f join releases r on r.id = f.release_id
  where f.organization_id = :org and f.id = :fixRequestId`
)

/** Something that went wrong, as it was seen elsewhere. */
export interface SeenIssue {
  /** What it is known by there: the same is one issue, however often it is seen. */
  origin: string
  title: string
  description: string | null
  source: TriageIssueSource
  sourceUrl: string | null
  severity: Severity
  /** The version that it was seen in, and its release by internal id. */
  version: string
  releaseId: string
  metrics: IssueMetrics
}

/**
 * Records what was seen to go wrong, once. What is known gets its numbers and versions, where they
 * are others; what was resolved and is seen in the version that was to resolve it, or in a later
 * one, is open again. What somebody ignores stays ignored.
 */
export class ReportTriageIssues {
  constructor(private readonly scope: Scope) {}

  /** @returns whether anything was recorded that people should look at */
  async handle(appId: string, seen: readonly SeenIssue[]): Promise<boolean> {
    if (seen.length === 0) return false
    const known = await this.scope
      .query(TriageIssue)
      .where('appId', appId)
      .whereIn(
        'origin',
        seen.map(({ origin }) => origin)
      )
      .exec()
    const byOrigin = new Map(known.map((each) => [each.origin, each]))
    let hasNews = false
    for (const each of seen) {
      const issue = byOrigin.get(each.origin)
      if (!issue) await this.#record(appId, each)
      if (!issue || (await this.#update(issue, each))) hasNews = true
    }
    return hasNews
  }

  /** @returns whether people should look at it again */
  async #update(known: TriageIssue, seen: SeenIssue): Promise<boolean> {
    const { scope } = this
    const isNew = !known.affectedVersions.includes(seen.version)
    const isBack = known.status === 'resolved' && (await this.#isBack(known, seen.version))
    if (isNew || isOther(known.metrics, seen.metrics)) {
      const versions = isNew ? [...known.affectedVersions, seen.version] : known.affectedVersions
      known.merge({
        affectedVersions: versions.slice(-MAX_AFFECTED_VERSIONS),
        metrics: {
          ...seen.metrics,
          firstSeenAt: known.metrics.firstSeenAt ?? seen.metrics.firstSeenAt,
        },
      })
      if (isNew) known.updatedAt = scope.now
      await known.useTransaction(scope.transaction).save()
    }
    if (isBack) await answerIssue(scope, known, 'open', null)
    return isNew || isBack
  }

  async #record(appId: string, { version, ...seen }: SeenIssue): Promise<void> {
    const { scope } = this
    const id = newId('issue')
    const { title, source, severity } = seen
    await scope.insert(triageIssues, [
      {
        ...seen,
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

  /** Whether a version should not have it any more: that of its fix, or one after all that had it. */
  async #isBack({ fixRequestId, affectedVersions }: TriageIssue, version: string) {
    const [fixed] = fixRequestId === null ? [] : await this.scope.rows(FIXED_IN, { fixRequestId })
    if (fixed) return order(version, fixed.version) >= 0
    return affectedVersions.every((each) => order(version, each) > 0)
  }
}

const NONE = { major: 0, minor: 0, patch: 0 }
const order = (one: string, other: string) =>
  compareVersions(parseVersion(one) ?? NONE, parseVersion(other) ?? NONE)

const DAY = 86_400_000

/** That it is seen still is told once a day where nothing else differs. */
function isOther(known: IssueMetrics, { eventCount, userCount, lastSeenAt }: IssueMetrics) {
  const later = Date.parse(lastSeenAt ?? '') - Date.parse(known.lastSeenAt ?? '')
  const isLater = lastSeenAt !== null && !(later < DAY)
  return isLater || known.eventCount !== eventCount || known.userCount !== userCount
}
