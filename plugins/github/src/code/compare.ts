import { type Commit, type Page, unless } from '@tarmac/plugin-kit'
import { isNotFound, PAGE, type GitHub } from '../github.js'
import { commitOf, requireCommit } from './commits.js'

type Compared = Page<Commit> & { ahead: number; behind: number }

/**
 * A page of a comparison. Both sides are named by hashes, so that moving branches do not change it.
 */
interface Place {
  base: string | null
  head: string
  page: number
  ahead: number
  behind: number
}

const cursorOf = ({ base, head, page, ahead, behind }: Place) =>
  [base ?? '', head, page, ahead, behind].join(':')

function placeIn(cursor: string): Place {
  const [base, head, page, ahead, behind] = cursor.split(':')
  return {
    base: base === '' ? null : base,
    head,
    page: Number(page),
    ahead: Number(ahead),
    behind: Number(behind),
  }
}

/**
 * Lists the commits of `head` that `base` lacks, newest first. GitHub lists the oldest first, so
 * pages are read backwards from the last one.
 */
export async function compare(
  github: GitHub,
  base: string | null,
  head: string,
  cursor?: string
): Promise<Compared> {
  if (base === null) return history(github, head, cursor)
  if (cursor !== undefined) return pageOf(github, placeIn(cursor))
  const compared = await unless(ask(github, base, head, 1), isNotFound)
  if (!compared) {
    await requireCommit(github, base)
    await requireCommit(github, head)
  }
  const { data } = compared ?? (await ask(github, base, head, 1))
  const { ahead_by: ahead, behind_by: behind, base_commit: baseCommit } = data
  const last = Math.ceil(ahead / PAGE)
  if (last <= 1) return { items: newestFirst(data.commits), ahead, behind }
  const tip = await requireCommit(github, head)
  return pageOf(github, { base: baseCommit.sha, head: tip.sha, page: last, ahead, behind })
}

const ask = (github: GitHub, base: string, head: string, page: number) =>
  github.request('GET /repos/{owner}/{repo}/compare/{basehead}', {
    basehead: `${base}...${head}`,
    per_page: PAGE,
    page,
  })

async function pageOf(github: GitHub, place: Place): Promise<Compared> {
  const { base, head, page, ahead, behind } = place
  const items =
    base === null
      ? await historyPage(github, head, page)
      : newestFirst((await ask(github, base, head, page)).data.commits)
  const following = base === null ? page + 1 : page - 1
  const isOver = base === null ? page * PAGE >= ahead : following === 0
  return {
    items,
    ahead,
    behind,
    ...(isOver ? {} : { next: cursorOf({ ...place, page: following }) }),
  }
}

type Listed = Parameters<typeof commitOf>[0]

const newestFirst = (commits: readonly unknown[]) =>
  commits.map((each) => commitOf(each as Listed)).reverse()

/** Lists all commits of a branch, a tag or a hash. */
async function history(github: GitHub, head: string, cursor?: string): Promise<Compared> {
  if (cursor !== undefined) return pageOf(github, placeIn(cursor))
  const { sha } = await requireCommit(github, head)
  const ahead = await countOf(github, sha)
  return pageOf(github, { base: null, head: sha, page: 1, ahead, behind: 0 })
}

/** Counts commits: with one per page, the number of the last page is their count. */
async function countOf(github: GitHub, sha: string): Promise<number> {
  const { headers, data } = await github.request('GET /repos/{owner}/{repo}/commits', {
    sha,
    per_page: 1,
  })
  const last = /[?&]page=(\d+)[^>]*>; rel="last"/.exec(headers.link ?? '')?.[1]
  return last ? Number(last) : data.length
}

async function historyPage(github: GitHub, sha: string, page: number): Promise<Commit[]> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/commits', {
    sha,
    per_page: PAGE,
    page,
  })
  return data.map((each) => commitOf(each as Listed))
}
