import { releaseCode } from '#features/queries/release_code'
import { seenPulls } from '#features/queries/seen_pulls'
import { builtCommits } from '#builds/queries/known_commits'
import { newId } from '#foundation/core/ids'
import type { Actor } from '#foundation/core/principal'
import { Faults, type Sound } from '#foundation/core/problems/faults'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { demandPerson, spokenFor } from '#organizations/queries/spoken_for'
import { stateOf } from '#releases/demand_allowed'
import { demandOpen } from '#releases/demand_open'
import type Release from '#releases/models/release'
import { stepRows } from '#releases/queries/step_rows'
import { fillForm } from '../fill_form.js'
import { fixForm } from '../form.js'
import { planFollow } from '../follow_fixes.js'
import FixRequest from '../models/fix_request.js'
import { countFixRequests } from '../queries/fix_requests.js'
import { recordFixEvent } from '../record_fix_event.js'
import type { FilledField, NamedCommit } from '../tables.js'
import { codeStanding } from '../wanted_code.js'
import type { CreateFixRequestInput } from '../validators/fix_input.js'
import { MAX_FIX_REQUESTS } from '../vocabulary.js'

/** Where a request comes from that was not asked for by itself. */
export interface FixOrigin {
  triageIssueId: string
}

/** Asks for a late change in a release that is under way. */
export class CreateFixRequest {
  constructor(private readonly scope: Scope) {}

  /** Gathers what is wrong beyond its shape. @returns what the form was filled in with */
  async check(
    appId: string,
    input: Sound<CreateFixRequestInput>,
    faults: Faults
  ): Promise<FilledField[]> {
    const { scope } = this
    const { title, requesterEmail, commitHashes = [] } = input
    if (title === undefined && faults.isSound('/title') && faults.isSound('/commitHashes')) {
      const commits = await this.#commits(appId, commitHashes)
      if (titleOf(commits) === null) {
        const message = 'A title is needed where no commit is named that CI has told of.'
        faults.add({ pointer: '/title', code: 'required', message })
      }
    }
    if (requesterEmail) {
      await faults.collect(() => demandPerson(scope, requesterEmail, '/requesterEmail'))
    }
    const { fields } = await fixForm(scope, appId)
    return fillForm(scope, fields, input.formFields, faults)
  }

  /**
   * @throws release_not_kicked_off, release_completed, release_skipped, invalid_input,
   *   action_missing, too_many_fix_requests, pull_request_closed, code_already_in
   */
  async handle(
    release: Release,
    input: CreateFixRequestInput,
    origin?: FixOrigin
  ): Promise<FixRequest> {
    const { scope } = this
    await this.#demandRoom(release)
    const faults = new Faults()
    const formFields = await this.check(release.appId, input, faults)
    faults.demandNone()
    const { requesterEmail, pullRequestNumbers = [], ticketId = null } = input
    const requester = requesterEmail
      ? await spokenFor(scope, 'RequestFixes', requesterEmail, { pointer: '/requesterEmail' })
      : scope.actor
    const commits = await this.#commits(release.appId, input.commitHashes)
    await this.#demandAlive(release, pullRequestNumbers)
    await this.#demandMissing(release, { commits, pullRequests: pullRequestNumbers, ticketId })
    const { requiredApprovals, fourEyes } = await fixForm(scope, release.appId)
    const waits = release.settings.requireFixApprovals
    const hasContent = commits.length > 0 || pullRequestNumbers.length > 0 || ticketId !== null
    const request = await scope.create(FixRequest, {
      id: newId('fix'),
      appId: release.appId,
      releaseId: release.id,
      status: waits ? 'pending' : 'approved',
      title: input.title ?? titleOf(commits)!,
      description: input.description ?? null,
      requester,
      askedBy: requester === scope.actor ? null : scope.actor,
      approvals: [],
      rejections: [],
      requiredApprovals: waits ? requiredApprovals : 0,
      fourEyes,
      workItemId: hasContent ? newId('wi') : null,
      ticketId,
      commits,
      pullRequests: pullRequestNumbers,
      wayIn: input.wayIn ?? 'cherryPick',
      formFields,
      triageIssueId: origin?.triageIssueId ?? null,
      stepRunId: await this.#stepRun(release),
      rejectionReason: null,
      createdAt: scope.now,
      approvedAt: waits ? null : scope.now,
      rejectedAt: null,
      mergedAt: null,
      picks: {},
    })
    this.#record(release, request, requester)
    if (hasContent && request.status === 'approved') await planFollow(scope, release)
    return request
  }

  /** @throws release_not_kicked_off, release_completed, release_skipped, too_many_fix_requests */
  async #demandRoom(release: Release) {
    demandOpen(release)
    if (release.kickedOffAt === null) {
      throw refuse('release_not_kicked_off', {
        detail: `${release.version} is not kicked off: what is merged until then is in it anyway.`,
        ...stateOf(release),
      })
    }
    if ((await countFixRequests(this.scope, release.id)) < MAX_FIX_REQUESTS) return
    throw refuse('too_many_fix_requests', {
      detail: `A release has at most ${MAX_FIX_REQUESTS} fix requests.`,
    })
  }

  /**
   * What was closed without being merged brings nothing, as far as its host told.
   * @throws pull_request_closed
   */
  async #demandAlive({ appId }: Release, numbers: readonly number[]): Promise<void> {
    for (const { number, status, title } of (
      await seenPulls(this.scope, appId, numbers)
    ).values()) {
      if (status !== 'closed') continue
      const detail = `#${number} ${title ?? ''}`.trim() + ' was closed without being merged.'
      throw refuse('pull_request_closed', { detail })
    }
  }

  /**
   * What is all in the release, as far as its code was seen, needs nobody's approval. A ticket may
   * still get code.
   * @throws code_already_in
   */
  async #demandMissing(
    release: Release,
    named: Pick<FixRequest, 'commits' | 'pullRequests' | 'ticketId'>
  ): Promise<void> {
    if (named.commits.length + named.pullRequests.length === 0) return
    const code = await releaseCode(this.scope, release.id)
    if (code === null || !codeStanding({ ...named, picks: {} }, code).isIn) return
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

  /** The commits as they are named, with what CI has told of them. */
  async #commits(
    appId: string,
    named: readonly (string | undefined)[] | undefined
  ): Promise<NamedCommit[]> {
    const hashes = [...new Set((named ?? []).flatMap((hash) => hash?.toLowerCase() ?? []))]
    const built = await builtCommits(this.scope, appId, hashes)
    return hashes.map((hash) => {
      const { commitMessage, commitAuthor, commitUrl } = built.get(hash) ?? {}
      return {
        hash,
        message: commitMessage ?? null,
        author: commitAuthor ?? null,
        url: commitUrl ?? null,
      }
    })
  }

  /** The run that the release is at: of the first step that is in progress. */
  async #stepRun(release: Release): Promise<string | null> {
    const steps = await stepRows(this.scope, release.id)
    return steps.find(({ status }) => status === 'inProgress')?.runId ?? null
  }
}

/** The first line of the first message that is known; null where none is. */
function titleOf(commits: readonly NamedCommit[]): string | null {
  for (const { message } of commits) {
    const line = message?.split('\n', 1)[0].trim()
    if (line) return [...line].slice(0, 200).join('')
  }
  return null
}
