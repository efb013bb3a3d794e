import { created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { cursors } from '#foundation/api/services'
import { CompleteRelease } from '../actions/complete_release.js'
import { CreateRelease } from '../actions/create_release.js'
import { DeleteRelease } from '../actions/delete_release.js'
import { KickOffRelease } from '../actions/kick_off_release.js'
import { SkipRelease } from '../actions/skip_release.js'
import { UnskipRelease } from '../actions/unskip_release.js'
import { UpdateRelease } from '../actions/update_release.js'
import { leftInStores } from '../preconditions/require_not_live.js'
import { releasePath } from '../names/public_release_id.js'
import { emptySteps, emptyStepText } from '../engine/item_step_rules.js'
import { aheadOnTrain } from '../lifecycle/move_train.js'
import { loadFacts } from '../queries/load_facts.js'
import { findRelease } from '../queries/find_release.js'
import { listedReleases, listReleases, releaseKeys } from '../queries/list_releases.js'
import { readRelease } from '../queries/read_release.js'
import { releaseEntity } from '../queries/release_entities.js'
import { releaseDetail } from '../queries/release_detail.js'
import { warned, withWarnings } from '../queries/warnings_of.js'
import type {
  CompleteInput,
  CreateReleaseInput,
  ListReleasesQuery,
  SkipInput,
  UpdateReleaseInput,
} from '../validators/release_input.js'

export class ReleasesController {
  async index({ scope, params, query }: Call<undefined, ListReleasesQuery>) {
    return page({
      cursors,
      path: `/v2/app/${params.appId}/releases`,
      query,
      fetch: (request) => listReleases(scope, params.appId, query, request),
      keys: releaseKeys,
      charactersOf: (found) => (query.include ? found.metadataCharacters : 0),
      transform: (found) => listedReleases(scope, found, query),
    })
  }

  async store({ scope, params, body }: Call<CreateReleaseInput>) {
    const release = await new CreateRelease(scope).handle(params.appId, body)
    return async () => {
      const found = await readRelease(scope, params.appId, release.publicId)
      return created(await releaseDetail(scope, found), releasePath(release))
    }
  }

  checkStore(
    { scope, params, body }: Call<PartiallyValid<CreateReleaseInput>>,
    errors: InputErrors
  ) {
    return new CreateRelease(scope).check(params.appId, body, errors)
  }

  async show({ scope, params }: Call) {
    const found = await readRelease(scope, params.appId, params.releaseId)
    return ok(await releaseDetail(scope, found))
  }

  async update({ scope, params, body }: Call<UpdateReleaseInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new UpdateRelease(scope).handle(release, body)
    return async () =>
      ok(await releaseEntity(scope, release), { 'content-location': releasePath(release) })
  }

  async checkUpdate(
    { scope, params, body }: Call<PartiallyValid<UpdateReleaseInput>>,
    errors: InputErrors
  ) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new UpdateRelease(scope).check(release, body, errors)
  }

  async destroy({ scope, params }: Call) {
    await new DeleteRelease(scope).handle(await findRelease(scope, params.appId, params.releaseId))
    return noContent()
  }

  async skip({ scope, params, body }: Call<SkipInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const inStores = await new SkipRelease(scope).handle(release, body)
    return async () => ok(withWarnings(leftInStores(inStores), await releaseEntity(scope, release)))
  }

  async unskip({ scope, params }: Call) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    await new UnskipRelease(scope).handle(release)
    return async () => ok(await releaseEntity(scope, release))
  }

  async kickOff({ scope, params }: Call) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const ahead = await aheadOnTrain(scope, release)
    await new KickOffRelease(scope).handle(release)
    const held = ahead.map((version) => ({
      code: 'train_held',
      message: `${version} is the active release of the train and not over yet: ${release.version} is kicked off alongside it.`,
    }))
    return async () => {
      const { facts } = await loadFacts(scope, release)
      const empty = emptySteps(facts).map((step) => ({
        code: 'no_items',
        message: emptyStepText(step),
      }))
      const entity = await releaseEntity(scope, release)
      return ok(await warned(scope, release, 'kickoff', entity, [...held, ...empty]))
    }
  }

  async complete({ scope, params, body }: Call<CompleteInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const warnings = leftInStores(await new CompleteRelease(scope).handle(release, body))
    return async () =>
      ok(await warned(scope, release, 'release', await releaseEntity(scope, release), warnings))
  }
}
