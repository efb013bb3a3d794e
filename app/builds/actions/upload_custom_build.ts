import type { SentFile } from '#foundation/api/routes/sent_file'
import { InputErrors, type PartiallyValid } from '#foundation/core/problems/input_errors'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordSent } from '#integrations/last_answers'
import { findInstallation } from '#integrations/queries/find_installation'
import { readReferencedRelease } from '#releases/queries/find_release'
import { versionParts } from '#releases/names/version_parts'
import { normalVersion, parseVersion } from '#workflow/version'
import type { CiBuildRow } from '../queries/ci_builds.js'
import { releaseOfVersion, type MatchedRelease } from '../queries/match_release.js'
import type { UploadCustomBuildInput } from '../validators/custom_build_input.js'
import { RecordCiBuild } from './record_ci_build.js'

/** Records a build that custom CI uploads. */
export class UploadCustomBuild {
  constructor(private readonly scope: Scope) {}

  /** @throws not_found, invalid_input, conflict */
  async handle(
    place: { appId: string; installationId: string },
    { file, contentType, fileName, ...input }: SentFile & UploadCustomBuildInput
  ): Promise<CiBuildRow> {
    const { scope } = this
    const errors = new InputErrors()
    const release = await this.check(place, input, errors)
    errors.throwIfAny()
    await recordSent(scope, place.installationId)
    const { integrationId = 'generic-ci', baseBranch = null, status = 'success' } = input
    return new RecordCiBuild(scope).handle({
      ...place,
      integrationId,
      buildIdentifier: input.buildIdentifier,
      branch: input.branch,
      baseBranch,
      commitHash: input.commitHash,
      workflowData: input.workflowData,
      status,
      startedAt: input.startedAt,
      commitMessage: input.commitMessage,
      commitAuthor: input.commitAuthor,
      commitUrl: input.commitUrl,
      url: input.url,
      release,
      files: [{ kind: 'artifact', fileName, contentType, stored: file }],
    })
  }

  /**
   * Adds errors of the data beside the file that its schema cannot express.
   * @returns the release that `releaseId` or `version` names; undefined when neither is given
   * @throws not_found, conflict
   */
  async check(
    { appId, installationId }: { appId: string; installationId: string },
    { releaseId, version }: PartiallyValid<UploadCustomBuildInput>,
    errors: InputErrors
  ): Promise<MatchedRelease | undefined> {
    await findInstallation(this.scope, appId, installationId, 'generic-ci')
    const parsed = version === undefined ? undefined : parseVersion(version)
    if (parsed === null) {
      const message = 'A version has 1 to 3 numeric parts.'
      errors.add({ pointer: '/data/version', code: 'version', message })
    }
    const named =
      releaseId === undefined ? undefined : await this.#findNamed(appId, releaseId, errors)
    if (named && parsed && normalVersion(parsed) !== named.version) {
      const message = `The release ${releaseId} has the version ${named.version}.`
      errors.add({ pointer: '/data/version', code: 'other_release', message })
    }
    if (named || !parsed) return named
    return releaseOfVersion(this.scope, appId, normalVersion(parsed))
  }

  /** Finds the release with an id. Adds a fault when there is none. */
  async #findNamed(
    appId: string,
    releaseId: string,
    errors: InputErrors
  ): Promise<MatchedRelease | undefined> {
    try {
      const { release } = await readReferencedRelease(this.scope, appId, releaseId)
      return { releaseId: release.id, version: normalVersion(versionParts(release)) }
    } catch (error) {
      if (!(error instanceof Problem) || error.code !== 'not_found') throw error
      const message = `The app has no release ${releaseId}.`
      errors.add({ pointer: '/data/releaseId', code: 'unknown', message })
      return undefined
    }
  }
}
