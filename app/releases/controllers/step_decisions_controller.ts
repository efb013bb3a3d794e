import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { SetRegressionStatus } from '../actions/set_regression_status.js'
import { SetStepApproval } from '../actions/set_step_approval.js'
import { UpdateStepMetadata } from '../actions/update_step_metadata.js'
import { findRelease } from '../queries/find_release.js'
import { releaseEntity } from '../queries/release_entities.js'
import { stepEntities } from '../queries/step_entities.js'
import { stepRun } from '../queries/step_runs.js'
import type {
  UpdateApprovalInput,
  UpdateRegressionStatusInput,
  UpdateStepMetadataInput,
} from '../validators/step_input.js'

/** Serves decisions of people about steps: regression status, approvals, store texts. */
export class StepDecisionsController {
  async regressionOfRelease({ scope, params, body }: Call<UpdateRegressionStatusInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SetRegressionStatus(scope).ofRelease(release, body)
    return async () => ok(await releaseEntity(scope, release))
  }

  async regressionOfRun({ scope, params, body }: Call<UpdateRegressionStatusInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SetRegressionStatus(scope).ofRun(release, params.stepRunId, body)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }

  async approvalOfRun({ scope, params, body }: Call<UpdateApprovalInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SetStepApproval(scope).ofRun(release, params.stepRunId, body)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }

  async approvalOfType({ scope, params, body }: Call<UpdateApprovalInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new SetStepApproval(scope).ofType(release, params.stepType, body)
    return async () => {
      const steps = await stepEntities(scope, release)
      return ok(steps.filter((step) => step.type === params.stepType))
    }
  }

  async checkMetadataOfRun(
    { scope, params, body }: Call<PartiallyValid<UpdateStepMetadataInput>>,
    errors: InputErrors
  ) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new UpdateStepMetadata(scope).check(release, params.stepRunId, body, errors)
  }

  async metadataOfRun({ scope, params, body }: Call<UpdateStepMetadataInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new UpdateStepMetadata(scope).handle(release, params.stepRunId, body)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }
}
