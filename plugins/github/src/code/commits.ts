import { type Commit, type Mutation, unless } from '@tarmac/plugin-kit'
import { refused } from '../errors.js'
import { isHash, isNotFound, PAGE, requestLine, type GitHub } from '../github.js'

interface Listed {
  sha: string
  html_url?: string
  commit: {
    message: string
    author: { name?: string; email?: string; date?: string } | null
    committer: { date?: string } | null
  }
  parents: { sha: string }[]
}

/** Translates GitHub's commit into the kit's. */
export function commitOf({ sha, html_url: url, commit, parents }: Listed): Commit {
  const { author, committer, message } = commit
  return {
    sha,
    message,
    author: author?.name ?? '',
    ...(author?.email ? { email: author.email } : {}),
    at: committer?.date ?? author?.date ?? '',
    ...(url ? { url } : {}),
    parents: parents.map((each) => each.sha),
  }
}

const isNoCommit = /^(No commit found|Reference does not exist|Not Found|Branch not found)/

/** Finds a commit by branch, tag or hash; null if there is none. */
export async function findCommit(github: GitHub, ref: string): Promise<Commit | null> {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/commits/{ref}', { ref, per_page: 1 }),
    (error) =>
      (isNotFound(error) || error.detail.status === 422) &&
      isNoCommit.test(error.detail.reason ?? '')
  )
  return found ? commitOf(found.data as Listed) : null
}

/** Returns the tip of a branch. @throws ProviderError `notFound` with the reason `branch` */
export async function requireTip(github: GitHub, branch: string): Promise<string> {
  const tip = await tipOf(github, branch)
  if (tip !== null) return tip
  throw refused('notFound', `There is no branch "${branch}"`, 'branch')
}

/**
 * Returns GitHub's response about a branch; null if there is none. Throws for an inaccessible
 * repository.
 */
export async function findBranch(github: GitHub, branch: string) {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/branches/{branch}', { branch }),
    (error) => isNotFound(error) && error.detail.reason === 'Branch not found'
  )
  return found?.data ?? null
}

export async function tipOf(github: GitHub, branch: string): Promise<string | null> {
  return (await findBranch(github, branch))?.commit.sha ?? null
}

/** Returns a commit with its tree. @throws ProviderError `notFound` with the reason `commit` */
export async function gitCommit(github: GitHub, sha: string) {
  const found = await unless(
    github.request('GET /repos/{owner}/{repo}/git/commits/{commit_sha}', { commit_sha: sha }),
    isNotFound
  )
  if (found) return found.data
  throw refused('notFound', `There is no commit ${sha}`, 'commit')
}

/** @throws ProviderError `notFound` with the reason `branch` or `commit` */
export async function requireCommit(github: GitHub, ref: string): Promise<Commit> {
  const found = await findCommit(github, ref)
  if (found) return found
  const what = isHash(ref) ? 'commit' : 'branch'
  throw refused('notFound', `There is no ${what} "${ref}"`, what)
}

/**
 * Finds the commit that an earlier attempt of a request made, among the last ones of a branch.
 * GitHub has no idempotency keys, so the commit message identifies its request.
 */
export async function madeBefore(
  github: GitHub,
  tip: string,
  mutation: Mutation
): Promise<Commit | null> {
  const { data } = await github.request('GET /repos/{owner}/{repo}/commits', {
    sha: tip,
    per_page: PAGE,
  })
  const line = requestLine(mutation)
  const found = (data as Listed[]).find(({ commit }) => commit.message.includes(line))
  return found ? commitOf(found) : null
}

/** Appends trailers to a commit message. */
export function withTrailers(message: string, lines: readonly string[]): string {
  const text = message.trimEnd()
  const last = text.split('\n\n').slice(1).at(-1) ?? ''
  const isTrailers = last !== '' && last.split('\n').every((each) => TRAILER.test(each))
  return `${text}${isTrailers ? '\n' : '\n\n'}${lines.join('\n')}\n`
}

const TRAILER = /^([A-Za-z0-9-]+: |\(cherry picked from commit )/

/**
 * Fast-forwards a branch to a commit.
 * @returns false if that is not possible, because the branch has moved in the meantime
 */
export async function moveBranch(github: GitHub, branch: string, sha: string): Promise<boolean> {
  const moved = await unless(
    github.request('PATCH /repos/{owner}/{repo}/git/refs/{ref}', {
      ref: `heads/${branch}`,
      sha,
      force: false,
    }),
    ({ detail }) => detail.status === 422 && /fast forward/i.test(detail.reason ?? '')
  )
  return moved !== null
}

/** Maximum attempts of a change whose branch moves. */
const MAX_MOVES = 3

/**
 * Retries a change that returns null because its branch has moved.
 * @throws ProviderError `conflict`
 */
export async function retryWhileMoving<Made>(
  branch: string,
  change: () => Promise<Made | null>
): Promise<Made> {
  for (let attempt = 0; attempt < MAX_MOVES; attempt++) {
    const made = await change()
    if (made !== null) return made
  }
  throw refused('conflict', `The branch "${branch}" keeps moving`, 'moved')
}
