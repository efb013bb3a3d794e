import type { Call } from '#foundation/api/operation/declaration'
import { ok } from '#foundation/api/operation/response'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { DismissCherryPick } from '../actions/dismiss_cherry_pick.js'
import { findRelease } from '#releases/queries/find_release'
import { releaseEntity } from '#releases/queries/release_entities'
import { requireRepository } from '../repository/app_repository.js'
import {
  candidateKeys,
  listPickCandidates,
  pickCandidate,
  rangeOf,
  type Candidates,
} from '../repository/pick_candidates.js'
import { listReleaseTags, releaseTag, tagKeys } from '../repository/release_tags.js'
import type {
  DismissPickInput,
  PickCandidatesQuery,
  ReleaseTagsQuery,
} from '../validators/version_control_input.js'

/** Reads an app's repository, and dismisses requested cherry-picks. */
export class VersionControlController {
  async tags({ scope, params, query }: Call<undefined, ReleaseTagsQuery>) {
    const repository = await requireRepository(scope, params.appId)
    return page({
      cursors,
      path: `/app/${params.appId}/releaseTags`,
      query,
      fetch: (request) => listReleaseTags(scope, repository, { ...request, q: query.q }),
      keys: tagKeys,
      transform: (rows) => rows.map(({ item }) => releaseTag(repository.app, item)),
    })
  }

  async candidates({ scope, params, query }: Call<undefined, PickCandidatesQuery>) {
    const repository = await requireRepository(scope, params.appId)
    const range = await rangeOf(scope, repository, query)
    let found: Candidates
    return page({
      cursors,
      path: `/app/${params.appId}/cherryPickCandidateCommits`,
      query,
      fetch: async (request) => {
        found = await listPickCandidates(scope, repository, range, { ...request, q: query.q })
        return found
      },
      keys: candidateKeys,
      transform: (rows) => rows.map((row) => pickCandidate(row, found)),
    })
  }

  async dismissPick({ scope, params, body }: Call<DismissPickInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new DismissCherryPick(scope).handle(release, params.hash, body)
    return async () => ok(await releaseEntity(scope, release))
  }
}
