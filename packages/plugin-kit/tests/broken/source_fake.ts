import { createHash } from 'node:crypto'
import type { Scenario, VersionControlScenario } from '../../fake/scenario.js'
import { found, paged, Refusal, WorldFake, type FakeRequest, type Body } from './kinds_base.js'

type Code = VersionControlScenario
type Commit = Code['commits'][number]

const PAGE = 50

/** A provider of version control whose repository follows a scenario. */
export class SourceFake extends WorldFake<Required<Pick<Scenario, 'versionControl'>>> {
  protected world = {
    versionControl: {
      branches: [],
      commits: [],
      tags: [],
      pulls: [],
      releases: [],
      conflicting: [],
      statuses: [],
    } as Code,
  }

  protected get code(): Code {
    return this.world.versionControl
  }

  protected answerTo({ what, id, more, query, body, isChange }: FakeRequest): object {
    switch (`${what} ${more ?? ''}`.trim()) {
      case 'branches':
        return isChange ? this.cut(body) : found(this.code.branches, ({ name }) => name === id)
      case 'compare':
        return this.#compare(
          query.has('base') ? this.#named(query.get('base')!) : null,
          this.#named(query.get('head')!),
          query
        )
      case 'tags':
        return isChange ? this.tag(body) : this.#tags(query)
      case 'files':
        return this.#file(query.get('path')!, this.#named(query.get('ref')!))
      case 'commits':
        return this.commit(body)
      case 'picks':
        return this.pick(body)
      case 'merges':
        return this.#merge(body)
      case 'statuses':
        return this.#carry(body)
      case 'patches':
        return this.#patches(query.get('shas')!.split(' '))
      case 'pulls':
        return isChange ? this.open(body) : this.#pulls(id, query)
      case 'pulls merge':
        return this.mergePull(Number(id), body)
      default:
        return this.release(body)
    }
  }

  #named(name: string): string {
    const { branches, tags, commits } = this.code
    const branch = branches.find((each) => each.name === name) ?? tags.find((t) => t.name === name)
    return branch?.sha ?? found(commits, ({ sha }) => sha === name).sha
  }

  /** Returns a commit and all its ancestors. */
  reached(sha: string): Set<string> {
    const seen = new Set<string>()
    const left = [sha]
    for (let next = left.pop(); next !== undefined; next = left.pop()) {
      if (seen.has(next)) continue
      seen.add(next)
      left.push(...(this.code.commits.find((each) => each.sha === next)?.parents ?? []))
    }
    return seen
  }

  #compare(base: string | null, head: string, query: URLSearchParams): object {
    const behind = base === null ? new Set<string>() : this.reached(base)
    const ahead = this.reached(head)
    const items = this.code.commits.filter(({ sha }) => ahead.has(sha) && !behind.has(sha))
    const page = paged(items.reverse(), query) as object
    const lacking = [...behind].filter((sha) => !ahead.has(sha))
    return { ...page, ahead: items.length, behind: lacking.length }
  }

  #tags(query: URLSearchParams): object {
    const prefix = query.get('prefix') ?? ''
    const tags = this.code.tags.filter(({ name }) => name.startsWith(prefix))
    const dated = tags.map((tag) => ({
      ...tag,
      at: found(this.code.commits, ({ sha }) => sha === tag.sha).at,
    }))
    return paged(dated, query)
  }

  /** Returns the files after a commit, by path; the second parent of a merge adds its new files. */
  files(sha: string): Map<string, string> {
    const commit = found(this.code.commits, (each) => each.sha === sha)
    const before = [...commit.parents].reverse().flatMap((parent) => [...this.files(parent)])
    return new Map([
      ...before,
      ...commit.files.map(({ path, text }): [string, string] => [path, text]),
    ])
  }

  #file(path: string, sha: string): object {
    const text = this.files(sha).get(path)
    if (text === undefined) throw new Refusal(404)
    return { text, sha: hashOf(text) }
  }

  #carry({ sha, name, state, description }: Body): object {
    const others = (this.code.statuses ?? []).filter(
      (each) => each.sha !== sha || each.name !== name
    )
    this.code.statuses = [...others, { sha, name, state, description }]
    return {}
  }

  #patches(shas: readonly string[]): object {
    const known = this.code.commits.filter(({ sha }) => shas.includes(sha))
    return Object.fromEntries(known.map(({ sha, files }) => [sha, hashOf(JSON.stringify(files))]))
  }

  protected cut({ name, sha }: Body): object {
    const { branches } = this.code
    const there = branches.find((each) => each.name === name)
    if (there && there.sha !== sha) throw new Refusal(409)
    if (!there) branches.push({ name, sha, protected: false })
    return { name, sha }
  }

  protected tag({ name, sha }: Body): object {
    const { tags } = this.code
    const there = tags.find((each) => each.name === name)
    if (there && there.sha !== sha) throw new Refusal(409)
    if (!there) tags.push({ name, sha })
    return { id: name }
  }

  protected add(branch: string, change: Pick<Commit, 'message' | 'parents' | 'files'>): Commit {
    const { commits } = this.code
    const sha = hashOf(`${commits.length} ${change.message}`)
    const commit = { ...change, sha, author: 'Tarmac', at: new Date(this.now).toISOString() }
    commits.push(commit)
    const there = this.code.branches.find(({ name }) => name === branch)
    if (there) there.sha = sha
    else this.code.branches.push({ name: branch, sha, protected: false })
    return commit
  }

  protected tip(branch: string): string {
    return found(this.code.branches, ({ name }) => name === branch).sha
  }

  protected commit({ branch, files, message }: Body): Commit {
    const tip = this.tip(branch)
    const before = this.files(tip)
    for (const { path, replaces } of files as { path: string; replaces?: string }[]) {
      if (replaces !== undefined && hashOf(before.get(path) ?? '') !== replaces) {
        throw new Refusal(409)
      }
    }
    const plain = (files as Commit['files']).map(({ path, text }) => ({ path, text }))
    return this.add(branch, { message, parents: [tip], files: plain })
  }

  protected pick({ sha, onto, branch }: Body): object {
    const commit = found(this.code.commits, (each) => each.sha === sha)
    if (this.code.conflicting.includes(sha)) throw new Refusal(409)
    const { message, files } = commit
    const picked = { message: `${message}\n\n(cherry picked from commit ${sha})`, files }
    return { branch, sha: this.add(branch, { ...picked, parents: [this.tip(onto)] }).sha }
  }

  #merge({ from, into, message, resolved }: Body): object {
    const [one, other] = [this.tip(into), this.#named(from)]
    if (this.reached(one).has(other)) return { sha: one, isMerged: false }
    const files = resolved as { path: string; text: string; ours: string; theirs: string }[]
    const [ours, theirs] = [this.files(one), this.files(other)]
    const isSettled = files.some(
      (each) =>
        hashOf(ours.get(each.path) ?? '') === each.ours &&
        hashOf(theirs.get(each.path) ?? '') === each.theirs
    )
    const isConflict = this.code.conflicting.some((sha) => this.reached(one).has(sha))
    if (isConflict && !isSettled) throw new Refusal(409)
    const texts = isConflict ? files.map(({ path, text }) => ({ path, text })) : []
    return { isMerged: true, ...this.merged(into, message, other, texts) }
  }

  protected merged(
    into: string,
    message: string,
    other: string,
    files: Commit['files'] = []
  ): { sha: string } {
    const parents = [this.tip(into), other]
    return { sha: this.add(into, { message, parents, files }).sha }
  }

  protected open({ head, base, title }: Body): object {
    const { pulls } = this.code
    const number = 1 + Math.max(0, ...pulls.map((each) => each.number))
    const pull = { number, head, base, title, sha: this.tip(head), state: 'open' }
    pulls.push(pull)
    return pull
  }

  #pulls(id: string | undefined, query: URLSearchParams): object {
    if (id !== undefined) return found(this.code.pulls, ({ number }) => number === Number(id))
    const commit = query.get('commit')!
    if (query.get('state') === 'open') {
      const waits = ({ state }: Code['pulls'][number]) => state === 'open' || state === 'draft'
      return paged(this.code.pulls.filter(waits), query)
    }
    const came = ({ sha, base }: Code['pulls'][number]) =>
      this.reached(sha).has(commit) && !this.reached(this.tip(base)).has(commit)
    return { items: this.code.pulls.filter(came).slice(0, PAGE) }
  }

  protected mergePull(number: number, { sha }: Body): object {
    const pull = found(this.code.pulls, (each) => each.number === number)
    if (pull.sha !== sha) throw new Refusal(409)
    this.merged(pull.base, pull.title, pull.sha)
    return Object.assign(pull, { state: 'merged' })
  }

  protected release({ tag, title, notes }: Body): object {
    const { releases } = this.code
    const there = releases.find((each) => each.tag === tag)
    if (!there) releases.push({ tag, title, notes })
    return { id: tag }
  }
}

const hashOf = (text: string) => createHash('sha1').update(text).digest('hex')
