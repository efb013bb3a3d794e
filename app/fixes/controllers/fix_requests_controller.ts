import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { requirePerson } from '#organizations/queries/on_behalf_of'
import { findRelease } from '#releases/queries/find_release'
import { readRelease } from '#releases/queries/read_release'
import { CreateFixRequest } from '../actions/create_fix_request.js'
import { DecideFixRequest } from '../actions/decide_fix_request.js'
import { RequestFix } from '../actions/request_fix.js'
import { askAboutFix, type ReportedFix } from '../code/ask_about_fix.js'
import type { FixRequestRow } from '../requests/fix_approvals.js'
import {
  findFixRequest,
  fixRequestEntities,
  listFixRequests,
  readFixRequest,
} from '../queries/fix_requests.js'
import { findTriageIssue } from '../queries/triage_issues.js'
import type {
  ApprovalInput,
  CreateFixRequestInput,
  ListFixRequestsQuery,
  RequestFixInput,
  VerdictInput,
} from '../validators/fix_input.js'

export class FixRequestsController {
  async index({ scope, params, query }: Call<undefined, ListFixRequestsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const requests = await listFixRequests(scope, release.id, query.status)
    return ok(await fixRequestEntities(scope, release.publicId, requests))
  }

  async show({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const request = await readFixRequest(scope, release.id, params.fixRequestId)
    return ok(await entityOf(scope, release.publicId, request))
  }

  askBeforeCreate({ scope, params: { appId, releaseId }, body }: Call<CreateFixRequestInput>) {
    return askAboutFix(scope, { appId, releaseId }, body)
  }

  async create({
    scope,
    params,
    body,
    prefetched,
  }: Call<CreateFixRequestInput, undefined, ReportedFix>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const request = await new CreateFixRequest(scope).handle(release, body, {
      reported: prefetched,
    })
    return shownAt(scope, release, request)
  }

  async checkCreate(
    { scope, params, body }: Call<PartiallyValid<CreateFixRequestInput>>,
    errors: InputErrors
  ) {
    await readRelease(scope, params.appId, params.releaseId)
    await new CreateFixRequest(scope).check(params.appId, body, errors)
  }

  async approve({ scope, params, body, ifMatch }: Call<ApprovalInput>) {
    const { release, request } = await findBoth(scope, params)
    // `If-Match: *` proves nothing about what was read.
    const hasRead = ifMatch !== undefined && ifMatch.trim() !== '*'
    await new DecideFixRequest(scope).approve(release, request, body, hasRead)
    return ok(await entityOf(scope, release.publicId, request))
  }

  async checkVerdict(
    { scope, params, body }: Call<PartiallyValid<VerdictInput>>,
    errors: InputErrors
  ) {
    await findBoth(scope, params)
    const { userEmail } = body
    if (userEmail !== undefined) await errors.collect(() => requirePerson(scope, userEmail))
  }

  async reject({ scope, params, body }: Call<VerdictInput>) {
    const { release, request } = await findBoth(scope, params)
    await new DecideFixRequest(scope).reject(release, request, body)
    return ok(await entityOf(scope, release.publicId, request))
  }

  askBeforeRequestFix({ scope, params: { appId }, body }: Call<RequestFixInput>) {
    return askAboutFix(scope, { appId, releaseId: body.releaseId }, body)
  }

  async requestFix({
    scope,
    params,
    body,
    prefetched,
  }: Call<RequestFixInput, undefined, ReportedFix>) {
    const { appId, issueId } = params
    const { release, request } = await new RequestFix(scope).handle(
      appId,
      issueId,
      body,
      prefetched
    )
    return shownAt(scope, release, request)
  }

  async checkRequestFix(
    { scope, params, body }: Call<PartiallyValid<RequestFixInput>>,
    errors: InputErrors
  ) {
    await findTriageIssue(scope, params.appId, params.issueId)
    await new RequestFix(scope).check(params.appId, body, errors)
  }
}

async function findBoth(scope: Scope, params: Record<string, string>) {
  const release = await findRelease(scope, params.appId, params.releaseId)
  return { release, request: await findFixRequest(scope, release.id, params.fixRequestId) }
}

async function entityOf(scope: Scope, releaseId: string, request: FixRequestRow) {
  const [entity] = await fixRequestEntities(scope, releaseId, [request])
  return entity
}

async function shownAt(scope: Scope, release: Release, request: FixRequestRow) {
  const path = `/app/${release.appId}/release/${release.publicId}/fixRequest/${request.id}`
  return created(await entityOf(scope, release.publicId, request), path)
}
