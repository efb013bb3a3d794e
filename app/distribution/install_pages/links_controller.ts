import { created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { Scope } from '#foundation/core/scope'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { requireLevel } from '../bucket_levels.js'
import { findBucket } from '../queries/find_bucket.js'
import { ChangeLink, type LinkPlace } from './actions/change_link.js'
import { CreateLink } from './actions/create_link.js'
import { findLink, linkEntities, linkEntity, linkKeys, listLinks } from './queries/link_entities.js'
import type { CreateLinkInput, ListLinksQuery, UpdateLinkInput } from './validators.js'

const placeOf = ({ appId, bucketId, installLinkId }: Record<string, string>): LinkPlace => ({
  appId,
  bucketId,
  installLinkId,
})

/** A visible link is usable, so seeing links needs the right to use them. */
async function bucketOfLinks(scope: Scope, params: Record<string, string>) {
  const bucket = await findBucket(scope, params.appId, params.bucketId)
  requireLevel(scope, bucket, 'uploader')
  return bucket
}

const pathOf = ({ appId, bucketId }: Record<string, string>) =>
  `/app/${appId}/bucket/${bucketId}/installLink`

export class LinksController {
  async index({ scope, params, query, origin }: Call<undefined, ListLinksQuery>) {
    const bucket = await bucketOfLinks(scope, params)
    return page({
      cursors,
      path: pathOf(params),
      query,
      fetch: (request) => listLinks(scope, bucket, request),
      keys: linkKeys,
      transform: (links) => linkEntities(scope, links, origin.baseUrl),
    })
  }

  async store({ scope, params, body, origin }: Call<CreateLinkInput>) {
    const link = await new CreateLink(scope).handle(params.appId, params.bucketId, body)
    return created(await linkEntity(scope, link, origin.baseUrl), `${pathOf(params)}/${link.id}`)
  }

  async checkStore(
    { scope, params, body }: Call<PartiallyValid<CreateLinkInput>>,
    errors: InputErrors
  ) {
    await new CreateLink(scope).check(params.appId, params.bucketId, body, errors)
  }

  async show({ scope, params, origin }: Call) {
    const link = await findLink(scope, await bucketOfLinks(scope, params), params.installLinkId)
    return ok(await linkEntity(scope, link, origin.baseUrl))
  }

  async update({ scope, params, body, origin }: Call<UpdateLinkInput>) {
    const link = await new ChangeLink(scope).update(placeOf(params), body)
    return ok(await linkEntity(scope, link, origin.baseUrl))
  }

  async destroy({ scope, params }: Call) {
    await new ChangeLink(scope).revoke(placeOf(params))
    return noContent()
  }
}
