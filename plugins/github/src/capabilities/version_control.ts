import type { Mutation, PluginContext, ResolvedFile, VersionControl } from '@tarmac/plugin-kit'
import { compare } from '../code/compare.js'
import { commitFiles, readFile } from '../code/files.js'
import { mergeBranch } from '../code/merge.js'
import { patchIds } from '../code/patch_ids.js'
import { cherryPick } from '../code/pick.js'
import {
  getPullRequest,
  listOpenPullRequests,
  mergePullRequest,
  openPullRequest,
  pullRequestsForCommit,
} from '../code/pulls.js'
import { createBranch, createRelease, createTag, getBranch, listTags } from '../code/refs.js'
import { requireHash, GitHub } from '../github.js'

/** Most characters of the description of a status. */
const MAX_DESCRIPTION = 140

/** A repository at GitHub. */
export default class GitHubCode implements VersionControl {
  readonly #github: GitHub

  constructor(ctx: PluginContext) {
    this.#github = new GitHub(ctx, String(ctx.data.repoName ?? ''))
  }

  getBranch(name: string) {
    return getBranch(this.#github, name)
  }

  createBranch(name: string, fromSha: string) {
    return createBranch(this.#github, name, fromSha)
  }

  compare(base: string | null, head: string, cursor?: string) {
    return compare(this.#github, base, head, cursor)
  }

  listTags(prefix: string, cursor?: string) {
    return listTags(this.#github, prefix, cursor)
  }

  createTag(name: string, sha: string, message: string) {
    return createTag(this.#github, name, sha, message)
  }

  createRelease(tag: string, title: string, notes: string) {
    return createRelease(this.#github, tag, title, notes)
  }

  readFile(path: string, ref: string) {
    return readFile(this.#github, path, ref)
  }

  commitFiles(
    branch: string,
    files: { path: string; text: string; replaces?: string }[],
    message: string,
    m: Mutation
  ) {
    return commitFiles(this.#github, branch, files, message, m)
  }

  mergeBranch(
    from: string,
    into: string,
    message: string,
    m: Mutation,
    resolved?: readonly ResolvedFile[]
  ) {
    return mergeBranch(this.#github, { from, into, message, resolved }, m)
  }

  cherryPick(sha: string, onto: string, patchBranch: string, m: Mutation) {
    return cherryPick(this.#github, { sha, onto, patchBranch }, m)
  }

  openPullRequest(head: string, base: string, title: string, body: string) {
    return openPullRequest(this.#github, { head, base, title, body })
  }

  listOpenPullRequests(cursor?: string) {
    return listOpenPullRequests(this.#github, cursor)
  }

  getPullRequest(number: number) {
    return getPullRequest(this.#github, number)
  }

  pullRequestsForCommit(sha: string) {
    return pullRequestsForCommit(this.#github, sha)
  }

  mergePullRequest(number: number, how: 'merge' | 'squash' | 'rebase', expectedSha: string) {
    return mergePullRequest(this.#github, number, how, expectedSha)
  }

  async setStatus(
    sha: string,
    status: { name: string; state: 'pending' | 'success' | 'failure'; description: string }
  ) {
    await this.#github.request('POST /repos/{owner}/{repo}/statuses/{sha}', {
      sha: requireHash(sha),
      context: status.name,
      state: status.state,
      description: [...status.description].slice(0, MAX_DESCRIPTION).join(''),
    })
  }

  patchIds(shas: readonly string[]) {
    return patchIds(this.#github, shas)
  }
}
