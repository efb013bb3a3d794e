import type { Mutation } from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import { requireHash, requireName, requestLine, type GitHub } from '../github.js'
import {
  requireTip,
  gitCommit,
  madeBefore,
  moveBranch,
  tipOf,
  retryWhileMoving,
  withTrailers,
} from './commits.js'
import { createCommit } from './files.js'
import { changedByBoth, mergeRefs, onTemporaryBranch, TEMPORARY_COMMIT } from './merge.js'
import { createRef } from './refs.js'

interface Pick {
  sha: string
  onto: string
  patchBranch: string
}

/**
 * Picks a commit without a clone. GitHub has no endpoint for it, but merges: a commit with the tree
 * of the branch and the parent of the picked one is merged with the picked one. The tree of that
 * merge is the tree of the new commit. Of a merge commit, the change against its first parent is
 * picked.
 * @throws ProviderError `conflict` with the files that both sides changed, if there is nothing to
 * pick, or if `patchBranch` exists; `notFound`
 */
export async function cherryPick(
  github: GitHub,
  { sha, onto, patchBranch }: Pick,
  mutation: Mutation
): Promise<{ sha: string; branch: string }> {
  requireHash(sha)
  requireName(onto)
  requireName(patchBranch)
  return retryWhileMoving(patchBranch, async () => {
    const tip = await requireTip(github, onto)
    const patchTip = patchBranch === onto ? tip : await tipOf(github, patchBranch)
    for (const each of new Set([patchTip, tip])) {
      const before = each === null ? null : await madeBefore(github, each, mutation)
      if (before) return { sha: before.sha, branch: patchBranch }
    }
    if (patchTip !== null && patchBranch !== onto) {
      throw refused('conflict', `The branch "${patchBranch}" already exists`, 'exists')
    }
    const made = await picked(github, { sha, tip, onto }, mutation)
    if (patchBranch === onto) {
      return (await moveBranch(github, onto, made)) ? { sha: made, branch: onto } : null
    }
    const ref = await createRef(github, `refs/heads/${patchBranch}`, made)
    return ref === 'created' ? { sha: made, branch: patchBranch } : null
  })
}

async function picked(
  github: GitHub,
  { sha, tip, onto }: { sha: string; tip: string; onto: string },
  mutation: Mutation
): Promise<string> {
  const commit = await gitCommit(github, sha)
  if (commit.parents.length === 0) {
    throw refused('unsupported', 'GitHub cannot pick the first commit of a repository', 'root')
  }
  const ours = (await gitCommit(github, tip)).tree.sha
  const parent = commit.parents[0].sha
  const standIn = await createCommit(github, {
    message: TEMPORARY_COMMIT,
    tree: ours,
    parents: [parent],
  })
  const merged = await onTemporaryBranch(github, standIn.sha, mutation, (branch) =>
    mergeRefs(github, branch, sha, TEMPORARY_COMMIT)
  )
  if (merged === 'conflict') {
    const files = await changedByBoth(
      github,
      { base: parent, head: sha },
      { base: parent, head: tip }
    )
    throw refused('conflict', `${sha} does not apply to "${onto}"`, 'merge_conflict', files)
  }
  if (merged === null || merged.commit.tree.sha === ours) {
    throw refused('conflict', `"${onto}" has what ${sha} brings`, 'nothing_to_pick')
  }
  const { name, email, date } = commit.author
  const lines = [`(cherry picked from commit ${sha})`, requestLine(mutation)]
  const made = await createCommit(github, {
    message: withTrailers(commit.message, lines),
    tree: merged.commit.tree.sha,
    parents: [tip],
    author: { name, email, date },
  })
  return made.sha
}
