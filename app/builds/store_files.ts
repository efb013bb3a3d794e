import { referenceFile, dereferenceFiles } from '#foundation/core/files/held_files'
import type { NewFile } from '#foundation/core/files/stored_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { forgetArtifacts } from './artifact_command.js'
import { ciFilesOf, type CiFileRow } from './queries/ci_builds.js'
import { ciBuildFiles, type ArtifactSource } from './tables.js'
import type { CIBuildStatus, CiFileKind } from './vocabulary.js'

/** Maximum number of files of a build. */
const MAX_FILES = 1000

/** A file of a build as it is reported or as it was stored. */
export interface CiFile {
  kind: CiFileKind
  fileName: string
  contentType: string
  /** The stored content; absent while only its name is known. */
  stored?: NewFile
  /** In bytes, if it is not stored; null if CI does not report it. */
  size?: number | null
  /** The provider's identifiers of a file that is not stored. */
  source?: ArtifactSource
}

/** Members of the problem that refuses a different file. */
interface ConflictMembers {
  currentStatus: CIBuildStatus
  allowedActions: string[]
}

/** Options for recording a file. */
export interface PutFileOptions {
  /**
   * The treatment of an existing file with different bytes: it is replaced, it is kept silently, or
   * the new file is refused with these members.
   */
  others: 'replaced' | 'kept' | ConflictMembers
  /** True if a build has only one file of the kind, whatever its name. */
  isOnly?: boolean
}

/**
 * Records a file of a build. A file is identified by its kind and name.
 * @returns whether something changed
 * @throws conflict when different bytes are refused, or the build has too many files
 */
export async function putFile(
  scope: Scope,
  buildId: string,
  file: CiFile,
  { others, isOnly = false }: PutFileOptions
): Promise<boolean> {
  const files = await ciFilesOf(scope, [buildId])
  const before = files.find(
    ({ kind, fileName }) => kind === file.kind && (isOnly || fileName === file.fileName)
  )
  const { stored, contentType } = file
  if (!before && files.length >= MAX_FILES) {
    throw refuse('conflict', { detail: `A build has at most ${MAX_FILES} files.` })
  }
  if (!stored && before) return putSource(scope, before, file)
  const isOther = before && before.sha256 !== null && before.sha256 !== stored?.sha256
  if (isOther && typeof others === 'object') {
    const detail = `The build has ended, so it keeps its file ${before.fileName}.`
    throw refuse('conflict', { detail, ...others })
  }
  const isKept = isOther ? others === 'kept' : Boolean(before?.fileId)
  if (stored && isKept) {
    // Holding the copy and letting go of it removes it from the store.
    await dereferenceFiles(scope, [await referenceFile(scope, stored)])
    return false
  }
  const fileId = stored ? await referenceFile(scope, stored) : null
  const values = {
    fileName: file.fileName,
    contentType,
    size: stored?.size ?? file.size ?? null,
    sha256: stored?.sha256 ?? null,
    fileId,
    source: stored || !file.source ? null : { ...file.source, notedAt: scope.now },
    failure: null,
  }
  if (before) {
    await scope.update(ciBuildFiles, { id: before.id }, values)
    if (before.fileId !== null) await dereferenceFiles(scope, [before.fileId])
  } else {
    const own = { id: newId('cifile'), buildId, kind: file.kind, createdAt: scope.now }
    await scope.insert(ciBuildFiles, [{ ...own, ...values }])
  }
  return true
}

/**
 * Records the provider's identifiers of a file that was never stored, has no recorded source and
 * has not failed to be fetched.
 * @returns whether something changed
 */
async function putSource(scope: Scope, before: CiFileRow, { source }: CiFile): Promise<boolean> {
  const { id, fileId, sha256, failure } = before
  const lacksSource =
    fileId === null && sha256 === null && failure === null && before.source === null
  if (!source || !lacksSource) return false
  await scope.update(ciBuildFiles, { id }, { source: { ...source, notedAt: scope.now } })
  return true
}

/**
 * Removes the files of builds from storage and cancels their pending fetches. The rows with their
 * names and digests stay.
 */
export async function dereferenceCiFiles(scope: Scope, buildIds: readonly string[]): Promise<void> {
  const files = await ciFilesOf(scope, buildIds)
  await forgetArtifacts(scope, files)
  const held = files.filter(({ fileId }) => fileId !== null)
  for (const { id } of held) await scope.update(ciBuildFiles, { id }, { fileId: null })
  await dereferenceFiles(
    scope,
    held.map(({ fileId }) => fileId!)
  )
}
