import { DAY } from './durations.js'
import { digits } from './chance.js'

/*
 * Simulates the repository of a git host: commits with their changed files, branches, tags and pull
 * requests. A merge works on whole files: a file that both sides changed is a conflict.
 * Instants are milliseconds since the epoch.
 */

export interface SimulatedCommit {
  sha: string
  message: string
  author: string
  at: number
  parents: readonly string[]
  /** Differences from the first parent; null for a removed file. */
  files: Readonly<Record<string, string | null>>
  /** Idempotency key of its creator; null for others. */
  key: string | null
}

export interface SimulatedPull {
  number: number
  title: string
  body: string
  head: string
  base: string
  /** The tip of `head` when it was last read. */
  sha: string
  /** `draft`, `open`, `merged`, `closed`, or any state of a scenario. */
  state: string
  openedAt: number
  /** Absent if it is unknown. */
  author?: string
  /** Absent while it is not merged. */
  mergedAt?: number
  key: string | null
}

export interface RepositorySettings {
  /** The time from a commit to the end of its checks, and the share of checks that fail. */
  checksMs: number
  failingChecks: number
  /** The time from a commit to the end of its review, and the share that requests changes. */
  reviewMs: number
  changesRequested: number
  /** Branches that accept only approved pull requests with passing checks. */
  protected: readonly string[]
}

/** A status of a commit, identified by its name. */
export interface CommitStatus {
  sha: string
  name: string
  state: 'pending' | 'success' | 'failure'
  description: string
}

export interface SimulatedRepository {
  settings: RepositorySettings
  /** Oldest first: parents come before their children. */
  commits: readonly SimulatedCommit[]
  branches: readonly { name: string; sha: string; protected: boolean }[]
  tags: readonly { name: string; sha: string; at: number }[]
  pulls: readonly SimulatedPull[]
  releases: readonly { tag: string; title: string; notes: string }[]
  /** Absent while there are none. */
  statuses?: readonly CommitStatus[]
}

const FIRST = Date.parse('2026-01-05T09:00:00.000Z')

const HISTORY: readonly (readonly [message: string, files: Record<string, string>])[] = [
  ['Begin', { 'README.md': '# Example\n', 'version.txt': '1.0.0\n' }],
  ['Show the basket', { 'basket.txt': 'basket\n' }],
  ['Pay by card', { 'checkout.txt': 'card\n' }],
  ['Fix the rounding of prices', { 'prices.txt': 'rounded\n' }],
  ['Keep the session over a restart', { 'session.txt': 'kept\n' }],
]

/** The initial repository: a branch `main`, and a tag. */
export const USUAL_REPOSITORY: SimulatedRepository = {
  settings: {
    checksMs: 12 * 60_000,
    failingChecks: 0.05,
    reviewMs: 4 * 3_600_000,
    changesRequested: 0.1,
    protected: [],
  },
  commits: HISTORY.map(([message, files], index) => ({
    sha: shaOf(index),
    message,
    author: 'Ada Lovelace',
    at: FIRST + index * DAY,
    parents: index === 0 ? [] : [shaOf(index - 1)],
    files,
    key: null,
  })),
  branches: [{ name: 'main', sha: shaOf(HISTORY.length - 1), protected: false }],
  tags: [{ name: '1.0.0', sha: shaOf(2), at: FIRST + 2 * DAY }],
  pulls: [],
  releases: [],
}

function shaOf(index: number): string {
  return digits('repository', 40, 'commit', index)
}

export const CODE_REFUSALS = [
  'commitUnknown',
  'branchUnknown',
  'refTaken',
  'fileChanged',
  'mergeConflict',
  'pullUnknown',
  'pullChanged',
  'pullClosed',
  'checksMissing',
  'reviewMissing',
  'nothingToMerge',
  'nothingToPick',
] as const
export type CodeRefused = (typeof CODE_REFUSALS)[number]

export type CodeResult<Made> =
  | { repository: SimulatedRepository; made: Made }
  | { refused: CodeRefused; files?: readonly string[] }

export const isCodeRefused = <Made>(
  result: CodeResult<Made>
): result is { refused: CodeRefused; files?: readonly string[] } => 'refused' in result

export const tipOf = ({ branches }: SimulatedRepository, name: string): string | null =>
  branches.find((each) => each.name === name)?.sha ?? null

