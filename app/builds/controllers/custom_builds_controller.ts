import type { SentFile } from '#foundation/api/routes/sent_file'
import { download, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { findInstallation } from '#integrations/queries/find_installation'
import { readReferencedRelease } from '#releases/queries/find_release'
import { normalVersion, parseVersion } from '#workflow/version'
import { AttachBuildFile } from '../actions/attach_build_file.js'
import { UploadCustomBuild } from '../actions/upload_custom_build.js'
import { ciBuildKeys, listCiBuilds, type CiBuildRow } from '../queries/ci_builds.js'
import { customBuildEntities } from '../queries/ci_build_entities.js'
import { findBuildFile } from '../queries/find_build_file.js'
import type {
  ListCustomBuildsQuery,
  UploadCustomBuildInput,
} from '../validators/custom_build_input.js'

/** Reads the ids of the path. The specification has two names for the id of the integration. */
const placeOf = (params: Record<string, string>) => ({
  appId: params.appId,
  installationId: params.integrationInstallationId ?? params.integrationId,
  buildId: params.buildId,
})

async function shown(scope: Scope, build: CiBuildRow, baseUrl: string) {
  const [entity] = await customBuildEntities(scope, [build], baseUrl)
  return ok(entity)
}

export class CustomBuildsController {
  async index({ scope, params, query, origin }: Call<undefined, ListCustomBuildsQuery>) {
    const { appId, installationId } = placeOf(params)
    await findInstallation(scope, appId, installationId, 'generic-ci')
    const { limit, cursor, releaseId, version, ...others } = query
    const filters = {
      ...others,
      ...(releaseId !== undefined && {
        releaseId: (await readReferencedRelease(scope, appId, releaseId)).release.id,
      }),
      ...(version !== undefined && { version: versionOf(version) }),
    }
    return page({
      cursors,
      path: `/app/${appId}/integration/${installationId}/build`,
      query,
      fetch: (request) => listCiBuilds(scope, installationId, filters, request),
      keys: ciBuildKeys,
      transform: (builds) => customBuildEntities(scope, builds, origin.baseUrl),
    })
  }

  async store({ scope, params, body, origin }: Call<SentFile & UploadCustomBuildInput>) {
    const build = await new UploadCustomBuild(scope).handle(placeOf(params), body)
    return () => shown(scope, build, origin.baseUrl)
  }

  async checkStore(
    { scope, params, body }: Call<PartiallyValid<UploadCustomBuildInput>>,
    errors: InputErrors
  ) {
    await new UploadCustomBuild(scope).check(placeOf(params), body, errors)
  }

  async attach({ scope, params, body, origin }: Call<SentFile>) {
    const build = await new AttachBuildFile(scope).handle(placeOf(params), body)
    return () => shown(scope, build, origin.baseUrl)
  }

  async download({ scope, params }: Call) {
    return download(await findBuildFile(scope, placeOf(params), { kind: 'artifact' }))
  }

  async showFile({ scope, params }: Call) {
    const { filename: fileName } = params
    return download(await findBuildFile(scope, placeOf(params), { kind: 'additional', fileName }))
  }
}

function versionOf(text: string): string {
  const version = parseVersion(text)
  if (version) return normalVersion(version)
  throw refuse('invalid_query', {
    detail: 'A version has 1 to 3 numeric parts.',
    errors: [
      { parameter: 'version', code: 'version', message: 'A version has 1 to 3 numeric parts.' },
    ],
  })
}
