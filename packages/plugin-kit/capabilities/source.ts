import type { Mutation, Observed, Page, Ref } from '../context.js'

export interface Commit {
  sha: string
  message: string
  author: string
  email?: string
  at: string
  url?: string
  parents: string[]
}

export interface PullRequest extends Ref {
  number: number
  title: string
  head: string
  base: string
  sha: string
  status: Observed<'draft' | 'open' | 'merged' | 'closed'>
  checks: Observed<'none' | 'pending' | 'passing' | 'failing'>
  mergeable: boolean | null
}

export interface VersionControl {
  getBranch(name: string): Promise<{ name: string; sha: string; protected: boolean } | null>
  createBranch(name: string, fromSha: string, m: Mutation): Promise<{ name: string; sha: string }>
  compare(
    base: string,
    head: string,
    cursor?: string
  ): Promise<Page<Commit> & { ahead: number; behind: number }>
  listTags(prefix: string, cursor?: string): Promise<Page<{ name: string; sha: string }>>
  createTag(name: string, sha: string, message: string, m: Mutation): Promise<Ref>
  createRelease?(tag: string, title: string, notes: string, m: Mutation): Promise<Ref>
  readFile(path: string, ref: string): Promise<{ text: string; sha: string } | null>
  commitFiles(
    branch: string,
    files: { path: string; text: string }[],
    message: string,
    m: Mutation
  ): Promise<Commit>
  openPullRequest(
    head: string,
    base: string,
    title: string,
    body: string,
    m: Mutation
  ): Promise<PullRequest>
  getPullRequest(number: number): Promise<PullRequest | null>
  pullRequestsForCommit(sha: string): Promise<PullRequest[]>
  mergePullRequest(
    number: number,
    how: 'merge' | 'squash' | 'rebase',
    expectedSha: string,
    m: Mutation
  ): Promise<PullRequest>
  cherryPick(
    sha: string,
    onto: string,
    patchBranch: string,
    m: Mutation
  ): Promise<{ sha: string; branch: string }>
}

export interface CiRun extends Ref {
  workflowId: string
  branch: string
  sha: string
  status: Observed<'queued' | 'running' | 'succeeded' | 'failed' | 'canceled'>
  number?: string
  startedAt?: string
  finishedAt?: string
}

export interface CiArtifact {
  id: string
  name: string
  bytes: number
  contentType?: string
  expiresAt?: string
}

export interface ContinuousIntegration {
  listWorkflows(query: string, cursor?: string): Promise<Page<{ id: string; name: string }>>
  /** The run, or a token to find it by where the provider does not tell at once. */
  trigger(
    workflowId: string,
    at: { branch: string; sha?: string },
    inputs: Record<string, string>,
    m: Mutation
  ): Promise<CiRun | { pendingToken: string }>
  resolvePending?(token: string): Promise<CiRun | null>
  getRun(id: string): Promise<CiRun | null>
  listRuns(
    filter: { workflowId?: string; branch?: string; since?: string },
    cursor?: string
  ): Promise<Page<CiRun>>
  cancel?(id: string, m: Mutation): Promise<void>
  listArtifacts(runId: string): Promise<CiArtifact[]>
  openArtifact(runId: string, artifactId: string): Promise<ReadableStream<Uint8Array>>
}
