import { createHash } from 'node:crypto'
import type { Commit } from '#plugin-kit/capabilities/source'
import type { Ticket } from '#plugin-kit/capabilities/work'
import { definePlugin } from '#plugin-kit/plugin'
import { ProviderError } from '#plugin-kit/provider_error'

/** Page sizes of a git host's comparison and of a tracker's search. */
const COMMITS_AT_ONCE = 250
const TICKETS_AT_ONCE = 100

const hashOf = (name: string) => createHash('sha1').update(name).digest('hex')

/**
 * A history and its tickets. Every tenth commit merges a pull request of the three commits before
 * it; four of five other commits name a ticket. Both are read in pages.
 */
export class WorkWorld {
  readonly commits: Commit[] = []
  readonly tickets = new Map<string, Ticket>()
  readonly base = hashOf('base')
  readonly #places = new Map([[this.base, 0]])
  /** Number of calls to the git host and the tracker. */
  calls = 0

  constructor(commits: number, tickets: number) {
    for (let number = 1; number <= tickets; number++) {
      const key = `SHOP-${number}`
      this.tickets.set(key, {
        id: String(10_000 + number),
        key,
        title: `What people asked for in ${key}, in a line of words`,
        status: number % 4 === 0 ? 'In Progress' : 'Done',
        done: number % 4 !== 0,
        url: `https://tracker.example/browse/${key}`,
        assignee: `Person ${number % 40}`,
        labels: [],
        versions: number % 7 === 0 ? [] : ['1.0.0'],
      })
    }
    for (let number = 1; number <= commits; number++) this.add(number)
  }

  /** Adds the newest commit. */
  add(number = this.commits.length + 1): void {
    const isMerge = number % 10 === 0
    const parents = [this.commits.at(-1)?.sha ?? this.base]
    if (isMerge) parents.unshift(this.commits[number - 5].sha)
    const ticket = number % 5 === 0 ? '' : `SHOP-${((number * 7) % this.tickets.size) + 1} `
    this.commits.push({
      sha: hashOf(`commit ${number}`),
      message: isMerge
        ? `Merge pull request #${number} from acme/topic-${number}\n\nWhat it brings ${number}`
        : `${ticket}Change ${number}: what was done\n\nWhy it was done, in a few words that\ntake two lines.\n\nReviewed-by: Grace <grace@acme.example>`,
      author: `Person ${number % 40}`,
      email: `person${number % 40}@acme.example`,
      at: new Date(Date.UTC(2026, 9, 1) + number * 60_000).toISOString(),
      url: `https://git.example/acme/app/commit/${hashOf(`commit ${number}`)}`,
      parents,
    })
    this.#places.set(this.commits.at(-1)!.sha, this.commits.length)
  }

  compare(base: string, head: string, cursor?: string) {
    this.calls += 1
    const [from, to] = [this.#places.get(base)!, this.#places.get(head)!]
    const start = Number(cursor ?? 0)
    const next = start + COMMITS_AT_ONCE
    const items = this.commits
      .slice(Math.max(from, to - next), Math.max(from, to - start))
      .reverse()
    const ends = { ahead: Math.max(0, to - from), behind: Math.max(0, from - to) }
    return { items, ...ends, ...(next < to - from && { next: String(next) }) }
  }

  search({ version, keys }: { version?: string; keys?: string[] }, cursor?: string) {
    this.calls += 1
    const all = keys ? keys.flatMap((key) => this.tickets.get(key) ?? []) : this.tickets.values()
    const found = [...all].filter(
      ({ versions }) => version === undefined || versions.includes(version)
    )
    const start = Number(cursor ?? 0)
    const next = start + TICKETS_AT_ONCE
    return { items: found.slice(start, next), ...(next < found.length && { next: String(next) }) }
  }
}

/** Returns the work items of a world by readiness, counted without the service. */
export function expectedOf({ commits, tickets }: WorkWorld) {
  const named = new Set(commits.flatMap(({ message }) => /^SHOP-\d+/.exec(message)?.[0] ?? []))
  const isMerge = ({ parents }: Commit) => parents.length > 1
  // A commit that names no ticket is a work item of its own, and so is the pull request of a merge.
  const unreported = commits.filter((each) => !/^SHOP-/.test(each.message) && !isMerge(each)).length
  const merges = commits.filter(isMerge).length
  const own = [...tickets.values()].filter(
    ({ key, versions }) => named.has(key) || versions.length > 0
  )
  const ready = own.filter(
    ({ key, done, versions }) => named.has(key) && done && versions.length > 0
  ).length
  const total = own.length + unreported + merges
  return { total, ready: ready + unreported + merges, notReady: own.length - ready, ignored: 0 }
}

/** A plugin with a git host and a tracker that answer at once. */
export function workPlugin(given: { world: WorkWorld }) {
  const missing = () =>
    Promise.reject(new ProviderError('unsupported', 'Not here', { outcome: 'notApplied' }))
  class Code {
    getBranch = async (name: string) => {
      given.world.calls += 1
      return { name, sha: given.world.commits.at(-1)!.sha, protected: null }
    }
    listTags = async () => {
      given.world.calls += 1
      return { items: [{ name: 'v0.9.0', sha: given.world.base, at: '2026-10-01T00:00:00.000Z' }] }
    }
    compare = async (...asked: [string, string, string?]) => given.world.compare(...asked)
    cherryPick = missing
  }
  class Tickets {
    search = async (...asked: [{ version?: string; keys?: string[] }, string?]) =>
      given.world.search(...asked)
  }
  return definePlugin({
    manifest: {
      id: 'bench-work',
      aliases: [],
      name: 'Bench',
      version: '1.0.0',
      spi: 1,
      docsUrl: 'https://bench.example',
      hosts: { allow: [], selfHosted: false },
      auth: [{ scheme: 'none' }],
      credentialSchema: { type: 'object', properties: {} },
      connectionSchema: { type: 'object', properties: {} },
      rate: { requests: 1_000_000, perSeconds: 10, concurrency: 100, scope: 'connection' },
      capabilities: {
        versionControl: { type: 'bench-vcs', features: [] },
        issueTracking: { type: 'bench-issues', features: [] },
      },
    },
    lifecycle: async () => ({
      default: { check: async () => ({ account: 'bench', missingPermissions: [] }) },
    }),
    capabilities: {
      versionControl: async () => ({ default: Code as never }),
      issueTracking: async () => ({ default: Tickets as never }),
    },
  })
}
