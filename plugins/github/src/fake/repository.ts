import type { VersionControlScenario } from '@tarmac/plugin-kit/testing'
import { invalid, notFound, pageOf, Refusal, type FakeRequest } from './answers.js'
import { blobHash, GitObjects, type GitCommit, type Person, type Tree } from './git_objects.js'

const API = 'https://api.github.com'
export const SITE = 'https://github.com'

/** The maximum size of a file whose content GitHub returns inline, in bytes. */
const MAX_CONTENT_BYTES = 2 ** 20

/** GitHub breaks lines in Base64. */
const base64Of = (text: string) =>
  Buffer.from(text)
    .toString('base64')
    .replace(/(.{60})/g, '$1\n')

/**
 * Answers the routes below `/repos/{owner}/{repo}` about git's own objects: commits, refs, files.
 */
export class FakeRepository {
  readonly git: GitObjects

  constructor(
    readonly repository: string,
    protected readonly now: () => string,
    scenario?: VersionControlScenario
  ) {
    this.git = new GitObjects(scenario)
  }

  protected get me(): Person {
    return { name: 'tarmac[bot]', email: 'tarmac@acme.example', date: this.now() }
  }

  protected link(path: string): string {
    return `${API}/repos/${this.repository}/${path}`
  }

  branch({ params: [name] }: FakeRequest): unknown {
    const branch = this.git.branches.get(name)
    if (!branch) throw notFound('Branch not found')
    return {
      name,
      commit: this.commitJson(this.git.commits.get(branch.sha)!),
      protected: branch.protected,
    }
  }

  /** Returns a commit in the format of lists. */
  commitJson({ sha, message, author, committer, parents, tree }: GitCommit) {
    return {
      sha,
      url: this.link(`commits/${sha}`),
      html_url: `${SITE}/${this.repository}/commit/${sha}`,
      commit: {
        message,
        author,
        committer,
        tree: { sha: tree, url: this.link(`git/trees/${tree}`) },
        url: this.link(`git/commits/${sha}`),
        comment_count: 0,
      },
      author: null,
      committer: null,
      parents: parents.map((each) => ({ sha: each, url: this.link(`commits/${each}`) })),
    }
  }

  commit({ params: [ref], headers }: FakeRequest): Response {
    const sha = this.git.named(ref)
    if (sha === null) throw invalid(`No commit found for SHA: ${ref}`)
    const commit = this.git.commits.get(sha)!
    if (headers.get('accept')?.includes('diff')) return new Response(this.#diff(commit))
    return Response.json({ ...this.commitJson(commit), files: this.#files(commit) })
  }

  #diff(commit: GitCommit): string {
    if (commit.parents.length > 1) return ''
    const lines = this.git.diff(commit).flatMap(({ path, before, after }) => {
      const side = (text: string | undefined) => text?.replace(/\n$/, '').split('\n') ?? []
      const [old, now] = [side(before), side(after)]
      return [
        `diff --git a/${path} b/${path}`,
        ...(before === undefined ? ['new file mode 100644'] : []),
        ...(after === undefined ? ['deleted file mode 100644'] : []),
        'index 0000000..1111111 100644',
        before === undefined ? '--- /dev/null' : `--- a/${path}`,
        after === undefined ? '+++ /dev/null' : `+++ b/${path}`,
        `@@ -${old.length === 0 ? 0 : 1},${old.length} +${now.length === 0 ? 0 : 1},${now.length} @@`,
        ...old.map((line) => `-${line}`),
        ...now.map((line) => `+${line}`),
      ]
    })
    return lines.length === 0 ? '' : `${lines.join('\n')}\n`
  }

  #files(commit: GitCommit) {
    return this.git.diff(commit).map(({ path, before, after }) => this.#file(path, before, after))
  }

  #file(path: string, before: string | undefined, after: string | undefined) {
    return {
      sha: after === undefined ? null : blobHash(after),
      filename: path,
      status: before === undefined ? 'added' : after === undefined ? 'removed' : 'modified',
      additions: 1,
      deletions: 1,
      changes: 2,
      blob_url: `${SITE}/${this.repository}/blob/x/${path}`,
      raw_url: `${SITE}/${this.repository}/raw/x/${path}`,
      contents_url: this.link(`contents/${path}?ref=x`),
    }
  }

  commits(request: FakeRequest): Response {
    const sha = this.git.named(request.query.get('sha') ?? 'main')
    if (sha === null) throw notFound()
    const { items, headers } = pageOf(request, this.git.history(sha))
    return Response.json(
      items.map((each) => this.commitJson(each)),
      { headers }
    )
  }

  compare(request: FakeRequest): unknown {
    const [base, head] = request.params[0].split('...').map((each) => this.git.named(each))
    if (!base || !head) throw notFound()
    const ahead = this.git.between(base, head)
    const behind = this.git.between(head, base)
    const root = this.git.mergeBase(base, head)
    const { items } = pageOf(request, ahead)
    const before = root === null ? new Map<string, string>() : this.git.treeOf(root)
    const after = this.git.treeOf(head)
    const status = ahead.length === 0 ? (behind.length === 0 ? 'identical' : 'behind') : 'ahead'
    return {
      url: this.link('compare/x'),
      html_url: SITE,
      permalink_url: SITE,
      diff_url: SITE,
      patch_url: SITE,
      base_commit: this.commitJson(this.git.commits.get(base)!),
      merge_base_commit: this.commitJson(this.git.commits.get(root ?? base)!),
      status: ahead.length > 0 && behind.length > 0 ? 'diverged' : status,
      ahead_by: ahead.length,
      behind_by: behind.length,
      total_commits: ahead.length,
      commits: items.map((each) => this.commitJson(each)),
      files: this.#changedFiles(before, after),
    }
  }

  /** Describes changed files. A file with the same content under a new name counts as renamed. */
  #changedFiles(before: Tree, after: Tree) {
    const changed = this.git.changed(before, after)
    const removed = changed.filter((path) => !after.has(path))
    const sourceOf = (path: string) =>
      before.has(path) ? undefined : removed.find((each) => before.get(each) === after.get(path))
    const sources = changed.map(sourceOf)
    return changed
      .filter((path) => !sources.includes(path))
      .map((path) => {
        const source = sourceOf(path)
        const file = this.#file(path, before.get(path), after.get(path))
        return source === undefined
          ? file
          : { ...file, status: 'renamed', previous_filename: source }
      })
  }

