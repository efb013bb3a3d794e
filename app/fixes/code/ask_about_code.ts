import { seenPulls, type ReportedPull } from '#features/queries/seen_pulls'
import { askPulls } from '#features/work/ask_pulls'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { askProvider, isProviderError } from '#integrations/ask_provider'
import { repositoryOf } from '#integrations/queries/app_integrations'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { isUnderWay } from '#releases/lifecycle/open_releases'
import { readRelease } from '#releases/queries/read_release'
import { findRepository } from '#version_control/repository/app_repository'
import { isFullHash } from '#version_control/repository/find_tag'
import { codeBranchOf } from '#version_control/repository/release_branch'
import { inTime } from './in_time.js'

/** Most commits that are checked. */
const MAX_COMMITS = 20

/** The report of the code host about the code of a fix request. */
export interface ReportedCode {
  /** Identity of the repository. */
  repository: string
  pulls: ReportedPull[]
  /** Commits that the repository lacks. */
  unknown: string[]
}

interface Named {
  commitHashes?: string[]
  pullRequestNumbers?: number[]
}

/**
 * Returns what the host knows about the code of a fix request, as far as it answers in time: its
 * unmerged pull requests, and its commits by their full hashes. Nothing without a host, or if the
 * release accepts no fixes.
 */
export async function askAboutCode(
  scope: Scope,
  { appId, releaseId }: { appId: string; releaseId: string },
  { commitHashes = [], pullRequestNumbers: named = [] }: Named,
  timeoutMs: number
): Promise<ReportedCode | undefined> {
  const hashes = [...new Set(commitHashes.map((each) => each.toLowerCase()))].filter(isFullHash)
  if (hashes.length + named.length === 0) return undefined
  const reported: ReportedCode = { repository: '', pulls: [], unknown: [] }
  try {
    const { release } = await readRelease(scope, appId, releaseId)
    if (!isUnderWay(release)) return undefined
    const repository = await findRepository(scope, appId)
    const home = await repositoryOf(scope, appId)
    if (!repository || home === null) return undefined
    const { integration } = repository
    reported.repository = home
    const seen = await seenPulls(scope, { appId, repository: home }, named)
    const known = new Map([...seen].filter(([, { status }]) => status === 'merged'))
    const signal = AbortSignal.timeout(timeoutMs)
    const asking = askProvider(
      scope,
      { integration, kind: 'versionControl', signal },
      async (versionControl) => {
        reported.pulls = await askPulls(versionControl, [], { named, known, now: scope.now })
        // If the branch is not visible, a missing commit proves nothing.
        const branch = hashes.length > 0 && codeBranchOf(repository, release)
        if (!branch || !(await versionControl.getBranch(branch))) return
        for (const hash of hashes.slice(0, MAX_COMMITS)) {
          if (signal.aborted) break
          if (!(await hasCommit(versionControl, hash))) reported.unknown.push(hash)
        }
      }
    )
    await inTime(asking, signal)
  } catch (error) {
    // Data that arrived counts; the handler or a later poll finds the rest.
    if (!(error instanceof Problem) && !isProviderError(error)) throw error
  }
  return reported.pulls.length + reported.unknown.length > 0 ? reported : undefined
}

async function hasCommit(versionControl: VersionControl, hash: string): Promise<boolean> {
  try {
    await versionControl.compare(hash, hash)
    return true
  } catch (error) {
    if (isProviderError(error) && error.code === 'notFound') return false
    throw error
  }
}
