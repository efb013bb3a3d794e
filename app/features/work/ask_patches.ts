import { chunked } from '#foundation/core/chunked'
import type { Commit, VersionControl } from '#plugin-kit/capabilities/source'
import { isProviderError } from '#plugin-kit/provider_error'
import type { SeenRange } from './code_look.js'
import { NAMED_ENTITY_ERRORS } from './failures.js'

/** Most commits per call, and per poll. */
const AT_ONCE = 200
const MAX_ASKED = 2000

/** Patch ids of commits. */
interface ReportedPatches {
  /** By hash; a commit that changes nothing, or whose change is unknown, has its own hash. */
  patches: Map<string, string>
  /** True if the rest is left to another poll. */
  isOwed: boolean
}

interface Wanted {
  release: SeenRange | null
  working: SeenRange | null
  /** True if an earlier poll left some out. */
  isOwed: boolean
  /** Hashes of commits in the working branch that were left out, newest first. */
  leftOut(): Promise<string[]>
  /** Returns those of the given commits of the release that were left out. */
  leftOutAmong(hashes: readonly string[]): Promise<ReadonlySet<string>>
}

/**
 * Requests patch ids of commits that are on one side alone: new ones of the working branch, and
 * those of the release that it lacks, as long as they are unknown. Nothing is requested if neither
 * side moved and nothing is owed. If the host does not answer, the rest follows another time.
 */
export async function askPatches(
  versionControl: VersionControl,
  { release, working, isOwed, leftOut, leftOutAmong }: Wanted
): Promise<ReportedPatches> {
  const patches: ReportedPatches['patches'] = new Map()
  const isSame = (seen: SeenRange) => JSON.stringify(seen.was) === JSON.stringify(seen.range)
  if (!versionControl.patchIds || !release || !working) return { patches, isOwed: false }
  if (!isOwed && isSame(release) && isSame(working)) return { patches, isOwed }
  const { base, head: tip } = working.range
  const head = base ?? release.range.head
  try {
    const { items } = await versionControl.compare(tip, head)
    const own = plain(items)
    const isNew = new Set(release.delta.came.map(({ sha }) => sha))
    const isLeftOut = await leftOutAmong(own.filter((sha) => !isNew.has(sha)))
    const wanted = [
      ...new Set([
        ...own.filter((sha) => isNew.has(sha) || isLeftOut.has(sha)),
        ...plain(working.delta.came),
        ...(isOwed ? await leftOut() : []),
      ]),
    ]
    for (const some of chunked(wanted.slice(0, MAX_ASKED), AT_ONCE)) {
      const ids = await idsOf(versionControl, some)
      for (const sha of some) patches.set(sha, (ids[sha] ?? sha).slice(0, 64))
    }
    return { patches, isOwed: wanted.length > MAX_ASKED }
  } catch (error) {
    if (!isProviderError(error)) throw error
    return { patches, isOwed: true }
  }
}

/** Returns patch ids by hash; none if the host refuses to report some of them. */
async function idsOf(versionControl: VersionControl, shas: readonly string[]) {
  try {
    return await versionControl.patchIds!(shas)
  } catch (error) {
    if (isProviderError(error) && NAMED_ENTITY_ERRORS.has(error.code)) return {}
    throw error
  }
}

const plain = (commits: readonly Commit[]) =>
  commits.flatMap(({ sha, parents }) => (parents.length < 2 ? sha : []))
