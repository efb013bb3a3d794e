import type { Mutation, PluginContext } from '#plugin-kit/context'
import { Mirror } from '../mirror/mirror.js'
import { readCommits, writeCommit, type Person, type RawCommit } from '../mirror/objects.js'
import { branchRef, requireHash, quoted } from '../names.js'
import { refused } from '../program/failures.js'
import { committerOf, findEarlierCommit, requestLine } from './commits.js'
import { mergedTree } from './merge.js'
import { retryWhileMoving } from './retry_while_moving.js'

interface Pick {
  sha: string
  onto: string
  patchBranch: string
}

/**
 * Picks a commit onto a branch and pushes the new commit as another, or as the same. Of a merge
 * it is what the merge brought to its first parent. Nothing is pushed before it applies.
 * @throws ProviderError `conflict` with the files, for nothing to pick, or for a branch that is
 * there; `notFound`
 */
export function cherryPick(
  ctx: PluginContext,
  { sha, onto, patchBranch }: Pick,
  { idempotencyKey }: Mutation
): Promise<{ sha: string; branch: string }> {
  const [ontoRef, patchRef] = [branchRef(onto), branchRef(patchBranch)]
  requireHash(sha)
  return Mirror.use(ctx, (mirror) =>
    retryWhileMoving(patchBranch, async () => {
      await mirror.fetch()
      const [tip, there, picked] = await mirror.commits([ontoRef, patchRef, sha])
      if (tip === null) throw refused('notFound', `There is no branch ${quoted(onto)}`, 'branch')
      const before = await beforeOn(mirror, [there, tip], idempotencyKey)
      if (before !== null) return { sha: before, branch: patchBranch }
      if (there !== null && ontoRef !== patchRef) {
        throw refused('conflict', `The branch ${quoted(patchBranch)} already exists`, 'exists')
      }
      if (picked === null) throw refused('notFound', `There is no commit ${sha}`, 'commit')
      const line = requestLine(idempotencyKey)
      const to = await pick(mirror, { sha, tip, onto, committer: committerOf(ctx), line })
      const change = { ref: patchRef, from: there, to }
      const pushed = await mirror.push(change)
      return pushed === 'done' ? { sha: to, branch: patchBranch } : null
    })
  )
}

async function beforeOn(
  mirror: Mirror,
  tips: readonly (string | null)[],
  idempotencyKey: string
): Promise<string | null> {
  for (const tip of new Set(tips)) {
    const found = tip === null ? null : await findEarlierCommit(mirror, tip, idempotencyKey)
    if (found !== null) return found
  }
  return null
}

interface Picking {
  sha: string
  tip: string
  onto: string
  committer: Person
  line: string
}

/**
 * Returns the new commit, in the mirror alone. It is a merge whose base is the parent of the picked
 * commit: a commit with the files of the tip stands in for the tip, as a child of that parent.
 */
async function pick(mirror: Mirror, picking: Picking): Promise<string> {
  const { sha, tip, committer, line } = picking
  const [picked, { tree: ours }] = await readCommits(mirror, [sha, tip])
  const standIn = await writeCommit(mirror, {
    ...{ tree: ours, author: committer, committer, message: Buffer.from('stand-in\n') },
    parents: picked.parents.slice(0, 1),
  })
  const tree = await mergedTree(mirror, {
    ours: standIn,
    theirs: sha,
    unmerged: `${sha} does not apply to ${quoted(picking.onto)}`,
  })
  if (tree === ours) {
    throw refused(
      'conflict',
      `${quoted(picking.onto)} already has the changes of ${sha}`,
      'nothing_to_pick'
    )
  }
  return writeCommit(mirror, {
    tree,
    parents: [tip],
    author: picked.author,
    committer,
    encoding: picked.encoding,
    message: messageOf(picked, [`(cherry picked from commit ${sha})`, line]),
  })
}

/** Returns the message as it was, byte by byte, with lines about where it comes from at its end. */
function messageOf({ message }: RawCommit, lines: readonly string[]): Buffer {
  let end = message.length
  while (end > 0 && /\s/.test(String.fromCharCode(message[end - 1]))) end -= 1
  const text = message.subarray(0, end)
  const paragraphs = text.toString('latin1').split('\n\n')
  const last = paragraphs.length > 1 ? paragraphs.at(-1)! : ''
  const isTrailers = last !== '' && last.split('\n').every((each) => TRAILER.test(each))
  const between = isTrailers ? '\n' : '\n\n'
  return Buffer.concat([text, Buffer.from(`${between}${lines.join('\n')}\n`)])
}

const TRAILER = /^([A-Za-z0-9-]+: |\(cherry picked from commit )/
