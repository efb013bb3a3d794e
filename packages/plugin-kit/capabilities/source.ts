import type { Mutation, Observed, Page, Ref } from '../context.js'

/** A commit. `message` is the whole message, `at` the commit time. */
export interface Commit {
  sha: string
  message: string
  author: string
  email?: string
  at: string
  url?: string
  parents: string[]
}

/** A pull request, with the result of its checks. */
export interface PullRequest extends Ref {
  number: number
  title: string
  head: string
  base: string
  sha: string
  status: Observed<'draft' | 'open' | 'merged' | 'closed'>
  checks: Observed<'none' | 'pending' | 'passing' | 'failing'>
  mergeable: boolean | null
  /** Present if the provider reports it. */
  author?: string
  mergedAt?: string
}

export interface Tag {
  name: string
  /** The commit it points to. */
  sha: string
  /** Creation time of the tag; the commit's time if unknown. */
  at: string
  url?: string
}

/** The resolved content of a file in conflict. */
export interface ResolvedFile {
  path: string
  text: string
  /** `sha` of the file in the target branch, as `readFile` returned it. */
  ours: string
  /** `sha` of the file in the source that is merged. */
  theirs: string
}

/** Branches, tags, commits and files. Pull requests are optional: a plain git server has none. */
export interface VersionControl {
  /**
   * Returns a branch with the commit at its tip; null if it does not exist. `protected` is null if
   * the provider does not report it.
   */
  getBranch(name: string): Promise<{ name: string; sha: string; protected: boolean | null } | null>
  /** Creates a branch. Succeeds if it already exists at the same commit. */
  createBranch(name: string, fromSha: string, m: Mutation): Promise<{ name: string; sha: string }>
  /**
   * Returns the commits of `head` that are not in `base`, newest first. Both are branches, tags or
   * full hashes. If `base` is null: all commits of `head`, and `behind` is 0.
   * @throws ProviderError `notFound` with the reason `branch` or `commit` for the missing one
   */
  compare(
    base: string | null,
    head: string,
    cursor?: string
  ): Promise<Page<Commit> & { ahead: number; behind: number }>
  /**
   * Returns the tags whose name has the prefix, newest first; tags with the same time are in byte
   * order of their names.
   */
  listTags(prefix: string, cursor?: string): Promise<Page<Tag>>
  /** Creates a tag. Succeeds if it already exists at the same commit. */
  createTag(name: string, sha: string, message: string, m: Mutation): Promise<Ref>
  /** Publishes a release of a tag, with notes in Markdown. */
  createRelease?(tag: string, title: string, notes: string, m: Mutation): Promise<Ref>
  /** Returns a file at a ref; null if it does not exist. `sha` identifies the file's content. */
  readFile(path: string, ref: string): Promise<{ text: string; sha: string } | null>
  /**
   * Commits files to the tip of a branch.
   * @throws ProviderError `conflict` with the reason `changed` if a file no longer has the `sha`
   * that it `replaces`, as `readFile` returned it
   */
  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    m: Mutation
  ): Promise<Commit>
  /**
   * Merges a branch into another with a merge commit. `from` may also be the full hash of a commit,
   * which is merged with its ancestors. If `into` already contains it, returns the tip of `into`.
   * @param resolved contents for files in conflict, which apply only while both sides still have
   * the named versions
   * @throws ProviderError `conflict` with the files in `fields`, and nothing is left behind;
   * `preconditionFailed` if a branch rule requires a pull request
   */
  mergeBranch?(
    from: string,
    into: string,
    message: string,
    m: Mutation,
    resolved?: readonly ResolvedFile[]
  ): Promise<{ sha: string; isMerged: boolean }>
  /** Opens a pull request, or returns the one that is already open for the two branches. */
  openPullRequest?(
    head: string,
    base: string,
    title: string,
    body: string,
    m: Mutation
  ): Promise<PullRequest>
  /** Returns the open pull requests, including drafts. */
  listOpenPullRequests?(cursor?: string): Promise<Page<PullRequest>>
  /** Sets a commit status, and replaces an earlier one with the same name. */
  setStatus?(
    sha: string,
    status: { name: string; state: 'pending' | 'success' | 'failure'; description: string },
    m: Mutation
  ): Promise<void>
  /**
   * Returns patch ids by full commit hash, as `git patch-id` computes them: equal changes have
   * equal ids. Merge commits, empty commits and unknown ones are left out.
   */
  patchIds?(shas: readonly string[]): Promise<Record<string, string>>
  /** Returns a pull request by its number; null if there is none. */
  getPullRequest?(number: number): Promise<PullRequest | null>
  /** Returns the pull requests that contain a commit, merged or not. */
  pullRequestsForCommit?(sha: string): Promise<PullRequest[]>
  /**
   * Merges a pull request whose tip is `expectedSha`. `conflict` if its tip differs or it cannot be
   * merged.
   */
  mergePullRequest?(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    expectedSha: string,
    m: Mutation
  ): Promise<PullRequest>
  /**
   * Copies a commit onto a new `patchBranch` that begins at `onto`; `patchBranch` may be `onto`
   * itself.
   * @throws ProviderError `conflict` with the files in `fields`; nothing is left behind
   */
  cherryPick(
    sha: string,
    onto: string,
    patchBranch: string,
    m: Mutation
  ): Promise<{ sha: string; branch: string }>
}

/** A run of a workflow. */
export interface CiRun extends Ref {
  workflowId: string
  branch: string
  /** Target branch of the pull request that was built; absent for a run of a branch. */
  baseBranch?: string
  sha: string
  status: Observed<'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'>
  number?: string
  startedAt?: string
  finishedAt?: string
}

/** A file that a run produced. */
export interface CiArtifact {
  id: string
  name: string
  bytes: number
  contentType?: string
  expiresAt?: string
}

/** Returns whether a run already belongs to another request. */
export type IsTaken = (run: CiRun) => boolean

/** A request for a run. */
export interface RunRequest extends Mutation {
  /** For providers without idempotency keys, which search for the run after a lost response. */
  isTaken?: IsTaken
}

/** Workflows, their runs, and the files that runs produce. */
export interface ContinuousIntegration {
  /** Workflows whose name contains a text; all of them for an empty text. */
  listWorkflows(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /**
   * Starts a run. Returns it, or a token to find it later if the provider does not return it at
   * once. Each request starts its own run: an earlier run counts only with `inDoubtSince`.
   */
  trigger(
    workflowId: string,
    at: { branch: string; sha?: string },
    inputs: Record<string, string>,
    m: RunRequest
  ): Promise<CiRun | { pendingToken: string }>
  /**
   * Returns the run that a token of `trigger` leads to; null while it does not exist yet. A
   * provider that has to search for the run skips those that are taken.
   */
  resolvePending?(token: string, isTaken?: IsTaken): Promise<CiRun | null>
  /** Returns a run by its id; null if there is none. */
  getRun(id: string): Promise<CiRun | null>
  /** Runs, newest first: of a workflow, of a branch, since a time. */
  listRuns(
    filter: { workflowId?: string; branch?: string; since?: string },
    cursor?: string
  ): Promise<Page<CiRun>>
  /** Cancels a run. Has no effect on a finished one. */
  cancel?(id: string, m: Mutation): Promise<void>
  /** Returns the files of a run. */
  listArtifacts(runId: string): Promise<CiArtifact[]>
  /** Returns the content of a file, as a stream. */
  openArtifact(runId: string, artifactId: string): Promise<ReadableStream<Uint8Array>>
}
