import { createHash } from 'node:crypto'
import type { Commit } from '#plugin-kit/capabilities/source'
import type { PluginContext } from '#plugin-kit/context'
import type { Mirror } from '../mirror/mirror.js'
import type { Person } from '../mirror/objects.js'
import { isHash, quoted } from '../names.js'
import { refused } from '../program/failures.js'

const FORMAT = '%m%x00%H%x00%P%x00%an%x00%ae%x00%ct%x00%B'
const FIELDS = 7
/** Maximum characters of a reported message. */
const MAX_MESSAGE_LENGTH = 65_536

/** Number of commits that are searched for the result of an earlier attempt. */
const MAX_SEARCHED = 5000
const REQUEST = 'Tarmac-Request'

/**
 * Returns the commit that a branch, a tag or a full hash names.
 * @throws ProviderError `notFound`
 */
export async function commitOf(mirror: Mirror, name: string): Promise<string> {
  const [sha] = await commitsOf(mirror, name)
  return sha
}

/**
 * Returns the commits of several names with one run of git, because starting git costs more.
 * @throws ProviderError `notFound` for the first missing one
 */
export async function commitsOf(mirror: Mirror, ...names: string[]): Promise<string[]> {
  const candidates = names.map((name) =>
    isHash(name) ? [name] : [`refs/heads/${name}`, `refs/tags/${name}`]
  )
  const found = await mirror.commits(candidates.flat())
  let offset = 0
  return names.map((name, index) => {
    const sha = found
      .slice(offset, (offset += candidates[index].length))
      .find((each) => each !== null)
    if (sha) return sha
    throw isHash(name)
      ? refused('notFound', `There is no commit ${name}`, 'commit')
      : refused('notFound', `There is no branch or tag ${quoted(name)}`, 'branch')
  })
}

/** Returns the commit that a full ref name points to; null if there is none. */
export async function tipOf(mirror: Mirror, ref: string): Promise<string | null> {
  const [sha] = await mirror.commits([ref])
  return sha
}

/** Returns the commits of `head` that are not in `base`, newest first. */
export async function commitsBetween(
  mirror: Mirror,
  { base, head, skip, limit }: { base: string | null; head: string; skip: number; limit: number }
): Promise<Commit[]> {
  const without = base === null ? [] : [`^${base}`]
  const page = [`--skip=${skip}`, `--max-count=${limit}`]
  return log(mirror, ['--topo-order', ...page, '--end-of-options', head, ...without])
}

/**
 * Returns the commits that only one side has, newest first; null if there are too many. Counting
 * them first would take a second run of git.
 */
export async function commitsOfEitherSide(
  mirror: Mirror,
  { base, head, limit }: { base: string | null; head: string; limit: number }
): Promise<{ ahead: Commit[]; behind: Commit[] } | null> {
  const page = ['--topo-order', `--max-count=${limit + 1}`, '--left-right']
  const range = base === null ? head : `${base}...${head}`
  const all = await listed(mirror, [...page, '--end-of-options', range])
  if (all.length > limit) return null
  const { '<': behind = [], '>': ahead = [] } = Object.groupBy(all, ({ side }) => side)
  return { ahead: ahead.map(({ commit }) => commit), behind: behind.map(({ commit }) => commit) }
}

/** Returns one commit in the format of the plugin kit. */
export async function describeCommit(mirror: Mirror, sha: string): Promise<Commit> {
  const [commit] = await log(mirror, ['--max-count=1', '--end-of-options', sha])
  return commit
}

const log = async (mirror: Mirror, args: readonly string[]) =>
  (await listed(mirror, args)).map(({ commit }) => commit)

/** A commit, and its side of a symmetric difference. */
interface Listed {
  side: string
  commit: Commit
}

async function listed(mirror: Mirror, args: readonly string[]): Promise<Listed[]> {
  const commits: Listed[] = []
  let fields: string[] = []
  for await (const field of mirror.fields(['log', '-z', `--format=${FORMAT}`, ...args])) {
    fields.push(field.toString('utf8'))
    if (fields.length < FIELDS) continue
    commits.push(commitFrom(fields))
    fields = []
  }
  return commits
}

function commitFrom([side, sha, parents, author, email, seconds, message]: string[]): Listed {
  const commit = {
    sha,
    parents: parents.split(' ').filter(Boolean),
    author,
    ...(email ? { email } : {}),
    at: instantOf(seconds),
    message: message.trimEnd().slice(0, MAX_MESSAGE_LENGTH),
  }
  return { side, commit }
}

/** Returns seconds since 1970 as an instant; an invalid date, or one after 9999, becomes 1970. */
export function instantOf(seconds: string): string {
  const date = new Date(Number(seconds) * 1000)
  return Number.isNaN(date.getTime()) || date.getUTCFullYear() > 9999
    ? '1970-01-01T00:00:00.000Z'
    : date.toISOString()
}

/** Returns the identity with which the service commits and tags. */
export function committerOf({ connection, now }: PluginContext): Person {
  const { committerName, committerEmail } = connection
  return {
    name: typeof committerName === 'string' ? committerName : 'Tarmac',
    email: typeof committerEmail === 'string' ? committerEmail : 'tarmac@localhost',
    at: now(),
  }
}

/** Returns the trailer by which a retry finds the commit of an earlier attempt. */
export function requestLine(idempotencyKey: string): string {
  return `${REQUEST}: ${digest(idempotencyKey)}`
}

/** Returns the commit that an earlier attempt of a request made on a branch; null if none did. */
export async function findEarlierCommit(
  mirror: Mirror,
  tip: string,
  idempotencyKey: string
): Promise<string | null> {
  const wanted = digest(idempotencyKey)
  const format = `--format=%H%x00%(trailers:key=${REQUEST},valueonly,separator=%x2C)`
  const maxCount = `--max-count=${MAX_SEARCHED}`
  let sha: string | null = null
  for await (const field of mirror.fields([
    'log',
    '-z',
    maxCount,
    format,
    '--end-of-options',
    tip,
  ])) {
    const text = field.toString('utf8')
    if (sha === null) sha = text
    else if (text.split(',').includes(wanted)) return sha
    else sha = null
  }
  return null
}

function digest(idempotencyKey: string): string {
  return createHash('sha256').update(idempotencyKey).digest('hex').slice(0, 32)
}