/** Returns the commit that a branch, a tag or a hash names; null if there is none. */
export function named(repository: SimulatedRepository, name: string): string | null {
  const { tags, commits } = repository
  return (
    tipOf(repository, name) ??
    tags.find((each) => each.name === name)?.sha ??
    commits.find(({ sha }) => sha === name)?.sha ??
    null
  )
}

/** Returns a commit and all of its ancestors. */
export function reached({ commits }: SimulatedRepository, from: string): Set<string> {
  const seen = new Set([from])
  for (const { sha, parents } of commits.toReversed()) {
    if (seen.has(sha)) for (const parent of parents) seen.add(parent)
  }
  return seen
}

/** Returns the files of a commit, by path. */
export function filesAt({ commits }: SimulatedRepository, sha: string): Map<string, string> {
  const bySha = new Map(commits.map((each) => [each.sha, each]))
  const line: SimulatedCommit[] = []
  for (let at = bySha.get(sha); at; at = bySha.get(at.parents[0] ?? '')) line.push(at)
  const files = new Map<string, string>()
  for (const { files: changed } of line.reverse()) {
    for (const [path, text] of Object.entries(changed)) {
      if (text === null) files.delete(path)
      else files.set(path, text)
    }
  }
  return files
}

export const textHash = (text: string) => digits('blob', 40, text)

type Changes = Record<string, string | null>

/** Returns the changes between two sets of files. */
function changesBetween(before: Map<string, string>, after: Map<string, string>): Changes {
  const paths = [...new Set([...before.keys(), ...after.keys()])]
  const changed = paths.filter((path) => before.get(path) !== after.get(path))
  return Object.fromEntries(changed.map((path) => [path, after.get(path) ?? null]))
}

/**
 * Returns the changes of `theirs` that `ours` does not have. Paths that both sides changed
 * differently are conflicts.
 */
function changesToMerge(
  base: Map<string, string>,
  ours: Map<string, string>,
  theirs: Map<string, string>
): { changes: Changes; conflicts: string[] } {
  const wanted = Object.entries(changesBetween(base, theirs)).filter(
    ([path, text]) => (ours.get(path) ?? null) !== text
  )
  const conflicts = wanted.filter(([path]) => ours.get(path) !== base.get(path))
  return { changes: Object.fromEntries(wanted), conflicts: conflicts.map(([path]) => path).sort() }
}

/** The parameters of a new commit. */
export interface Committing {
  seed: string
  now: number
  branch: string
  message: string
  /** The service itself by default. */
  author?: string
  key: string | null
}

function commitOn(
  repository: SimulatedRepository,
  { seed, now, branch, message, author = 'Tarmac', key }: Committing,
  { parents, files }: Pick<SimulatedCommit, 'parents' | 'files'>
): { repository: SimulatedRepository; made: SimulatedCommit } {
  const sha = digits(seed, 40, 'new commit', repository.commits.length, message, ...parents)
  const made = { sha, message, author, at: now, parents, files, key }
  const commits = [...repository.commits, made]
  const others = repository.branches.filter(({ name }) => name !== branch)
  const known = repository.branches.find(({ name }) => name === branch)
  const branches = [...others, { name: branch, protected: known?.protected ?? false, sha }]
  return { repository: { ...repository, commits, branches }, made }
}

const withKey = ({ commits }: SimulatedRepository, key: string | null) =>
  key === null ? undefined : commits.find((each) => each.key === key)

/** Creates a branch; idempotent for the same commit. */
export function createBranch(
  repository: SimulatedRepository,
  name: string,
  sha: string
): CodeResult<string> {
  if (!repository.commits.some((each) => each.sha === sha)) return { refused: 'commitUnknown' }
  const tip = tipOf(repository, name)
  if (tip !== null) return tip === sha ? { repository, made: sha } : { refused: 'refTaken' }
  const branches = [...repository.branches, { name, sha, protected: false }]
  return { repository: { ...repository, branches }, made: sha }
}

export function createTag(
  repository: SimulatedRepository,
  now: number,
  { name, sha }: { name: string; sha: string }
): CodeResult<string> {
  if (!repository.commits.some((each) => each.sha === sha)) return { refused: 'commitUnknown' }
  const known = repository.tags.find((each) => each.name === name)
  if (known) return known.sha === sha ? { repository, made: sha } : { refused: 'refTaken' }
  const tags = [...repository.tags, { name, sha, at: now }]
  return { repository: { ...repository, tags }, made: sha }
}

