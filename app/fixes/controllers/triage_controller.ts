import { readReferencedRelease } from '#releases/queries/find_release'
import { findApp } from '#apps/queries/find_app'
import { created, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import type { Scope } from '#foundation/core/scope'
import { CreateTriageIssue } from '../actions/create_triage_issue.js'
import { UpdateFixForm } from '../actions/update_fix_form.js'
import { UpdateTriageIssue } from '../actions/update_triage_issue.js'
import { fixForm } from '../triage/form.js'
import {
  findTriageIssue,
  listTriageIssues,
  triageIssueEntity,
  triageIssueKeys,
} from '../queries/triage_issues.js'
import type { FixRequestFormFieldsSettingsEntity } from '../triage/triage_entities.js'
import type {
  CreateTriageIssueInput,
  ListTriageIssuesQuery,
  UpdateFormInput,
  UpdateTriageIssueInput,
} from '../validators/triage_input.js'

/** Triage issues, and how fixes are asked for. */
export class TriageController {
  async index({ scope, params: { appId }, query }: Call<undefined, ListTriageIssuesQuery>) {
    const { releaseId, ...filters } = query
    const found = releaseId ? await readReferencedRelease(scope, appId, releaseId) : null
    const releaseInternalId = found?.release.id
    return page({
      cursors,
      path: `/app/${appId}/triageIssue`,
      query,
      fetch: (request) =>
        listTriageIssues(scope, appId, { ...filters, releaseInternalId }, request),
      keys: triageIssueKeys,
      transform: (issues) => issues.map(triageIssueEntity),
    })
  }

  async create({ scope, params: { appId }, body }: Call<CreateTriageIssueInput>) {
    const { id, isKnown } = await new CreateTriageIssue(scope).record(appId, body)
    const issue = await findTriageIssue(scope, appId, id)
    if (isKnown) return ok(triageIssueEntity(issue))
    return created(triageIssueEntity(issue), `/app/${appId}/triageIssue/${id}`)
  }

  async checkCreate(
    { scope, body }: Call<PartiallyValid<CreateTriageIssueInput>>,
    errors: InputErrors
  ) {
    new CreateTriageIssue(scope).check(body, errors)
  }

  async show({ scope, params: { appId, issueId } }: Call) {
    return ok(triageIssueEntity(await findTriageIssue(scope, appId, issueId)))
  }

  async update({ scope, params: { appId, issueId }, body }: Call<UpdateTriageIssueInput>) {
    await new UpdateTriageIssue(scope).handle(appId, issueId, body)
    return ok(triageIssueEntity(await findTriageIssue(scope, appId, issueId)))
  }

  async showForm({ scope, params: { appId } }: Call) {
    return ok(await shownForm(scope, appId))
  }

  async updateForm({ scope, params: { appId }, body }: Call<UpdateFormInput>) {
    await new UpdateFixForm(scope).handle(appId, body)
    return ok(await shownForm(scope, appId))
  }

  async checkForm({ scope, body }: Call<PartiallyValid<UpdateFormInput>>, errors: InputErrors) {
    new UpdateFixForm(scope).check(body, errors)
  }
}

async function shownForm(scope: Scope, appId: string): Promise<FixRequestFormFieldsSettingsEntity> {
  const { requireFixApprovals, enableFixStatusChecks } = (await findApp(scope, appId)).settings
  const { requiredApprovals, fourEyes, fields } = await fixForm(scope, appId)
  return { requireFixApprovals, requiredApprovals, fourEyes, enableFixStatusChecks, fields }
}
