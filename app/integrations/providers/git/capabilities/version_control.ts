import type { Commit, ResolvedFile, Tag, VersionControl } from '#plugin-kit/capabilities/source'
import type { Mutation, Page, PluginContext, Ref } from '#plugin-kit/context'
import { createBranch, getBranch } from './branches.js'
import { cherryPick } from './cherry_pick.js'
import { compare } from './compare.js'
import { commitFiles, readFile, type FileChange } from './files.js'
import { mergeBranch } from './merge.js'
import { patchIds } from './patch_ids.js'
import { createTag, listTags } from './tags.js'

/** Version control with git alone. It has no pull requests, and no methods for them. */
export default class GitVersionControl implements VersionControl {
  constructor(private readonly ctx: PluginContext) {}

  async getBranch(name: string) {
    return getBranch(this.ctx, name)
  }

  async createBranch(name: string, fromSha: string, m: Mutation) {
    return createBranch(this.ctx, { name, fromSha }, m)
  }

  async compare(base: string | null, head: string, cursor?: string) {
    return compare(this.ctx, base, head, cursor)
  }

  async listTags(prefix: string, cursor?: string): Promise<Page<Tag>> {
    return listTags(this.ctx, prefix, cursor)
  }

  async createTag(name: string, sha: string, message: string, m: Mutation): Promise<Ref> {
    return createTag(this.ctx, { name, sha, message }, m)
  }

  async readFile(path: string, ref: string) {
    return readFile(this.ctx, path, ref)
  }

  async commitFiles(
    branch: string,
    files: FileChange[],
    message: string,
    m: Mutation
  ): Promise<Commit> {
    return commitFiles(this.ctx, { branch, files, message }, m)
  }

  async mergeBranch(
    from: string,
    into: string,
    message: string,
    m: Mutation,
    resolved: readonly ResolvedFile[] = []
  ) {
    return mergeBranch(this.ctx, { from, into, message, resolved }, m)
  }

  async patchIds(shas: readonly string[]) {
    return patchIds(this.ctx, shas)
  }

  async cherryPick(sha: string, onto: string, patchBranch: string, m: Mutation) {
    return cherryPick(this.ctx, { sha, onto, patchBranch }, m)
  }
}
