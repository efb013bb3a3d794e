import { recordAppEvent } from '#apps/record_app_event'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import TriageIssue from '../models/triage_issue.js'
import type { UpdateTriageIssueInput } from '../validators/triage_input.js'

/** Changes the description of an issue, or decides on it by hand. */
export class UpdateTriageIssue {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, fix_requested */
  async handle(appId: string, id: string, input: UpdateTriageIssueInput): Promise<void> {
    const { scope } = this
    const issue = await scope.query(TriageIssue).where({ id, appId }).first()
    if (!issue) throw refuse('not_found')
    if (issue.status === 'fixRequested' && input.status !== undefined) {
      throw refuse('fix_requested', {
        detail: `The fix request ${issue.fixRequestId} decides what becomes of the issue.`,
        currentStatus: issue.status,
        allowedActions: ['update'],
      })
    }
    const from = { ...issue.$attributes }
    issue.merge(input)
    if (!issue.$isDirty) return
    const changed = Object.keys(issue.$dirty)
    issue.merge({ updatedAt: scope.now })
    await issue.useTransaction(scope.transaction).save()
    recordAppEvent(scope, appId, {
      type: 'triageIssue.updated',
      title: `Triage issue ${issue.title}: ${changed.join(', ')} changed`,
      data: {
        triageIssueId: id,
        from: pick(from, changed),
        to: pick(issue.$attributes, changed),
      },
    })
  }
}

const pick = (values: Record<string, unknown>, names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, values[name]]))
