import { chance } from './chance.js'
import {
  mergeInto,
  mergeOf,
  reached,
  tipOf,
  type CodeRefused,
  type CodeResult,
  type CommitStatus,
  type Committing,
  type RepositorySettings,
  type SimulatedPull,
  type SimulatedRepository,
} from './repository.js'

/*
 * Simulates pull requests, with the verdicts of checks and reviewers.
 */

const isOpen = ({ state }: SimulatedPull) => state === 'open' || state === 'draft'

/** Returns the current state of a pull request. The head of an open one is the tip of its branch. */
export function pullNow(repository: SimulatedRepository, pull: SimulatedPull): SimulatedPull {
  const tip = isOpen(pull) ? tipOf(repository, pull.head) : null
  return tip === null ? pull : { ...pull, sha: tip }
}

export function openPull(
  repository: SimulatedRepository,
  now: number,
  input: Pick<SimulatedPull, 'title' | 'body' | 'head' | 'base' | 'author' | 'key'>
): CodeResult<SimulatedPull> {
  const { head, base, key } = input
  const existing = repository.pulls.find(
    (each) =>
      (key !== null && each.key === key) ||
      (isOpen(each) && each.head === head && each.base === base)
  )
  if (existing) return { repository, made: pullNow(repository, existing) }
  const [tip, into] = [tipOf(repository, head), tipOf(repository, base)]
  if (tip === null || into === null) return { refused: 'branchUnknown' }
  if (reached(repository, into).has(tip)) return { refused: 'nothingToMerge' }
  const number = 1 + Math.max(0, ...repository.pulls.map((each) => each.number))
  const made = { ...input, number, sha: tip, state: 'open', openedAt: now }
  return { repository: { ...repository, pulls: [...repository.pulls, made] }, made }
}

/**
 * Returns the pull requests that contain a commit: it is in their branch, and not in their base
 * before the merge.
 */
export function pullsFor(repository: SimulatedRepository, sha: string): SimulatedPull[] {
  return repository.pulls
    .map((each) => pullNow(repository, each))
    .filter((pull) => {
      if (!reached(repository, pull.sha).has(sha)) return false
      const into = tipOf(repository, pull.base)
      if (into === null) return false
      const before = pull.state === 'merged' ? beforeMerge(repository, pull.sha) : into
      return before === null || !reached(repository, before).has(sha)
    })
}

/** Returns the head of a branch before a commit was merged into it. */
function beforeMerge({ commits }: SimulatedRepository, sha: string): string | null {
  return commits.find(({ parents }) => parents[1] === sha)?.parents[0] ?? null
}

/** The facts about a commit that checks and reviews depend on. */
export interface Judged {
  seed: string
  now: number
  sha: string
  /** Time of the commit. */
  since: number
  statuses: readonly CommitStatus[]
}

export type Checks = 'pending' | 'passing' | 'failing'
export type Review = 'pending' | 'approved' | 'changesRequested'

/** Returns the state of a commit's checks, including statuses that clients set. */
export function checksOf(
  { checksMs, failingChecks }: Pick<RepositorySettings, 'checksMs' | 'failingChecks'>,
  { seed, now, sha, since, statuses }: Judged
): Checks {
  const states = statuses.filter((each) => each.sha === sha).map(({ state }) => state)
  const isOver = now >= since + checksMs
  const fails = isOver && chance(seed, 'checks', sha) < failingChecks
  if (fails || states.includes('failure')) return 'failing'
  return isOver && !states.includes('pending') ? 'passing' : 'pending'
}

/** Returns the verdict of reviewers on a commit. */
export function reviewOf(
  { reviewMs, changesRequested }: Pick<RepositorySettings, 'reviewMs' | 'changesRequested'>,
  { seed, now, sha, since }: Judged
): Review {
  if (now < since + reviewMs) return 'pending'
  return chance(seed, 'review', sha) < changesRequested ? 'changesRequested' : 'approved'
}

/** Returns why a protected branch refuses to merge a commit; null if it does not. */
export function holdsBack(
  settings: RepositorySettings,
  base: string,
  judged: Judged
): CodeRefused | null {
  if (!settings.protected.includes(base)) return null
  if (checksOf(settings, judged) !== 'passing') return 'checksMissing'
  return reviewOf(settings, judged) === 'approved' ? null : 'reviewMissing'
}

/** Returns the facts about a commit of the repository. */
export function judgedAt(
  { commits, statuses = [] }: SimulatedRepository,
  { seed, now }: { seed: string; now: number },
  sha: string
): Judged {
  const since = commits.find((each) => each.sha === sha)?.at ?? Infinity
  return { seed, now, sha, since, statuses }
}

/** Adds the status of a commit, and replaces an earlier one with the same name. */
export function withStatus(
  statuses: readonly CommitStatus[],
  status: CommitStatus
): readonly CommitStatus[] {
  const isOther = ({ sha, name }: CommitStatus) => sha !== status.sha || name !== status.name
  return [...statuses.filter(isOther), status]
}

/** Returns whether a pull request is mergeable; null if it is not open. */
export function isMergeable(repository: SimulatedRepository, pull: SimulatedPull): boolean | null {
  const into = tipOf(repository, pull.base)
  if (!isOpen(pull) || into === null) return null
  return mergeOf(repository, into, pull.sha).conflicts.length === 0
}

/** Merges a pull request, unless its head has changed. */
export function mergePull(
  repository: SimulatedRepository,
  committing: Omit<Committing, 'branch' | 'message'>,
  { number, sha, isSquashed }: { number: number; sha: string; isSquashed: boolean }
): CodeResult<SimulatedPull> {
  const stored = repository.pulls.find((each) => each.number === number)
  if (!stored) return { refused: 'pullUnknown' }
  const pull = pullNow(repository, stored)
  if (pull.sha !== sha) return { refused: 'pullChanged' }
  if (pull.state === 'merged') return { repository, made: pull }
  if (!isOpen(pull)) return { refused: 'pullClosed' }
  const refusal = holdsBack(repository.settings, pull.base, judgedAt(repository, committing, sha))
  if (refusal) return { refused: refusal }
  const message = `${pull.title} (#${number})`
  const merging = { ...committing, branch: pull.base, message }
  const merged = mergeInto(repository, merging, sha, { isSquashed })
  if ('refused' in merged) return merged
  const made = { ...pull, state: 'merged', mergedAt: committing.now }
  const pulls = merged.repository.pulls.map((each) => (each.number === number ? made : each))
  return { repository: { ...merged.repository, pulls }, made }
}
