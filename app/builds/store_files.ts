import { holdFile, letGoOfFiles } from '#foundation/core/files/held_files'
import type { NewFile } from '#foundation/core/files/stored_files'
import { newId } from '#foundation/core/ids'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { forgetArtifacts } from './artifact_command.js'
import { ciFilesOf, type CiFileRow } from './queries/ci_builds.js'
import { ciBuildFiles, type ArtifactSource } from './tables.js'
import type { CIBuildStatus, CiFileKind } from './vocabulary.js'

/** Most files that a build has. */
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
  /** The provider's location of a file that is not stored. */
  source?: ArtifactSource
}

/** The answer of a build that keeps its files to a client with different ones. */
interface Defended {
  currentStatus: CIBuildStatus
  allowedActions: string[]
}

/** The options for recording a file. */
interface Taking {
  /**
   * The treatment of a file with different bytes that a build already has: replaced, kept silently,
   * or refused.
   */
  others: 'replaced' | 'kept' | Defended
  /** True if a build has only one of its kind, whatever its name. */
  isOnly?: boolean
}

/**
 * Notes a file of a build. A file is known by its kind and name.
 * @returns whether there is something new
 * @throws conflict when other bytes are defended, or the build is full
 */
export async function putFile(
  scope: Scope,
  buildId: string,
  file: CiFile,
  { others, isOnly = false }: Taking
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
    const detail = `The build is over and keeps its file ${before.fileName}.`
    throw refuse('conflict', { detail, ...others })
  }
  const isKept = isOther ? others === 'kept' : Boolean(before?.fileId)
  if (stored && isKept) {
    // Held and let go of, the copy that nobody names is removed.
    await letGoOfFiles(scope, [await holdFile(scope, stored)])
    return false
  }
  const fileId = stored ? await holdFile(scope, stored) : null
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
    if (before.fileId !== null) await letGoOfFiles(scope, [before.fileId])
  } else {
    const own = { id: newId('cifile'), buildId, kind: file.kind, createdAt: scope.now }
    await scope.insert(ciBuildFiles, [{ ...own, ...values }])
  }
  return true
}

/**
 * Notes where a file is to be had that is neither here nor was: where nobody knew before, or it
 * was not needed.
 */
async function putSource(scope: Scope, before: CiFileRow, { source }: CiFile): Promise<boolean> {
  const { id, fileId, sha256, failure } = before
  const isOpen = fileId === null && sha256 === null && failure === null && before.source === null
  if (!source || !isOpen) return false
  await scope.update(ciBuildFiles, { id }, { source: { ...source, notedAt: scope.now } })
  return true
}

/**
 * Removes the files of builds from storage, and lets be what was to be fetched of them; what is
 * known of them stays.
 */
export async function letGoOfCiFiles(scope: Scope, buildIds: readonly string[]): Promise<void> {
  const files = await ciFilesOf(scope, buildIds)
  await forgetArtifacts(scope, files)
  const held = files.filter(({ fileId }) => fileId !== null)
  for (const { id } of held) await scope.update(ciBuildFiles, { id }, { fileId: null })
  await letGoOfFiles(
    scope,
    held.map(({ fileId }) => fileId!)
  )
}
