import { unless } from '@tarmac/plugin-kit'
import { createHash } from 'node:crypto'
import type { Endpoints } from '@octokit/types'
import { requireHash, isNotFound, type GitHub } from '../github.js'

/** Returns patch ids by commit, as `git patch-id` computes them; one request for each commit. */
export async function patchIds(
  github: GitHub,
  shas: readonly string[]
): Promise<Record<string, string>> {
  const ids: Record<string, string> = {}
  for (const sha of shas) {
    const diff = await diffOf(github, requireHash(sha))
    const id = diff === null ? null : patchId(diff)
    if (id !== null) ids[sha] = id
  }
  return ids
}

/** Returns the diff of a commit; null for a merge or a missing commit. */
async function diffOf(github: GitHub, ref: string): Promise<string | null> {
  const answer = await unless(
    github.request('GET /repos/{owner}/{repo}/commits/{ref}', {
      ref,
      headers: { accept: 'application/vnd.github.diff' },
    } as Parameters),
    // GitHub refuses diffs of too many lines or files with 406.
    (error) => isNotFound(error) || [406, 422].includes(error.detail.status ?? 0)
  )
  const text = answer?.data as unknown
  return typeof text === 'string' ? text : null
}

type Parameters = Omit<
  Endpoints['GET /repos/{owner}/{repo}/commits/{ref}']['parameters'],
  'owner' | 'repo'
> & { headers: Record<string, string> }

const HEADER = /^diff --git a\/(.+) b\/(.+)$/

/**
 * Computes the id of a change, which ignores whitespace, line numbers, file hashes and the order of
 * files (`git patch-id --stable`). Null for no change.
 */
export function patchId(diff: string): string | null {
  const sum = new Uint8Array(20)
  let isEmpty = true
  for (const file of diff.split(/^(?=diff --git )/m)) {
    const lines = file.split('\n')
    const names = HEADER.exec(lines[0] ?? '')
    if (!names) continue
    isEmpty = false
    add(sum, hashOf(lines, names[1], names[2]))
  }
  return isEmpty ? null : Buffer.from(sum).toString('hex')
}

/** Adds a hash byte by byte with carry, as git sums up the files of a change. */
function add(sum: Uint8Array, hash: Buffer): void {
  let carry = 0
  for (let index = 0; index < sum.length; index++) {
    carry += sum[index] + hash[index]
    sum[index] = carry & 0xff
    carry >>= 8
  }
}

const INDEX = /^index ([0-9a-f]+)\.\.([0-9a-f]+)/

const BINARY = /^(Binary files |GIT binary patch)/

const HUNK = /^@@ -(?:\d+)(?:,(\d+))? \+(?:\d+)(?:,(\d+))? @@/

function hashOf(lines: readonly string[], before: string, after: string): Buffer {
  const hash = createHash('sha1')
  const take = (text: string) => hash.update(text.replace(/\s/g, ''))
  const isNew = lines.some((line) => line.startsWith('new file mode'))
  const isGone = lines.some((line) => line.startsWith('deleted file mode'))
  take(`diff--gita/${before}b/${after}`)
  for (const [is, mode] of [
    [isNew, 'new file mode '],
    [isGone, 'deleted file mode '],
  ] as const) {
    const line = is && lines.find((each) => each.startsWith(mode))
    if (line) take(`${mode}${line.slice(mode.length)}`)
  }
  if (lines.some((line) => BINARY.test(line))) {
    // A binary file shows no lines, so the hashes of its contents tell its changes apart.
    const index = lines.map((line) => INDEX.exec(line)).find((match) => match !== null)
    take(`${index?.[1] ?? ''}${index?.[2] ?? ''}`)
    return hash.digest()
  }
  take(isNew ? '---/dev/null' : `---a/${before}`)
  take(isGone ? '+++/dev/null' : `+++b/${after}`)
  let [left, right] = [0, 0]
  for (const line of lines) {
    const hunk = HUNK.exec(line)
    if (hunk && left === 0 && right === 0) {
      left = Number(hunk[1] ?? 1)
      right = Number(hunk[2] ?? 1)
      continue
    }
    if (left === 0 && right === 0) continue
    if (line.startsWith('-')) left -= 1
    else if (line.startsWith('+')) right -= 1
    else if (line.startsWith('\\')) continue
    else {
      left -= 1
      right -= 1
    }
    take(line)
  }
  return hash.digest()
}
