import type { ReleaseCode } from '#features/queries/release_code'
import { storePulls, seenPulls } from '#features/queries/seen_pulls'
import { seenByHash, seenTicketTitle } from '#features/queries/known_words'
import { codeKind } from '#features/work_kinds'
import { builtCommits } from '#builds/queries/known_commits'
import { newId } from '#foundation/core/ids'
import { repositoryOf } from '#integrations/queries/app_integrations'
import type { Actor } from '#foundation/core/principal'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { requirePerson, actorOnBehalfOf } from '#organizations/queries/on_behalf_of'
import { stateOf } from '#releases/preconditions/state_of'
import { requireOpen } from '#releases/preconditions/require_open'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { namedCode } from '../code/code_by_name.js'
import type { ReportedFix } from '../code/ask_about_fix.js'
import { fillForm } from '../triage/fill_form.js'
import { fixForm } from '../triage/form.js'
import { planFollow } from '../code/follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import { countFixRequests } from '../queries/fix_requests.js'
import { recordFixEvent } from '../requests/record_fix_event.js'
import type { FilledField, NamedCommit } from '../tables.js'
import { codeStanding, wantedHead, type mergeStanding } from '../code/wanted_code.js'
import type { CreateFixRequestInput } from '../validators/fix_input.js'
import { MAX_FIX_REQUESTS } from '../vocabulary.js'

/** Where a request comes from, and what providers reported about it. */
interface FixOrigin {
  /** The issue that it answers. */
  triageIssueId?: string | null
  /** Reports of providers about the code and the ticket that it names. */
  reported?: ReportedFix
}

/** Requests a late change in a release that is under way. */
export class CreateFixRequest {
  constructor(private readonly scope: Scope) {}

  /**
   * Collects the errors of an input beyond its shape.
   * @returns the values of the form
   */
  async check(
    appId: string,
    input: PartiallyValid<CreateFixRequestInput>,
    errors: InputErrors
  ): Promise<FilledField[]> {
    const { scope } = this
    const { title, requesterEmail, commitHashes = [] } = input
    if (
      title === undefined &&
      errors.isWellFormed('/title') &&
      errors.isWellFormed('/commitHashes')
    ) {
      const commits = await this.#commits(appId, commitHashes)
      if ((await this.#titleOf(appId, commits, input)) === null) {
        const message =
          'Give a title: none of the commits, pull requests or tickets has a known one.'
        errors.add({ pointer: '/title', code: 'required', message })
      }
    }
    if (requesterEmail) {
      await errors.collect(() => requirePerson(scope, requesterEmail, '/requesterEmail'))
    }
    const { fields } = await fixForm(scope, appId)
    return fillForm(scope, fields, input.formFields, errors)
  }

  /**
   * @throws release_not_kicked_off, release_completed, release_skipped, invalid_input,
   *   action_missing, too_many_fix_requests, pull_request_closed, code_already_in
   */
  async handle(
    release: Release,
    input: CreateFixRequestInput,
    { triageIssueId = null, reported }: FixOrigin = {}
  ): Promise<FixRequest> {
    const { scope } = this
    await this.#requireRoom(release)
    const { code: reportedCode } = reported ?? {}
    if (reportedCode)
      await storePulls(scope, { ...reportedCode, appId: release.appId }, reportedCode.pulls)
    const errors = new InputErrors()
    const formFields = await this.check(release.appId, input, errors)
    addUnknown(input, reported, errors)
    errors.throwIfAny()
    const { requesterEmail, pullRequestNumbers = [], ticketId = null } = input
    const requester = requesterEmail
      ? await actorOnBehalfOf(scope, 'RequestFixes', requesterEmail, { pointer: '/requesterEmail' })
      : scope.actor
    const commits = await this.#commits(release.appId, input.commitHashes)
    const isAllKnown = await this.#requireAlive(release, pullRequestNumbers)
    const namesPulls = pullRequestNumbers.length > 0
    const repository = namesPulls ? await repositoryOf(scope, release.appId) : null
    const content = {
      commits,
      pullRequests: pullRequestNumbers,
      repository,
      ticketId,
      picks: {},
      wayIn: input.wayIn ?? ('cherryPick' as const),
      mergeHead: null,
    }
    const hasContent = commits.length > 0 || pullRequestNumbers.length > 0 || ticketId !== null
    const code = hasContent ? await namedCode(scope, release.id) : null
    this.#requireMissing(release, content, code)
    const { requiredApprovals, fourEyes } = await fixForm(scope, release.appId)
    const needsApprovals = release.settings.requireFixApprovals
    const request = await scope.create(FixRequest, {
      id: newId('fix'),
      appId: release.appId,
      releaseId: release.id,
      status: needsApprovals ? 'pending' : 'approved',
      title: input.title ?? (await this.#titleOf(release.appId, commits, input))!,
      description: input.description ?? null,
      requester,
      askedBy: requester === scope.actor ? null : scope.actor,
      approvals: [],
      rejections: [],
      requiredApprovals: needsApprovals ? requiredApprovals : 0,
      fourEyes,
      workItemId: hasContent ? newId('wi') : null,
      ticketId,
      commits,
      pullRequests: pullRequestNumbers,
      repository,
      wayIn: content.wayIn,
      mergeHead: content.wayIn === 'backMerge' ? wantedHead(content, code) : null,
      formFields,
      triageIssueId,
      stepRunId: await this.#stepRun(release),
      rejectionReason: null,
      createdAt: scope.now,
      approvedAt: needsApprovals ? null : scope.now,
      rejectedAt: null,
      mergedAt: null,
      picks: {},
      reportedClosed: [],
      includedCode: null,
    })
    this.#record(release, request, requester)
    if (hasContent && request.status === 'approved') await planFollow(scope, release)
    // Unknown code is polled soon.
    if (!isAllKnown) await scope.jobs.move(codeKind, release.id, scope.now)
    return request
  }

  /** @throws release_not_kicked_off, release_completed, release_skipped, too_many_fix_requests */
  async #requireRoom(release: Release) {
    requireOpen(release)
    if (release.kickedOffAt === null) {
      throw refuse('release_not_kicked_off', {
        detail: `${release.version} is not kicked off yet: what is merged before then is in it anyway.`,
        ...stateOf(release),
      })
    }
    if ((await countFixRequests(this.scope, release.id)) < MAX_FIX_REQUESTS) return
    throw refuse('too_many_fix_requests', {
      detail: `A release has at most ${MAX_FIX_REQUESTS} fix requests.`,
    })
  }

  /**
   * Refuses pull requests that were closed without a merge, as far as the host reported them.
   * @returns whether the host reported all of them
   * @throws pull_request_closed
   */
  async #requireAlive({ appId }: Release, numbers: readonly number[]): Promise<boolean> {
    const repository = await repositoryOf(this.scope, appId)
    const seen = await seenPulls(this.scope, { appId, repository }, numbers)
    for (const { number, status, title } of seen.values()) {
      if (status !== 'closed') continue
      const detail = `#${number} ${title ?? ''}`.trim() + ' was closed without being merged.'
      throw refuse('pull_request_closed', { detail })
    }
    return seen.size === numbers.length
  }