  ref({ params: [name] }: FakeRequest): unknown {
    return this.#refJson(`refs/${name}`)
  }

  #refJson(ref: string): unknown {
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
    const branch = kind === 'heads' ? this.git.branches.get(name) : undefined
    const object = branch
      ? { type: 'commit', sha: branch.sha }
      : kind === 'tags'
        ? this.git.tags.get(name)
        : undefined
    if (!object) throw notFound()
    const { type, sha } = object
    return {
      ref,
      node_id: 'REF',
      url: this.link(`git/${ref}`),
      object: { type, sha, url: this.link(`git/${type}s/${sha}`) },
    }
  }

  createRef({ body }: FakeRequest): Response {
    const { ref, sha } = body as { ref: string; sha: string }
    const [, kind, name] = /^refs\/(heads|tags)\/(.+)$/s.exec(ref) ?? []
    if (!kind) throw invalid('Reference name must start with refs/heads or refs/tags')
    const isTagObject = this.git.tagObjects.has(sha)
    if (!isTagObject && !this.git.commits.has(sha)) throw invalid('Object does not exist')
    const exists = kind === 'heads' ? this.git.branches.has(name) : this.git.tags.has(name)
    if (exists) throw invalid('Reference already exists')
    if (kind === 'heads') this.git.branches.set(name, { sha, protected: false })
    else this.git.tags.set(name, { type: isTagObject ? 'tag' : 'commit', sha })
    return Response.json(this.#refJson(ref), { status: 201 })
  }

  updateRef({ params: [name], body }: FakeRequest): unknown {
    const { sha, force = false } = body as { sha: string; force?: boolean }
    const branch = this.git.branches.get(name.replace(/^heads\//, ''))
    if (!branch) throw invalid('Reference does not exist')
    if (!this.git.commits.has(sha)) throw invalid('Object does not exist')
    if (!force && !this.git.reached(sha).has(branch.sha)) {
      throw invalid('Update is not a fast forward')
    }
    branch.sha = sha
    return this.#refJson(`refs/${name}`)
  }

  deleteRef({ params: [name] }: FakeRequest): Response {
    const isGone = this.git.branches.delete(name.replace(/^heads\//, ''))
    if (!isGone) throw invalid('Reference does not exist')
    return new Response(null, { status: 204 })
  }

  createTag({ body }: FakeRequest): Response {
    const { tag, object, message } = body as { tag: string; object: string; message: string }
    if (!this.git.commits.has(object)) throw invalid('Object does not exist')
    const sha = blobHash(`tag ${tag} ${object} ${message}`)
    this.git.tagObjects.set(sha, { name: tag, sha: object, at: this.now() })
    return Response.json(this.#tagJson(sha), { status: 201 })
  }

  tag({ params: [sha] }: FakeRequest): unknown {
    if (!this.git.tagObjects.has(sha)) throw notFound()
    return this.#tagJson(sha)
  }

  #tagJson(sha: string) {
    const { name, sha: object, at } = this.git.tagObjects.get(sha)!
    return {
      node_id: 'TAG',
      tag: name,
      sha,
      url: this.link(`git/tags/${sha}`),
      message: name,
      tagger: { name: 'tarmac', email: 'tarmac@acme.example', date: at },
      object: { type: 'commit', sha: object, url: this.link(`git/commits/${object}`) },
    }
  }

  contents({ params: [path], query }: FakeRequest): unknown {
    const sha = this.git.named(query.get('ref') ?? 'main')
    if (sha === null) throw notFound(`No commit found for the ref ${query.get('ref')}`)
    const tree = this.git.treeOf(sha)
    const text = tree.get(path)
    if (text === undefined) {
      const inside = [...tree.keys()].filter((each) => each.startsWith(`${path}/`))
      if (inside.length === 0) throw notFound()
      return inside.map((each) => ({ type: 'file', path: each, sha: blobHash(tree.get(each)!) }))
    }
    const size = Buffer.byteLength(text)
    const isLarge = size > MAX_CONTENT_BYTES
    return {
      type: 'file',
      encoding: isLarge ? 'none' : 'base64',
      size,
      name: path.split('/').at(-1),
      path,
      content: isLarge ? '' : base64Of(text),
      sha: blobHash(text),
      url: this.link(`contents/${path}`),
      git_url: null,
      html_url: null,
      download_url: null,
      _links: { self: this.link(`contents/${path}`), git: null, html: null },
    }
  }

  blob({ params: [sha] }: FakeRequest): unknown {
    const text = this.git.blob(sha)
    if (text === undefined) throw notFound()
    return {
      ...{ sha, node_id: 'BLOB', size: Buffer.byteLength(text), encoding: 'base64' },
      ...{ content: base64Of(text), url: this.link(`git/blobs/${sha}`) },
    }
  }

  createTree({ body }: FakeRequest): Response {
    const { base_tree: base, tree: entries } = body as {
      base_tree: string
      tree: { path: string; mode: string; content: string }[]
    }
    if (!this.git.hasTree(base)) throw invalid('base_tree is not a valid tree oid')
    const tree = new Map(this.git.tree(base))
    for (const { path, mode, content } of entries) {
      tree.set(path, content)
      this.git.modes.set(path, mode)
    }
    const sha = this.git.storeTree(tree)
    const answer = { sha, url: this.link(`git/trees/${sha}`), truncated: false, tree: [] }
    return Response.json(answer, { status: 201 })
  }

  gitCommit({ params: [sha] }: FakeRequest): unknown {
    const commit = this.git.commits.get(sha)
    if (!commit) throw notFound()
    return this.#gitCommitJson(commit)
  }

  createCommit({ body }: FakeRequest): Response {
    const { message, tree, parents, author } = body as {
      message: string
      tree: string
      parents: string[]
      author?: Partial<Person>
    }
    if (!this.git.hasTree(tree)) throw invalid('Tree SHA does not exist')
    if (parents.some((each) => !this.git.commits.has(each))) {
      throw invalid('Parent SHA does not exist or is not a commit object')
    }
    const created = this.git.commit({
      message,
      tree,
      parents,
      author: { ...this.me, ...author },
      committer: this.me,
    })
    return Response.json(this.#gitCommitJson(created), { status: 201 })
  }

  #gitCommitJson({ sha, message, author, committer, parents, tree }: GitCommit) {
    const verification = {
      verified: false,
      reason: 'unsigned',
      signature: null,
      payload: null,
      verified_at: null,
    }
    return {
      sha,
      node_id: 'COMMIT',
      url: this.link(`git/commits/${sha}`),
      html_url: `${SITE}/${this.repository}/commit/${sha}`,
      author,
      committer,
      message,
      tree: { sha: tree, url: this.link(`git/trees/${tree}`) },
      parents: parents.map((each) => ({
        sha: each,
        url: this.link(`git/commits/${each}`),
        html_url: `${SITE}/${this.repository}/commit/${each}`,
      })),
      verification,
    }
  }

  merge({ body }: FakeRequest): Response {
    const { base, head, commit_message: message } = body as Record<string, string>
    const branch = this.git.branches.get(base)
    if (!branch) throw notFound('Base does not exist')
    const from = this.git.named(head)
    if (from === null) throw notFound('Head does not exist')
    if (this.git.reached(branch.sha).has(from)) return new Response(null, { status: 204 })
    const tree = this.git.merged(branch.sha, from)
    if (branch.protected) throw new Refusal(409, `Protected branch update failed for ${base}.`)
    // GitHub answers a conflict without a body.
    if (tree === null) return new Response(null, { status: 409 })
    const created = this.git.commit({
      message: message ?? `Merge ${head} into ${base}`,
      tree,
      parents: [branch.sha, from],
      author: this.me,
      committer: this.me,
    })
    branch.sha = created.sha
    return Response.json({ ...this.commitJson(created), node_id: 'COMMIT' }, { status: 201 })
  }
}
