import type { StoredFile } from '#foundation/api/operation/response'
import { storeKindOfApp } from '#apps/queries/app_summary'
import type { StoreKind } from '#apps/vocabulary'
import { storedKey } from '#foundation/core/files/stored_key'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ReleaseRow } from '#releases/queries/read_release'
import { RUN } from '#releases/queries/run_rows'
import { buildsOfRun, CANDIDATE_STEPS, isCandidateStep } from '../candidate_runs.js'
import { ciBuildsById, ciFilesOf, wasLetGo, type CiBuildRow, type CiFileRow } from './ci_builds.js'

/**
 * Finds a file of the newest successful build of a run: the file with a name, by default the
 * artifact that devices install.
 * @throws not_found; step_type_mismatch; file_gone
 */
export async function latestBuildFile(
  scope: Scope,
  release: ReleaseRow,
  stepRunId: string,
  wanted?: string
): Promise<StoredFile> {
  const [run] = await scope.rows(RUN, { releaseId: release.id, stepRunId })
  if (!run) throw refuse('not_found')
  if (!isCandidateStep(run.type)) {
    throw refuse('step_type_mismatch', {
      detail: `The run belongs to a step of type ${run.type}; this takes ${CANDIDATE_STEPS.join(', ')}.`,
    })
  }
  const builds = await ciBuildsById(scope, await buildsOfRun(scope, stepRunId))
  const newest = builds.filter(({ status }) => status === 'success').sort(newestFirst)[0]
  if (!newest) throw refuse('not_found', { detail: 'No build of the run has succeeded.' })
  const files = await ciFilesOf(scope, [newest.id])
  const file =
    wanted === undefined
      ? artifactFor(await storeKindOfApp(scope, newest.appId), files)
      : files.find(({ fileName }) => fileName === wanted)
  if (!file) throw refuse('not_found', { detail: 'The build has no such file.' })
  const key = file.fileId === null ? null : await storedKey(scope, file.fileId)
  const { size, sha256, fileName } = file
  if (key === null || sha256 === null) {
    const reason = wasLetGo(file)
      ? `The file ${fileName} of the build was removed when it expired.`
      : (file.failure ?? `The file ${fileName} of the build has not been fetched yet.`)
    throw refuse('file_gone', { detail: reason })
  }
  return { key, size: size ?? 0, sha256, contentType: 'application/octet-stream', fileName }
}

/** Returns the artifact that devices of the app's platform install, or else the first artifact. */
function artifactFor(store: StoreKind, files: readonly CiFileRow[]): CiFileRow | undefined {
  const artifacts = files.filter(({ kind }) => kind === 'artifact')
  const fitting = { apple: /\.ipa$/i, google: /\.(apk|aab)$/i, ota: /$/ }[store]
  return artifacts.find(({ fileName }) => fitting.test(fileName)) ?? artifacts[0]
}

const newestFirst = (one: CiBuildRow, other: CiBuildRow) =>
  other.startedAt.localeCompare(one.startedAt) || other.id.localeCompare(one.id)
