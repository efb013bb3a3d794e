import type { SentFile } from '#foundation/api/routes/sent_file'
import { download, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { AttachFile, type BuildPlace } from '../actions/attach_file.js'
import { DeleteBuild } from '../actions/delete_build.js'
import { UpdateBuild } from '../actions/update_build.js'
import { UploadBuild, type UploadedBuild } from '../actions/upload_build.js'
import {
  buildEntities,
  buildEntity,
  buildKeys,
  findBuild,
  listBuilds,
} from '../queries/build_entities.js'
import { findBucket } from '../queries/find_bucket.js'
import { findFile } from '../queries/find_file.js'
import { deviceName } from '../install_pages/device.js'
import { noteDownload } from '../testers/record_download.js'
import type { DownloadQuery, ListBuildsQuery, UpdateBuildInput } from '../validators/build_input.js'

const placeOf = ({ appId, bucketId, buildDistroBuildId }: Record<string, string>): BuildPlace => ({
  appId,
  bucketId,
  buildDistroBuildId,
})

export class BuildsController {
  async index({ scope, params, query, origin }: Call<undefined, ListBuildsQuery>) {
    const bucket = await findBucket(scope, params.appId, params.bucketId)
    return page({
      cursors,
      path: `/app/${params.appId}/bucket/${params.bucketId}/builds`,
      query,
      fetch: (request) => listBuilds(scope, bucket, query, request),
      keys: buildKeys,
      transform: (builds) => buildEntities(scope, builds, origin.baseUrl),
    })
  }

  async store({ scope, params, body, origin }: Call<UploadedBuild>) {
    const { appId, bucketId } = params
    return ok(await new UploadBuild(scope).handle(appId, bucketId, body, origin.baseUrl))
  }

  async show({ scope, params, origin }: Call) {
    const bucket = await findBucket(scope, params.appId, params.bucketId)
    const build = await findBuild(scope, bucket, params.buildDistroBuildId)
    return ok(await buildEntity(scope, build, origin.baseUrl))
  }

  async update({ scope, params, body, origin }: Call<UpdateBuildInput>) {
    return ok(await new UpdateBuild(scope).handle(placeOf(params), body, origin.baseUrl))
  }

  checkUpdate(
    { scope, params, body }: Call<PartiallyValid<UpdateBuildInput>>,
    errors: InputErrors
  ) {
    return new UpdateBuild(scope).check(placeOf(params), body, errors)
  }

  async destroy({ scope, params }: Call) {
    await new DeleteBuild(scope).handle(placeOf(params))
    return noContent()
  }

  async download({ scope, params, query }: Call<undefined, DownloadQuery>) {
    const { artifactFileName: fileName } = query
    const place = placeOf(params)
    const wanted =
      fileName === undefined
        ? { kind: 'artifact' as const }
        : { kind: 'additional' as const, fileName }
    const file = await findFile(scope, place, wanted)
    if (wanted.kind !== 'artifact') return download(file)
    const { bucketId, buildDistroBuildId: buildId } = place
    const { type, id } = scope.actor
    return download(file, (userAgent) =>
      noteDownload(scope, {
        bucketId,
        buildId,
        installLinkId: null,
        keyId: type === 'apiKey' ? id : null,
        userId: type === 'user' ? id : null,
        device: deviceName(userAgent),
      })
    )
  }

  async attach({ scope, params, body, origin }: Call<SentFile>) {
    return ok(await new AttachFile(scope).handle(placeOf(params), body, origin.baseUrl))
  }

  async showFile({ scope, params }: Call) {
    const { fileName } = params
    return download(await findFile(scope, placeOf(params), { kind: 'additional', fileName }))
  }
}
