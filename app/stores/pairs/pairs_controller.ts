import { noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { findRelease } from '#releases/queries/find_release'
import { JoinReleases } from './join_releases.js'
import { shownPair } from './pair_entity.js'
import type { JoinInput } from './pair_input.js'
import { PartReleases } from './part_releases.js'

/** Serves the joining and parting of releases. */
export class PairsController {
  async join({ scope, params, body }: Call<JoinInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new JoinReleases(scope).handle(release, body)
    return async () => ok((await shownPair(scope, release))!)
  }

  async part({ scope, params }: Call) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new PartReleases(scope).handle(release)
    return noContent()
  }
}