  /**
   * Refuses code that the release already contains, as far as its code was seen: it needs no
   * approval. A ticket may still get code.
   * @throws code_already_in
   */
  #requireMissing(
    release: Release,
    content: Parameters<typeof mergeStanding>[0],
    code: ReleaseCode | null
  ): void {
    if (content.commits.length + content.pullRequests.length === 0) return
    if (code === null || !codeStanding(content, code).isIn) return
    throw refuse('code_already_in', {
      detail: `${release.version} has all of this code already.`,
    })
  }

  #record(release: Release, request: FixRequest, requester: Actor) {
    const { scope } = this
    recordFixEvent(scope, release, request, {
      type: 'fixRequest.created',
      title: `Fix requested: ${request.title}`,
      data: requester === scope.actor ? {} : { onBehalfOf: requester },
    })
    if (request.status !== 'approved') return
    recordFixEvent(scope, release, request, {
      type: 'fixRequest.approved',
      title: `Fix approved: ${request.title}`,
      data: { approvals: { given: 0, required: 0 } },
    })
  }

  /** Returns the title of the named code, or else of the ticket; null if unknown. */
  async #titleOf(
    appId: string,
    commits: readonly NamedCommit[],
    { pullRequestNumbers = [], ticketId }: PartiallyValid<CreateFixRequestInput>
  ): Promise<string | null> {
    const title = titleOf(commits)
    if (title !== null) return title
    const numbers = pullRequestNumbers.flatMap((number) => number ?? [])
    const repository = await repositoryOf(this.scope, appId)
    const pulls = await seenPulls(this.scope, { appId, repository }, numbers)
    for (const number of numbers) {
      const pullTitle = pulls.get(number)?.title
      if (pullTitle) return shortened(pullTitle)
    }
    const ticketTitle = ticketId ? await seenTicketTitle(this.scope, appId, ticketId) : null
    return ticketTitle ? shortened(ticketTitle) : null
  }

  /** Returns the named commits, with what CI or the repository reported about them. */
  async #commits(
    appId: string,
    named: readonly (string | undefined)[] | undefined
  ): Promise<NamedCommit[]> {
    const hashes = [...new Set((named ?? []).flatMap((hash) => hash?.toLowerCase() ?? []))]
    const built = await builtCommits(this.scope, appId, hashes)
    const seen = await seenByHash(this.scope, appId, hashes)
    return hashes.map((hash) => {
      const { commitMessage, commitAuthor, commitUrl } = built.get(hash) ?? {}
      const known = seen.get(hash)
      return {
        hash,
        message: commitMessage ?? known?.message ?? null,
        author: commitAuthor ?? known?.author ?? null,
        url: commitUrl ?? known?.url ?? null,
      }
    })
  }

  /** Returns the step run that the release is at: that of the first step in progress. */
  async #stepRun(release: Release): Promise<string | null> {
    const steps = await stepRows(this.scope, release.id)
    return steps.find(({ status }) => status === 'inProgress')?.runId ?? null
  }
}

/** Reports commits that the repository lacks, and a ticket that no tracker has. */
function addUnknown(
  { commitHashes = [], ticketId }: CreateFixRequestInput,
  reported: ReportedFix | undefined,
  errors: InputErrors
): void {
  for (const [index, hash] of commitHashes.entries()) {
    if (!reported?.code?.unknown.includes(hash.toLowerCase())) continue
    const message = `The repository has no commit ${hash}: it has to be pushed first.`
    errors.add({ pointer: `/commitHashes/${index}`, code: 'unknown_commit', message })
  }
  if (!reported?.isTicketUnknown) return
  const message = `No issue tracker of the app has a ticket ${ticketId}.`
  errors.add({ pointer: '/ticketId', code: 'unknown_ticket', message })
}

/** Returns the first line of the first known message; null if none is known. */
function titleOf(commits: readonly NamedCommit[]): string | null {
  for (const { message } of commits) {
    const line = message?.split('\n', 1)[0].trim()
    if (line) return shortened(line)
  }
  return null
}

const shortened = (text: string): string => [...text].slice(0, 200).join('')
