import { chunked } from '#foundation/core/chunked'
import type { Commit, VersionControl } from '#plugin-kit/capabilities/source'
import type { SeenRange } from './code_look.js'

/** So many commits are asked about at once, and at one look. */
const AT_ONCE = 200
const MOST_ASKED = 2000

/**
 * What commits change that stand on one side alone: those that came to the working branch, and
 * those of the release that it has not. Nothing is asked where neither moved.
 */
export async function askPatches(
  versionControl: VersionControl,
  release: SeenRange | null,
  working: SeenRange | null
): Promise<Map<string, string>> {
  const patches = new Map<string, string>()
  const isSame = (seen: SeenRange) => JSON.stringify(seen.was) === JSON.stringify(seen.range)
  if (!versionControl.patchIds || !release || !working) return patches
  if (isSame(release) && isSame(working)) return patches
  const { base: head, head: tip } = working.range
  const { items } = await versionControl.compare(tip, head)
  const wanted = [...items, ...working.delta.came].filter(isPlain).slice(0, MOST_ASKED)
  for (const some of chunked(wanted, AT_ONCE)) {
    const ids = await versionControl.patchIds(some.map(({ sha }) => sha))
    for (const [sha, id] of Object.entries(ids)) patches.set(sha, id.slice(0, 64))
  }
  return patches
}

const isPlain = ({ parents }: Commit) => parents.length < 2
