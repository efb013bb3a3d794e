import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { readReferencedRelease } from '#releases/queries/find_release'
import TriageIssue from '../models/triage_issue.js'
import { triageIssues, type IssueMetrics } from '../tables.js'
import type { CreateTriageIssueInput } from '../validators/triage_input.js'
import { MAX_AFFECTED_VERSIONS } from '../vocabulary.js'

/** Records something that went wrong in an app. */
export class CreateTriageIssue {
  constructor(private readonly scope: Scope) {}

  /** Collects the errors of an input beyond its shape. */
  check({ metrics }: PartiallyValid<CreateTriageIssueInput>, errors: InputErrors): void {
    const { firstSeenAt, lastSeenAt } = metrics ?? {}
    if (!firstSeenAt || !lastSeenAt || firstSeenAt <= lastSeenAt) return
    const message = 'lastSeenAt must not come before firstSeenAt.'
    errors.add({ pointer: '/metrics/lastSeenAt', code: 'period', message })
  }

  /** @returns its id. @throws invalid_input, not_found if the app has no such release */
  async handle(appId: string, input: CreateTriageIssueInput): Promise<string> {
    return (await this.record(appId, input)).id
  }

  /**
   * Records an issue, unless an unresolved one with its address exists: then that one gets the
   * versions and numbers. An issue found in a tool has a page of its own; other issues may share
   * one, and are distinguished by their titles.
   * @throws invalid_input, not_found if the app has no such release
   */
  async record(
    appId: string,
    input: CreateTriageIssueInput
  ): Promise<{ id: string; isKnown: boolean }> {
    const { scope } = this
    const errors = new InputErrors()
    this.check(input, errors)
    errors.throwIfAny()
    const { releaseId, metrics = {} } = input
    const found = releaseId ? await readReferencedRelease(scope, appId, releaseId) : null
    const known = await this.#known(appId, input)
    if (known) {
      await this.#add(known, input)
      return { id: known.id, isKnown: true }
    }
    const issue = {
      id: newId('issue'),
      appId,
      title: input.title,
      description: input.description ?? null,
      source: input.source ?? 'api',
      sourceUrl: input.sourceUrl ?? null,
      severity: input.severity ?? 'medium',
      status: 'open' as const,
      affectedVersions: input.affectedVersions ?? [],
      releaseId: found?.release.id ?? null,
      metrics: {
        eventCount: metrics.eventCount ?? null,
        userCount: metrics.userCount ?? null,
        firstSeenAt: metrics.firstSeenAt ?? null,
        lastSeenAt: metrics.lastSeenAt ?? null,
      },
      fixRequestId: null,
      origin: null,
      createdBy: scope.actor,
      createdAt: scope.now,
      updatedAt: scope.now,
    }
    await scope.insert(triageIssues, [issue])
    const { id, title, source, severity } = issue
    recordAppEvent(scope, appId, {
      type: 'triageIssue.created',
      title: `Triage issue: ${title}`,
      data: { triageIssueId: id, source, severity },
    })
    return { id, isKnown: false }
  }

  async #known(appId: string, { sourceUrl, title }: CreateTriageIssueInput) {
    if (!sourceUrl) return null
    const issues = await this.scope
      .query(TriageIssue)
      .where({ appId, sourceUrl })
      .whereIn('status', ['open', 'fixRequested'])
      .orderBy([
        { column: 'createdAt', order: 'desc' },
        { column: 'id', order: 'desc' },
      ])
      .exec()
    return issues.find((each) => each.origin !== null || each.title === title) ?? null
  }

  async #add(issue: TriageIssue, { affectedVersions = [], metrics = {} }: CreateTriageIssueInput) {
    const { scope } = this
    const from = { affectedVersions: issue.affectedVersions, metrics: issue.metrics }
    const reported = Object.entries(metrics).filter(
      ([, value]) => value !== undefined && value !== null
    )
    const numbers = { ...issue.metrics, ...(Object.fromEntries(reported) as Partial<IssueMetrics>) }
    const { firstSeenAt, lastSeenAt } = from.metrics
    if (firstSeenAt) numbers.firstSeenAt = firstSeenAt
    if (lastSeenAt && lastSeenAt > (numbers.lastSeenAt ?? '')) numbers.lastSeenAt = lastSeenAt
    const versions = [...new Set([...issue.affectedVersions, ...affectedVersions])]
    const to = { affectedVersions: versions.slice(-MAX_AFFECTED_VERSIONS), metrics: numbers }
    if (JSON.stringify(from) === JSON.stringify(to)) return
    issue.merge({ ...to, updatedAt: scope.now })
    await issue.useTransaction(scope.transaction).save()
    recordAppEvent(scope, issue.appId, {
      type: 'triageIssue.updated',
      title: `Triage issue ${issue.title}: it was reported again`,
      data: { triageIssueId: issue.id, from, to },
    })
  }
}
