import { ok, type OperationResponse } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import { cursors } from '#foundation/api/services'
import { SetCustomMetadata } from '../actions/set_custom_metadata.js'
import { gatherEvidence } from '../evidence/gather_evidence.js'
import { explain } from '../queries/explain.js'
import { findRelease } from '../queries/find_release.js'
import { readRelease } from '../queries/read_release.js'
import { stepEntities } from '../queries/step_entities.js'
import { currentRun, stepRun } from '../queries/step_runs.js'
import { retrospectiveOf } from '../retrospective/retrospective.js'
import { timelineEvent, timelineRows } from '../queries/timeline.js'
import type {
  ListStepsQuery,
  TimelineQuery,
  UpdateMetadataInput,
} from '../validators/release_input.js'

/** Serves the metadata, steps, runs, timeline and explanations of a release. */
export class ReleaseViewsController {
  async metadata({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok({ entries: release.customMetadata ?? [] })
  }

  async setMetadata({ scope, params, body }: Call<UpdateMetadataInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    return ok({ entries: await new SetCustomMetadata(scope).handle(release, body.entries) })
  }

  async checkMetadata(
    { scope, params, body }: Call<PartiallyValid<UpdateMetadataInput>>,
    errors: InputErrors
  ) {
    await readRelease(scope, params.appId, params.releaseId)
    new SetCustomMetadata(scope).check(body.entries ?? [], errors)
  }

  async steps({ scope, params, query }: Call<undefined, ListStepsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const steps = await stepEntities(scope, release)
    return ok(
      steps.filter(
        (step) =>
          (query.type === undefined || step.type === query.type) &&
          (query.status === undefined || step.status === query.status) &&
          (query.required === undefined || step.required === query.required)
      )
    )
  }

  async step({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const steps = await stepEntities(scope, release)
    const found = steps.find((step) => step.id === params.stepId)
    if (!found) throw refuse('not_found')
    return ok(found)
  }

  async run({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await stepRun(scope, release, params.stepRunId))
  }

  async runOfConfig({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await currentRun(scope, release, params.stepConfigId))
  }

  async timeline({ scope, params, query }: Call<undefined, TimelineQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    const { stepConfigId } = params
    if (stepConfigId !== undefined) await currentRun(scope, release, stepConfigId)
    const stepPath = stepConfigId === undefined ? '' : `/stepConfig/${stepConfigId}`
    return page({
      cursors,
      path: `/app/${params.appId}/release/${release.publicId}${stepPath}/timelineEvents`,
      // A cursor stays valid when the public id changes with the version.
      boundTo: `${release.id}${stepPath}/timelineEvents`,
      query,
      fetch: (request) => timelineRows(scope, release.id, { ...query, stepConfigId }, request),
      keys: (row) => [row.position!],
      transform: (rows) => rows.map(timelineEvent(release.publicId)),
    })
  }

  async evidence({ scope, params }: Call): Promise<OperationResponse> {
    const { bytes, fileName } = await gatherEvidence(scope, params.appId, params.releaseId)
    return {
      status: 200,
      raw: { bytes, contentType: 'application/json; charset=utf-8' },
      headers: { 'content-disposition': `attachment; filename="${fileName}"` },
    }
  }

  async retrospective({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok({ retrospective: await retrospectiveOf(scope, release) })
  }

  async explain({ scope, params, query }: Call<undefined, { ifItem?: string[] }>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await explain(scope, release, query.ifItem ?? []))
  }
}
