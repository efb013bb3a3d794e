import { download, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { findRelease } from '#releases/queries/find_release'
import { readRelease } from '#releases/queries/read_release'
import { TriggerCi } from '../actions/trigger_ci.js'
import { latestBuildFile } from '../queries/latest_build_file.js'
import { releaseBuilds } from '../queries/release_builds.js'
import type { LatestBuildQuery, TriggerCiInput } from '../validators/candidate_build_input.js'

/** Builds of release candidate steps. */
export class CandidateBuildsController {
  async download({ scope, params, query }: Call<undefined, LatestBuildQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return download(await latestBuildFile(scope, release, params.stepRunId, query.fileName))
  }

  async ofRelease({ scope, params }: Call) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return ok(await releaseBuilds(scope, release.id))
  }

  async checkTrigger(
    { scope, params, body }: Call<PartiallyValid<TriggerCiInput>>,
    errors: InputErrors
  ) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new TriggerCi(scope).check(release, params.stepRunId, body, errors)
  }

  async trigger({ scope, params, body }: Call<TriggerCiInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const run = await new TriggerCi(scope).handle(release, params.stepRunId, body)
    return async () => ok(run)
  }
}
