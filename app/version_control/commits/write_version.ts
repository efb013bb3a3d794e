import { isProviderError } from '#integrations/ask_provider'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation } from '#plugin-kit/context'
import { readVersionApart } from '../version_files/read_version_apart.js'

/** A version that files of a branch are to hold. */
interface WantedVersion {
  branch: string
  version: string
  files: readonly string[]
  /** True when a file with a higher version keeps that version. */
  isRaise: boolean
}

/** The result of writing a version: the changes, or why nothing was written. */
export type WrittenVersion =
  | { kind: 'written'; sha: string; changed: { path: string; from: string }[] }
  /** All files have it already, or a higher version that stays. */
  | { kind: 'there' }
  | { kind: 'faulty'; errors: { path: string; code: string; message: string }[] }

/** Attempts, as somebody else may change the files meanwhile. */
const TRIES = 3

/**
 * Commits a version to the version files of a branch: all at once, or none if one of them is
 * faulty. A repeated call changes nothing.
 * @throws ProviderError
 */
export async function writeVersion(
  versionControl: VersionControl,
  wanted: WantedVersion,
  mutation: Mutation
): Promise<WrittenVersion> {
  for (let attempt = 1; ; attempt++) {
    const read = await readFiles(versionControl, wanted)
    if (read.errors.length > 0) return { kind: 'faulty', errors: read.errors }
    if (read.changes.length === 0) return { kind: 'there' }
    try {
      const { branch, version } = wanted
      const files = read.changes.map(({ path, text, replaces }) => ({ path, text, replaces }))
      const message = `Version ${version}`
      const { sha } = await versionControl.commitFiles(branch, files, message, mutation)
      return {
        kind: 'written',
        sha,
        changed: read.changes.map(({ path, from }) => ({ path, from })),
      }
    } catch (error) {
      const hasChanged =
        isProviderError(error) && error.code === 'conflict' && error.detail.reason === 'changed'
      if (!hasChanged || attempt === TRIES) throw error
    }
  }
}

interface Change {
  path: string
  text: string
  replaces: string
  from: string
}

async function readFiles(
  versionControl: VersionControl,
  { branch, version, files, isRaise }: WantedVersion
) {
  // Only writers of versions load the YAML parser and the like.
  const { withVersion } = await import('../version_files/version_file.js')
  const { compare, VersionFileFault } = await import('../version_files/occurrence.js')
  const changes: Change[] = []
  const errors: { path: string; code: string; message: string }[] = []
  for (const path of files) {
    try {
      const found = await readText(path, branch)
      if (found === null) throw new VersionFileFault('not_found', `is not on ${branch}`)
      const file = await readVersionApart(path, found.text)
      const isThere = isRaise
        ? compare(file.version, version) >= 0
        : file.occurrences.every((occurrence) => occurrence.version === version)
      if (isThere) continue
      const text = withVersion(found.text, file, version)
      changes.push({ path, text, replaces: found.sha, from: file.version })
    } catch (error) {
      if (!(error instanceof VersionFileFault)) throw error
      errors.push({ path, code: error.code, message: `${path} ${error.message}` })
    }
  }
  return { changes, errors }

  /** Reads a file; a binary file is a fault of the file, not of the provider. */
  async function readText(path: string, ref: string) {
    try {
      return await versionControl.readFile(path, ref)
    } catch (error) {
      if (!isProviderError(error) || error.code !== 'invalid') throw error
      throw new VersionFileFault('not_what_it_says', `cannot be read: ${error.message}`)
    }
  }
}

/** Returns the errors of files, as the end of a sentence. */
export const errorsText = (errors: readonly { message: string }[]) =>
  errors.map(({ message }) => message).join('; ')
