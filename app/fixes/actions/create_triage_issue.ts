import { recordAppEvent } from '#apps/record_app_event'
import { newId } from '#foundation/core/ids'
import { Faults, type Sound } from '#foundation/core/problems/faults'
import type { Scope } from '#foundation/core/scope'
import { readReferencedRelease } from '#releases/queries/find_release'
import { triageIssues } from '../tables.js'
import type { CreateTriageIssueInput } from '../validators/triage_input.js'

/** Records something that went wrong in an app. */
export class CreateTriageIssue {
  constructor(private readonly scope: Scope) {}

  /** Gathers what is wrong beyond its shape. */
  check({ metrics }: Sound<CreateTriageIssueInput>, faults: Faults): void {
    const { firstSeenAt, lastSeenAt } = metrics ?? {}
    if (!firstSeenAt || !lastSeenAt || firstSeenAt <= lastSeenAt) return
    const message = 'lastSeenAt must not come before firstSeenAt.'
    faults.add({ pointer: '/metrics/lastSeenAt', code: 'period', message })
  }

  /** @returns its id. @throws invalid_input, not_found where the app has no such release */
  async handle(appId: string, input: CreateTriageIssueInput): Promise<string> {
    const { scope } = this
    const faults = new Faults()
    this.check(input, faults)
    faults.demandNone()
    const { releaseId, metrics = {} } = input
    const found = releaseId ? await readReferencedRelease(scope, appId, releaseId) : null
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
    return id
  }
}
