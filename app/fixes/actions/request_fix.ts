import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { open } from '#releases/lifecycle/open_releases'
import { findReferencedRelease } from '#releases/queries/find_release'
import type { ReportedFix } from '../code/ask_about_fix.js'
import type FixRequest from '../models/fix_request.js'
import TriageIssue from '../models/triage_issue.js'
import { answerIssue } from '../triage/triage_fixes.js'
import type { RequestFixInput } from '../validators/fix_input.js'
import { CreateFixRequest } from './create_fix_request.js'

/** Answers a triage issue with a fix request in a release. */
export class RequestFix {
  constructor(private readonly scope: Scope) {}

  /** Collects the errors of the form. */
  async check(
    appId: string,
    input: PartiallyValid<RequestFixInput>,
    errors: InputErrors
  ): Promise<void> {
    const { formFields, commitHashes, pullRequestNumbers, ticketId, wayIn } = input
    const named = { commitHashes, pullRequestNumbers, ticketId, wayIn }
    // The title defaults to that of the issue, so it is never missing.
    await new CreateFixRequest(this.scope).check(
      appId,
      { title: 'Fix', formFields, ...named },
      errors
    )
  }

  /** @throws not_found, fix_requested, and what creating a fix request throws */
  async handle(
    appId: string,
    issueId: string,
    input: RequestFixInput,
    reported?: ReportedFix
  ): Promise<{ release: Release; request: FixRequest }> {
    const { scope } = this
    const issue = await scope.query(TriageIssue).where({ id: issueId, appId }).first()
    if (!issue) throw refuse('not_found')
    const { releaseId, title, description, ...requested } = input
    const release = await findReferencedRelease(scope, appId, releaseId)
    await this.#requireUnanswered(issue)
    const request = await new CreateFixRequest(scope).handle(
      release,
      {
        ...requested,
        title: title ?? issue.title,
        description: description === undefined ? issue.description : description,
      },
      { triageIssueId: issue.id, reported }
    )
    await answerIssue(scope, issue, 'fixRequested', request.id)
    return { release, request }
  }

  /** Refuses a second request, unless the release of the first is over. @throws fix_requested */
  async #requireUnanswered({ status, title, fixRequestId }: TriageIssue) {
    if (status !== 'fixRequested') return
    const inOpen = await this.scope
      .table('fix_requests')
      .join('releases', 'releases.id', 'fix_requests.release_id')
      .where('fix_requests.id', fixRequestId!)
      .whereRaw(open('releases'))
      .select('fix_requests.id')
      .first()
    if (!inOpen) return
    throw refuse('fix_requested', {
      detail: `A fix of "${title}" is requested already: ${fixRequestId}.`,
      currentStatus: status,
      allowedActions: ['update'],
    })
  }
}
