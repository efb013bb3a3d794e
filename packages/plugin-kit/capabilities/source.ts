import type { Mutation, Observed, Page, Ref } from '../context.js'

/** A commit. `message` is all of it, `at` when it was committed. */
export interface Commit {
  sha: string
  message: string
  author: string
  email?: string
  at: string
  url?: string
  parents: string[]
}

/** A request to merge a branch, and what its checks say. */
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
  /** Creation time; that of its commit if unknown. */
  at: string
  url?: string
}

/** The resolved content of a file in conflict. */
export interface ResolvedFile {
  path: string
  text: string
  /** `sha` of the file in the branch that is merged into, as `readFile` answered it. */
  ours: string
  /** The same in what is merged. */
  theirs: string
}

/** Branches, tags, commits and files. Pull requests are not everybody's: a server of git has none. */
export interface VersionControl {
  /** `protected` is null if the provider does not report it. */
  /** A branch with the commit at its tip; null if there is none. */
  getBranch(name: string): Promise<{ name: string; sha: string; protected: boolean | null } | null>
  /** One that is there with the same commit is no conflict. */
  createBranch(name: string, fromSha: string, m: Mutation): Promise<{ name: string; sha: string }>
  /**
   * The commits of `head` that `base` has not, newest first; branches, tags or full hashes. With
   * null as `base` all commits of `head`, none of which is behind.
   * @throws ProviderError `notFound` with the reason `branch` or `commit` for what is not there
   */
  compare(
    base: string | null,
    head: string,
    cursor?: string
  ): Promise<Page<Commit> & { ahead: number; behind: number }>
  /** Newest first, equal ones by name in the order of its bytes. */
  listTags(prefix: string, cursor?: string): Promise<Page<Tag>>
  /** One that is there for the same commit is no conflict. */
  createTag(name: string, sha: string, message: string, m: Mutation): Promise<Ref>
  /** Publishes a release of a tag, with notes in Markdown. */
  createRelease?(tag: string, title: string, notes: string, m: Mutation): Promise<Ref>
  /**
   * A file as it is at a ref; null where there is none. `sha` is that of the file: it is the same
   * for as long as the file is.
   */
  readFile(path: string, ref: string): Promise<{ text: string; sha: string } | null>
  /**
   * Commits files to the tip of a branch.
   * @throws ProviderError `conflict` with the reason `changed` where a file is not any more what
   * it `replaces`, which is the `sha` that `readFile` answered
   */
  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    m: Mutation
  ): Promise<Commit>
  /**
   * Merges a branch into another by a commit of its own; `from` may be the full hash of a commit
   * too, which is merged with all before it. Where the other has all of it, its tip is the answer.
   * @param resolved files in conflict that hold these texts, as long as both sides have them as named
   * @throws ProviderError `conflict` with the files in `fields`; nothing is left behind;
   * `preconditionFailed` where a rule of the branch wants a pull request
   */
  mergeBranch?(
    from: string,
    into: string,
    message: string,
    m: Mutation,
    resolved?: readonly ResolvedFile[]
  ): Promise<{ sha: string; isMerged: boolean }>
  /** Asks to merge a branch into another; one that is open for the two is that one. */
  openPullRequest?(
    head: string,
    base: string,
    title: string,
    body: string,
    m: Mutation
  ): Promise<PullRequest>
  /** Those that wait to be merged, drafts among them. */
  listOpenPullRequests?(cursor?: string): Promise<Page<PullRequest>>
  /** A mark that a commit carries, by its name; another under the same name takes its place. */
  setStatus?(
    sha: string,
    status: { name: string; state: 'pending' | 'success' | 'failure'; description: string },
    m: Mutation
  ): Promise<void>
  /**
   * Returns patch ids by full commit hash: the same text for the same change elsewhere, as `git
   * patch-id` computes it. Merges, commits without a change and unknown ones are left out.
   */
  patchIds?(shas: readonly string[]): Promise<Record<string, string>>
  /** A pull request by its number; null if there is none. */
  getPullRequest?(number: number): Promise<PullRequest | null>
  /** Pull requests that brought a commit, or are to bring it. */
  pullRequestsForCommit?(sha: string): Promise<PullRequest[]>
  /**
   * Merges a pull request whose tip is `expectedSha`. `conflict` where it is another, or does not
   * merge.
   */
  mergePullRequest?(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    expectedSha: string,
    m: Mutation
  ): Promise<PullRequest>
  /**
   * Commits once more, on a new `patchBranch` that begins at `onto`; `patchBranch` may be `onto`.
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

/** A file that a run has made. */
export interface CiArtifact {
  id: string
  name: string
  bytes: number
  contentType?: string
  expiresAt?: string
}

/** Workflows, their runs, and the files that those make. */
export interface ContinuousIntegration {
  /** Workflows whose name holds a text, all of them for an empty one. */
  listWorkflows(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** The run, or a token to find it by if the provider does not name it at once. */
  trigger(
    workflowId: string,
    at: { branch: string; sha?: string },
    inputs: Record<string, string>,
    m: Mutation
  ): Promise<CiRun | { pendingToken: string }>
  /** The run that a token of `trigger` stands for; null while there is none yet. */
  resolvePending?(token: string): Promise<CiRun | null>
  /** A run by its id; null if there is none. */
  getRun(id: string): Promise<CiRun | null>
  /** Runs, newest first: of a workflow, of a branch, since a time. */
  listRuns(
    filter: { workflowId?: string; branch?: string; since?: string },
    cursor?: string
  ): Promise<Page<CiRun>>
  /** Ends a run; one that is over stays as it is. */
  cancel?(id: string, m: Mutation): Promise<void>
  /** The files of a run. */
  listArtifacts(runId: string): Promise<CiArtifact[]>
  /** The bytes of a file, as a stream. */
  openArtifact(runId: string, artifactId: string): Promise<ReadableStream<Uint8Array>>
}
