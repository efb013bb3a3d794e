import { Type } from '@sinclair/typebox'
import { commandKind, type PayloadOf } from '#foundation/core/jobs/kinds'
import type { Scope } from '#foundation/core/scope'
import { isProviderError } from '#integrations/ask_provider'
import type { VersionControl } from '#plugin-kit/capabilities/source'
import { ProviderError } from '#plugin-kit/provider_error'
import type Release from '#releases/models/release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import type { AppRepository } from '../repository/app_repository.js'
import {
  codeCommand,
  onCodeCommand,
  placeOf,
  unlessConflicting,
  type Conflict,
} from '../code_commands.js'
import { requestedPicks } from '#releases/picks/cherry_picks'
import { recordPicks } from '#releases/picks/record_picks'
import { isFullHash } from '../repository/find_tag.js'
import { entityKeyOf } from '../branches/request_branch.js'

/** A commit is to be picked onto the branch of a release. */
export const pickKind = commandKind(
  'release.pick',
  codeCommand({
    branch: Type.String(),
    /** As it was named, which may be the prefix of a hash. */
    commit: Type.String(),
    /** The branch in which an abbreviated hash is looked up. */
    workingBranch: Type.Union([Type.String(), Type.Null()]),
  }),
  'versionControl'
)
type Payload = PayloadOf<typeof pickKind>

/** Plans that a worker picks commits in the order they are named, independently of each other. */
export async function requestPicks(
  scope: Scope,
  release: Release,
  repository: AppRepository,
  branch: string
): Promise<void> {
  const { hotfixOptions } = release
  const workingBranch = repository.branches?.workingBranch ?? null
  for (const commit of new Set(hotfixOptions?.cherryPickCommits)) {
    await scope.jobs.command(pickKind, {
      subject: release.id,
      entityKey: entityKeyOf(release),
      payload: { ...placeOf(scope, repository), branch, commit, workingBranch },
    })
  }
}

type Picked = { sha: string } | { isThere: true } | Conflict

/**
 * Picks a commit; a commit that does not apply leaves the branch and the other picks as they are.
 */
export const pickCommit = onCodeCommand(pickKind, {
  call: (versionControl, { payload, idempotencyKey }): Promise<Picked> =>
    unlessConflicting<Picked>(async () => {
      const { branch } = payload
      try {
        const sha = await fullHash(versionControl, payload)
        return await versionControl.cherryPick(sha, branch, branch, { idempotencyKey })
      } catch (error) {
        const isThere = isProviderError(error) && error.detail.reason === 'nothing_to_pick'
        if (isThere) return { isThere }
        throw error
      }
    }),
  async done(scope, release, { payload }, result: Picked) {
    const { branch, commit } = payload
    if ('files' in result) {
      const why = `these files are in conflict: ${result.files.join(', ')}`
      return failed(scope, release, payload, why, result.files)
    }
    const pickedAs = 'sha' in result ? result.sha : null
    const picked = { status: 'picked', failure: null, pickedAs, dismissed: null } as const
    recordReleaseEvent(scope, release, {
      type: 'release.commitPicked',
      title: pickedAs
        ? `${commit} was picked onto ${branch}`
        : `${branch} already has the changes of ${commit}`,
      data: { branch, commitHash: commit, pickedAs },
      payload: null,
    })
    await recordPicks(scope, release, [commit], picked)
  },
  failed: (scope, release, { payload }, why) => failed(scope, release, payload, why, []),
})

/** Most pages of commits that are searched for a short hash. */
const MAX_PAGES = 20

/** Returns the full hash. @throws ProviderError if no commit begins like that, or several do */
async function fullHash(
  versionControl: VersionControl,
  { commit, branch, workingBranch }: Payload
): Promise<string> {
  const wanted = commit.toLowerCase()
  if (isFullHash(wanted)) return wanted
  const found = new Set<string>()
  let cursor: string | undefined
  for (let page = 0; workingBranch !== null && page < MAX_PAGES; page++) {
    const { items, next } = await versionControl.compare(branch, workingBranch, cursor)
    for (const { sha } of items) if (sha.startsWith(wanted)) found.add(sha)
    if (next === undefined) break
    cursor = next
  }
  const [sha] = found
  if (found.size === 1) return sha
  const what = found.size === 0 ? 'No commit' : 'More than one commit'
  const message = `${what} of ${workingBranch ?? 'a working branch'} begins with ${wanted}`
  throw new ProviderError('notFound', message, { outcome: 'notApplied', reason: 'commit' })
}

async function failed(
  scope: Scope,
  release: Release,
  { branch, commit, connectionId: connection }: Payload,
  why: string,
  files: string[]
): Promise<void> {
  recordReleaseEvent(scope, release, {
    type: 'fix.cherryPickFailed',
    title: `${commit} could not be picked onto ${branch}: ${why}`,
    data: { branch, commitHash: commit, connection, files },
    payload: null,
  })
  const [{ status }] = requestedPicks(release).filter((each) => each.commit === commit)
  const isDismissed = status === 'dismissed'
  await recordPicks(scope, release, [commit], {
    failure: why,
    ...(!isDismissed && { status: 'failed' }),
  })
}
