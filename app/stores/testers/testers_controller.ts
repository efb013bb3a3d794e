import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { findRelease } from '#releases/queries/find_release'
import { stepRun } from '#releases/queries/step_runs'
import { DistributeBuild } from './distribute_build.js'
import type { TestersInput } from './testers_input.js'

/** Serves the requests that give builds to testers. */
export class TestersController {
  async check({ scope, params, body }: Call<PartiallyValid<TestersInput>>, errors: InputErrors) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new DistributeBuild(scope).check(release, params.stepRunId, body, errors)
  }

  async distribute({ scope, params, body }: Call<TestersInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new DistributeBuild(scope).handle(release, params.stepRunId, body)
    return async () => ok(await stepRun(scope, release, params.stepRunId))
  }
}
