import { ok } from '#foundation/api/operation/answer'
import type { Call } from '#foundation/api/operation/declaration'
import { refuse } from '#foundation/core/problems/problem'
import { SetRegressionStatus } from '../actions/set_regression_status.js'
import { SetStepApproval } from '../actions/set_step_approval.js'
import { UpdateStepMetadata } from '../actions/update_step_metadata.js'
import { currentRunsOfType, findCurrentRun } from '../queries/find_current_run.js'
import { findRelease } from '../queries/find_release.js'
import { oneReleaseEntity } from '../queries/release_entities.js'
import { stepEntities } from '../queries/step_entities.js'
import { stepRun } from '../queries/step_runs.js'
import type {
  UpdateApprovalInput,
  UpdateRegressionStatusInput,
  UpdateStepMetadataInput,
} from '../validators/step_input.js'

/** What people decide about steps: regression status, approvals, store texts. */
export class StepDecisionsController {
  async regressionOfRelease({ scope, params, body }: Call<UpdateRegressionStatusInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const runs = await currentRunsOfType(scope, release, 'regressionTesting')
    await new SetRegressionStatus(scope).handle(release, runs, body)
    return ok(await oneReleaseEntity(scope, release))
  }

  async regressionOfRun({ scope, params, body }: Call<UpdateRegressionStatusInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const found = await findCurrentRun(scope, release, params.stepRunId, ['regressionTesting'])
    await new SetRegressionStatus(scope).handle(release, [found], body)
    return ok(await stepRun(scope, release, params.stepRunId))
  }

  async approvalOfRun({ scope, params, body }: Call<UpdateApprovalInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const types = ['screenshots', 'metadata', 'approvals'] as const
    const found = await findCurrentRun(scope, release, params.stepRunId, types)
    await new SetStepApproval(scope).handle(release, [found], body)
    return ok(await stepRun(scope, release, params.stepRunId))
  }

  async approvalOfType({ scope, params, body }: Call<UpdateApprovalInput>) {
    const { stepType } = params
    if (stepType !== 'metadata' && stepType !== 'screenshots') {
      throw refuse('invalid_input', {
        detail: 'Only metadata and screenshots are approved this way.',
        errors: [{ parameter: 'stepType', code: 'enum', message: 'metadata or screenshots' }],
      })
    }
    const release = await findRelease(scope, params.appId, params.releaseId)
    const runs = await currentRunsOfType(scope, release, stepType)
    await new SetStepApproval(scope).handle(release, runs, body)
    const steps = await stepEntities(scope, release)
    return ok(steps.filter((step) => step.type === stepType))
  }

  async metadataOfRun({ scope, params, body }: Call<UpdateStepMetadataInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const found = await findCurrentRun(scope, release, params.stepRunId, ['metadata'])
    await new UpdateStepMetadata(scope).handle(release, found, body)
    return ok(await stepRun(scope, release, params.stepRunId))
  }
}
