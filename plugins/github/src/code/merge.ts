import { type Mutation, type ResolvedFile, unless } from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import { requireName, digest, isHash, requestLine, type GitHub } from '../github.js'
import { requireCommit, requireTip, moveBranch, retryWhileMoving, withTrailers } from './commits.js'
import { createCommit, readFile, treeOf } from './files.js'
import { createRef, deleteBranch } from './refs.js'

/** The message of commits on temporary branches; `[skip ci]` prevents workflow runs. */
export const TEMPORARY_COMMIT = 'Work in passing [skip ci]'

interface Merge {
  from: string
  into: string
  message: string
  resolved?: readonly ResolvedFile[]
}

/**
 * Merges a branch or a commit into a branch.
 * @throws ProviderError `conflict` with the files that both sides changed since they diverged,
 * because GitHub does not name those in conflict; `notFound`
 */
export async function mergeBranch(
  github: GitHub,
  { from, into, message, resolved = [] }: Merge,
  mutation: Mutation
): Promise<{ sha: string; isMerged: boolean }> {
  requireName(into)
  const text = withTrailers(message, [requestLine(mutation)])
  const merged = await mergeRefs(github, into, from, text)
  if (merged === 'conflict') {
    const created = await mergeResolved(github, { from, into, message: text, resolved }, mutation)
    return { sha: created, isMerged: true }
  }
  if (merged !== null) return { sha: merged.sha, isMerged: true }
  return { sha: await requireTip(github, into), isMerged: false }
}

/** @returns the merge commit, null if there is nothing to merge, or 'conflict' */
export async function mergeRefs(github: GitHub, base: string, head: string, message: string) {
  const parameters = { base, head, commit_message: message }
  const answer = await unless(
    github.request('POST /repos/{owner}/{repo}/merges', parameters),
    // A branch rule that forbids the merge is also answered with 409.
    ({ code, detail }) => detail.status === 404 || (detail.status === 409 && code === 'conflict')
  )
  if (answer?.data) return answer.data as { sha: string; commit: { tree: { sha: string } } }
  if (answer) return null
  // A missing branch or commit is answered like a conflict, or with 404.
  await requireTip(github, base)
  if (isHash(head)) await requireCommit(github, head)
  else await requireTip(github, head)
  return 'conflict' as const
}

/** The two sides of a comparison: the files that `head` changed since it diverged from `base`. */
interface Change {
  base: string
  head: string
}

/** Returns the files that both changes contain, which are the candidates for a conflict. */
export async function changedByBoth(github: GitHub, one: Change, other: Change): Promise<string[]> {
  const [ours, theirs] = await Promise.all([changedFiles(github, one), changedFiles(github, other)])
  return ours.filter((path) => theirs.includes(path)).sort()
}

/** Returns the files that a change modifies; GitHub names at most 300. */
async function changedFiles(github: GitHub, { base, head }: Change): Promise<string[]> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
    basehead: `${base}...${head}`,
    per_page: 1,
  })
  return (data.files ?? []).flatMap(({ filename, previous_filename: before }) =>
    before === undefined ? [filename] : [filename, before]
  )
}

/**
 * Merges with the given texts for files in conflict. Commits the texts to both sides first, on a
 * temporary branch, so that these files no longer conflict.
 */
async function mergeResolved(
  github: GitHub,
  { from, into, message, resolved }: Required<Merge>,
  mutation: Mutation
): Promise<string> {
  return retryWhileMoving(into, async () => {
    const ours = await requireTip(github, into)
    const { sha: theirs } = await requireCommit(github, from)
    const current = await currentResolutions(github, resolved, ours, theirs)
    const conflict = async () =>
      refused(
        'conflict',
        `"${from}" does not merge into "${into}"`,
        'merge_conflict',
        await changedByBoth(github, { base: from, head: into }, { base: into, head: from })
      )
    if (current.length === 0) throw await conflict()
    const commitTexts = async (tip: string) => {
      const tree = await treeOf(github, tip, current)
      return (await createCommit(github, { message: TEMPORARY_COMMIT, tree, parents: [tip] })).sha
    }
    const [left, right] = [await commitTexts(ours), await commitTexts(theirs)]
    const merged = await onTemporaryBranch(github, left, mutation, (branch) =>
      mergeRefs(github, branch, right, TEMPORARY_COMMIT)
    )
    if (merged === null || merged === 'conflict') throw await conflict()
    const created = await createCommit(github, {
      message,
      tree: merged.commit.tree.sha,
      parents: [ours, theirs],
    })
    return (await moveBranch(github, into, created.sha)) ? created.sha : null
  })
}

/** Returns the resolved files that have not changed on either side since they were resolved. */
async function currentResolutions(
  github: GitHub,
  resolved: readonly ResolvedFile[],
  ours: string,
  theirs: string
): Promise<ResolvedFile[]> {
  const current: ResolvedFile[] = []
  for (const file of resolved) {
    const left = await readFile(github, file.path, ours)
    const right = await readFile(github, file.path, theirs)
    if (left?.sha === file.ours && right?.sha === file.theirs) current.push(file)
  }
  return current
}

/** Runs work on a temporary branch, which is always deleted afterwards. */
export async function onTemporaryBranch<Answer>(
  github: GitHub,
  sha: string,
  { idempotencyKey }: Mutation,
  work: (branch: string) => Promise<Answer>
): Promise<Answer> {
  const branch = `tarmac/${digest(idempotencyKey)}`
  // A branch that an earlier attempt left behind is replaced.
  if ((await createRef(github, `refs/heads/${branch}`, sha)) === 'exists') {
    await deleteBranch(github, branch)
    await createRef(github, `refs/heads/${branch}`, sha)
  }
  try {
    return await work(branch)
  } finally {
    await deleteBranch(github, branch)
  }
}