/** Commits files to the tip of a branch; idempotent by its key. */
export function commitFiles(
  repository: SimulatedRepository,
  committing: Committing,
  files: readonly { path: string; text: string; replaces?: string }[]
): CodeResult<SimulatedCommit> {
  const known = withKey(repository, committing.key)
  if (known) return { repository, made: known }
  const tip = tipOf(repository, committing.branch)
  if (tip === null) return { refused: 'branchUnknown' }
  const before = filesAt(repository, tip)
  const isChanged = files.some(
    ({ path, replaces }) => replaces !== undefined && textHash(before.get(path) ?? '') !== replaces
  )
  if (isChanged) return { refused: 'fileChanged' }
  const changed = Object.fromEntries(files.map(({ path, text }) => [path, text]))
  return commitOn(repository, committing, { parents: [tip], files: changed })
}

/**
 * Cherry-picks a commit onto a branch, or onto a new branch that starts there; idempotent by its
 * key.
 */
export function cherryPick(
  repository: SimulatedRepository,
  committing: Omit<Committing, 'message'>,
  { sha, onto }: { sha: string; onto: string }
): CodeResult<SimulatedCommit> {
  const known = withKey(repository, committing.key)
  if (known) return { repository, made: known }
  const picked = repository.commits.find((each) => each.sha === sha)
  if (!picked) return { refused: 'commitUnknown' }
  const tip = tipOf(repository, onto)
  if (tip === null) return { refused: 'branchUnknown' }
  if (committing.branch !== onto && tipOf(repository, committing.branch) !== null)
    return { refused: 'refTaken' }
  const before = picked.parents[0]
  const base = before === undefined ? new Map<string, string>() : filesAt(repository, before)
  const [ours, theirs] = [filesAt(repository, tip), filesAt(repository, sha)]
  const { changes, conflicts } = changesToMerge(base, ours, theirs)
  if (conflicts.length > 0) return { refused: 'mergeConflict', files: conflicts }
  if (Object.keys(changes).length === 0) return { refused: 'nothingToPick' }
  const message = `${picked.message}\n\n(cherry picked from commit ${sha})`
  return commitOn(repository, { ...committing, message }, { parents: [tip], files: changes })
}

/** Returns the youngest common ancestor of two commits. */
function baseOf(repository: SimulatedRepository, one: string, other: string): string | null {
  const [left, right] = [reached(repository, one), reached(repository, other)]
  return repository.commits.findLast(({ sha }) => left.has(sha) && right.has(sha))?.sha ?? null
}

/** Returns the changes that a merge would make in the first commit, and the files in conflict. */
export function mergeOf(repository: SimulatedRepository, into: string, from: string) {
  const base = baseOf(repository, into, from)
  return changesToMerge(
    base === null ? new Map() : filesAt(repository, base),
    filesAt(repository, into),
    filesAt(repository, from)
  )
}

/**
 * The resolved content of a file in conflict. It applies only if the file has these hashes on both
 * sides.
 */
interface Resolved {
  path: string
  text: string
  ours: string
  theirs: string
}

/** Merges a commit into a branch, unless the branch already contains it. */
export function mergeInto(
  repository: SimulatedRepository,
  committing: Committing,
  from: string,
  {
    isSquashed = false,
    resolved = [],
  }: { isSquashed?: boolean; resolved?: readonly Resolved[] } = {}
): CodeResult<{ sha: string; isMerged: boolean }> {
  const known = withKey(repository, committing.key)
  if (known) return { repository, made: { sha: known.sha, isMerged: true } }
  const tip = tipOf(repository, committing.branch)
  if (tip === null) return { refused: 'branchUnknown' }
  if (reached(repository, tip).has(from)) return { repository, made: { sha: tip, isMerged: false } }
  const { changes, conflicts } = mergeOf(repository, tip, from)
  const [ours, theirs] = [filesAt(repository, tip), filesAt(repository, from)]
  const isCurrent = (each: Resolved) =>
    textHash(ours.get(each.path) ?? '') === each.ours &&
    textHash(theirs.get(each.path) ?? '') === each.theirs
  const texts = new Map(resolved.filter(isCurrent).map(({ path, text }) => [path, text]))
  if (conflicts.some((path) => !texts.has(path))) {
    return { refused: 'mergeConflict', files: conflicts }
  }
  const resolutions = Object.fromEntries(conflicts.map((path) => [path, texts.get(path)!]))
  const parents = isSquashed ? [tip] : [tip, from]
  const merged = commitOn(repository, committing, {
    parents,
    files: { ...changes, ...resolutions },
  })
  return { repository: merged.repository, made: { sha: merged.made.sha, isMerged: true } }
}
