import { created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { findRelease } from '../queries/find_release.js'
import { readRelease } from '../queries/read_release.js'
import { findLink, linkEntity, listLinks, makeLink, revokeLink } from './release_links.js'
import { sharedRelease } from './shared_release.js'

const releaseOf = ({ scope, params: { appId, releaseId } }: Call) =>
  findRelease(scope, appId, releaseId)

const readOf = async ({ scope, params: { appId, releaseId } }: Call) =>
  (await readRelease(scope, appId, releaseId)).release

export class LinksController {
  async index(call: Call) {
    const release = await readOf(call)
    const links = await listLinks(call.scope, release)
    return ok(links.map(linkEntity(release, call.origin.baseUrl)))
  }

  async show(call: Call) {
    const release = await readOf(call)
    const link = await findLink(call.scope, release, call.params.releaseLinkId)
    return ok(linkEntity(release, call.origin.baseUrl)(link))
  }

  async store(call: Call) {
    const { scope, params, origin } = call
    const release = await releaseOf(call)
    const link = await makeLink(scope, release)
    const path = `/app/${params.appId}/release/${release.publicId}/link/${link.id}`
    return created(linkEntity(release, origin.baseUrl)(link), path)
  }

  async destroy(call: Call) {
    await revokeLink(call.scope, await releaseOf(call), call.params.releaseLinkId)
    return noContent()
  }

  /** Serves a release by its secret address. Nothing may cache or index the answer. */
  async shared({ params }: Call) {
    return ok(await sharedRelease(params.sharedToken), {
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-robots-tag': 'noindex',
    })
  }
}
