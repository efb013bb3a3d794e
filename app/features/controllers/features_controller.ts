import { findApp } from '#apps/queries/find_app'
import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { findRelease } from '#releases/queries/find_release'
import { readRelease } from '#releases/queries/read_release'
import { IgnoreItems } from '../actions/ignore_items.js'
import { changeEntity, changeKeys, changesBetween } from '../queries/changes_between.js'
import { featureItemEntity, featureItemKeys, searchFeatureItems } from '../queries/feature_items.js'
import type {
  ChangesQuery,
  IgnoreItemsInput,
  SearchItemsQuery,
} from '../validators/features_input.js'

/** Work items of releases. */
export class FeaturesController {
  async search({ scope, params, query }: Call<undefined, SearchItemsQuery>) {
    const { release } = await readRelease(scope, params.appId, params.releaseId)
    return page({
      cursors,
      path: `/app/${release.appId}/release/${release.publicId}/featureReadiness/search`,
      boundTo: `featureReadiness ${release.id}`,
      query,
      fetch: (request) => searchFeatureItems(scope, release.id, query, request),
      keys: featureItemKeys,
      charactersOf: ({ code }) => code.length * 500,
      transform: (items) => items.map(featureItemEntity),
    })
  }

  async changes({ scope, params, query }: Call<undefined, ChangesQuery>) {
    const { appId } = params
    await findApp(scope, appId)
    return page({
      cursors,
      path: `/app/${appId}/changes`,
      query,
      fetch: (request) => changesBetween(scope, appId, query, request),
      keys: changeKeys,
      charactersOf: ({ code }) => code.length * 500,
      transform: (changes) => changes.map((each) => changeEntity(appId, each)),
    })
  }

  async ignore({ scope, params, body }: Call<IgnoreItemsInput>) {
    const release = await findRelease(scope, params.appId, params.releaseId)
    const items = await new IgnoreItems(scope).handle(release, body)
    return async () => ok(items)
  }

  async checkIgnore(
    { scope, params, body }: Call<PartiallyValid<IgnoreItemsInput>>,
    errors: InputErrors
  ) {
    await readRelease(scope, params.appId, params.releaseId)
    new IgnoreItems(scope).check(body, errors)
  }
}
