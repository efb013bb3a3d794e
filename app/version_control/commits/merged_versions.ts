import type { ResolvedFile, VersionControl } from '#plugin-kit/capabilities/source'
import { readVersionApart } from '../version_files/read_version_apart.js'

/** The most pages of commits that are searched for the fork point of two branches. */
const MAX_PAGES = 20

/**
 * Resolves conflicts in version files between two branches if only the version conflicts: the
 * higher version wins, and both sides' other changes are kept. Null if anything else is in conflict
 * or cannot be decided.
 * @param between the branch that is merged, and its target
 * @throws ProviderError
 */
export async function mergedVersions(
  versionControl: VersionControl,
  between: { from: string; into: string },
  paths: readonly string[]
): Promise<ResolvedFile[] | null> {
  const base = await forkPoint(versionControl, between)
  if (base === null) return null
  const resolved: ResolvedFile[] = []
  for (const path of paths) {
    const file = await mergedFile(versionControl, { ...between, base }, path)
    if (file === null) return null
    resolved.push(file)
  }
  return resolved
}

/** Returns the fork point of a branch; null if there are several. */
async function forkPoint(
  versionControl: VersionControl,
  { from, into }: { from: string; into: string }
): Promise<string | null> {
  const own = new Set<string>()
  const parents = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; page < MAX_PAGES; page++) {
    const { items, next } = await versionControl.compare(into, from, cursor)
    for (const { sha, parents: before } of items) {
      own.add(sha)
      for (const parent of before) parents.add(parent)
    }
    cursor = next
    if (cursor === undefined) break
  }
  const outside = [...parents].filter((sha) => !own.has(sha))
  return cursor === undefined && outside.length === 1 ? outside[0] : null
}

async function mergedFile(
  versionControl: VersionControl,
  { from, into, base }: { from: string; into: string; base: string },
  path: string
): Promise<ResolvedFile | null> {
  // Only merges of versions load the merge library.
  const { diff3Merge } = await import('node-diff3')
  const { withVersion } = await import('../version_files/version_file.js')
  const { compare, VersionFileFault } = await import('../version_files/occurrence.js')
  const sides = []
  for (const ref of [into, base, from]) {
    const found = await versionControl.readFile(path, ref)
    if (found === null) return null
    try {
      sides.push({ ...found, file: await readVersionApart(path, found.text) })
    } catch (error) {
      if (error instanceof VersionFileFault) return null
      throw error
    }
  }
  const [ours, , theirs] = sides
  const isHigher = compare(theirs.file.version, ours.file.version) > 0
  const { version } = isHigher ? theirs.file : ours.file
  const [one, before, other] = sides.map(({ text, file }) =>
    withVersion(text, file, version).split('\n')
  )
  const lines: string[] = []
  for (const part of diff3Merge(one, before, other)) {
    if (!part.ok) return null
    for (const line of part.ok) lines.push(line)
  }
  return { path, text: lines.join('\n'), ours: ours.sha, theirs: theirs.sha }
}
