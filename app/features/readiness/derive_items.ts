import { compareTexts } from '../../foundation/core/compare_texts.js'
import { yieldToOthers } from '#foundation/core/yielding'
import { isOwnWork, plainMessage, subjectOf } from '../code/read_commit.js'
import { bringers, hasCommit, notReverted, type SeenCommit } from '../code/commit_line.js'
import type { ReportedPull } from '../queries/seen_pulls.js'
import type { OpenPull, ShownCommit, ShownPull, ShownTicket } from '../tables.js'
import { isMovedOut } from '../ticket_keys.js'
import {
  MAX_CODE,
  type CodeStatus,
  type CodeType,
  type CommitSide,
  type ReadinessReason,
} from '../vocabulary.js'

/** A ticket that its tracker knows. */
export interface KnownTicket {
  integrationId: string
  /**
   * The key by which code names it, in upper case. The ticket's own key differs once it was moved.
   */
  key: string
  ticket: ShownTicket
  /** True if its tracker assigns it to the release. */
  isAffiliated: boolean
}

/** The facts from which work items are derived. Plain data. */
interface FeatureFacts {
  /** True if tickets need code in the release; also before the code could be read. */
  hasCode: boolean
  /** Ids of the trackers whose tickets can state which release they belong to. */
  affiliating: ReadonlySet<string>
  /** Projects of the app, by the ids of their trackers. */
  projects: ReadonlyMap<string, readonly string[]>
  isKickedOff: boolean
  isReleased: boolean
  /** The branch of the release; null before it has one. */
  branch: string | null
  heads: Record<CommitSide, string | null>
  commits: readonly SeenCommit[]
  /** Merges that brought commits which are in no range, by the hash of the commit. */
  broughtBefore: ReadonlyMap<string, SeenCommit>
  openPulls: readonly OpenPull[]
  /** Identity of the repository of the code; null if unknown. */
  repository: string | null
  /** Pull requests by number, as their hosts report them. */
  pulls: ReadonlyMap<number, ReportedPull>
  tickets: readonly KnownTicket[]
}

/** A derived work item. */
export interface DerivedItem {
  key: string
  /** Its keys before its ticket was moved. */
  formerKeys: string[]
  ticket: ShownTicket | null
  code: (ShownCommit | ShownPull)[]
  codeStatus: CodeStatus
  codeType: CodeType | null
  /** Its ticket is in none of the app's projects any more. */
  isMovedOut: boolean
  reason: ReadinessReason
}

/** A commit or pull request of an item, and its status. */
interface Piece {
  status: Exclude<CodeStatus, 'missing'>
  shown: ShownCommit | ShownPull
  /** The higher, the newer. */
  place: number
}

/** Pieces or items processed before the thread is yielded. */
const PIECES_PER_TURN = 100

/** Code statuses, from the least advanced on. */
const FROM_LEAST_ADVANCED: readonly CodeStatus[] = ['inProgress', 'merged', 'inRelease', 'released']

/**
 * Returns the work items of a release: the tickets that belong to it by their tracker or by its
 * code, each with its code, and code without a ticket. The same facts give the same items in any
 * order.
 */
export async function deriveItems(facts: FeatureFacts): Promise<DerivedItem[]> {
  const tickets = ticketsByKey(facts.tickets)
  const moved = facts.tickets.filter((each) => each.key !== ownKey(each))
  const former = new Map(
    [...Map.groupBy(moved, ownKey)].map(([key, all]) => [key, all.map((each) => each.key)])
  )
  const code = new Map<string, Map<string, Piece>>()
  const add = (item: string, name: string, piece: Piece) => {
    let pieces = code.get(item)
    if (!pieces) code.set(item, (pieces = new Map()))
    const before = pieces.get(name)
    // A pull request has the place of its newest commit.
    if (!before || before.place < piece.place) pieces.set(name, piece)
  }
  const belongs = new Set(
    facts.tickets.flatMap((each) => (each.isAffiliated ? [ownKey(each)] : []))
  )
  const mentionedIn = (keys: readonly string[]) => [
    ...new Set(keys.flatMap((key) => ownKeyOf(tickets.get(key)))),
  ]

  let count = 0
  for (const { commit, keys, pull, status } of seenCode(facts)) {
    if (count++ % PIECES_PER_TURN === 0) await yieldToOthers()
    const known = mentionedIn(keys)
    const isOurs = status !== 'merged' || !facts.isKickedOff
    // Code that only the working branch has belongs to the next release, unless its ticket belongs
    // to this one.
    const wanted = isOurs ? known : known.filter((key) => belongs.has(key))
    const items = wanted.map((key) => `ticket:${key}`)
    if (isOurs && known.length === 0) {
      items.push(pull === null ? `commit:${commit.hash}` : pullKey(pull, facts))
    }
    for (const item of items) {
      if (isOurs) for (const key of known) belongs.add(key)
      if (!isMerge(commit)) {
        add(item, commit.hash, { status, shown: shownCommit(commit, status), place: commit.place })
      }
      if (pull) {
        add(item, `#${pull.number}`, {
          status,
          shown: mergedPull(pull, facts),
          place: commit.place,
        })
      } else if (isMerge(commit) && known.length > 0) {
        add(item, commit.hash, { status, shown: shownCommit(commit, status), place: commit.place })
      }
    }
  }
  const isInto = ({ base }: OpenPull) => facts.branch !== null && base === facts.branch
  const pulls = [...facts.openPulls].sort(
    (one, other) => Number(isInto(other)) - Number(isInto(one))
  )
  for (const pull of pulls) {
    const known = mentionedIn(pull.keys)
    const isHere = isInto(pull)
    const wanted = isHere ? known : known.filter((key) => belongs.has(key))
    const items = wanted.map((key) => `ticket:${key}`)
    if (isHere && known.length === 0) items.push(pullKey(pull, facts))
    if (isHere) for (const key of known) belongs.add(key)
    const shown = {
      status: 'inProgress',
      shown: waitingPull(pull, facts),
      place: Infinity,
    } as const
    for (const item of items) add(item, `#${pull.number}`, shown)
  }

  const items: DerivedItem[] = []
  for (const [index, key] of [...belongs].entries()) {
    if (index % PIECES_PER_TURN === 0) await yieldToOthers()
    const { integrationId, ticket, isAffiliated } = tickets.get(key)!
    const shown = summed(code.get(`ticket:${key}`))
    const named = (name: string) => `ticket:${integrationId}:${name}`
    const others = former.get(key) ?? []
    const isOut = isMovedOut(key, others, facts.projects.get(integrationId) ?? [])
    items.push({
      key: named(key),
      formerKeys: others.map(named),
      ticket,
      ...shown,
      isMovedOut: isOut,
      reason: reasonOf(facts, shown.codeStatus, ticket, {
        isMissed: !isAffiliated && !isOut && facts.affiliating.has(integrationId),
      }),
    })
  }
  for (const [index, [key, pieces]] of [...code].entries()) {
    if (index % PIECES_PER_TURN === 0) await yieldToOthers()
    if (key.startsWith('ticket:')) continue
    const shown = summed(pieces)
    items.push({
      key,
      formerKeys: [],
      ticket: null,
      ...shown,
      isMovedOut: false,
      reason: reasonOf(facts, shown.codeStatus, null, { isMissed: false }),
    })
  }
  return items
}

const ownKey = ({ ticket }: KnownTicket) => ticket.key.toUpperCase()
const ownKeyOf = (known: KnownTicket | undefined) => (known ? [ownKey(known)] : [])

/** Returns tickets by their own keys, and by other keys that code uses for them. */
function ticketsByKey(all: readonly KnownTicket[]): ReadonlyMap<string, KnownTicket> {
  const tickets = new Map<string, KnownTicket>()
  for (const each of all) {
    if (each.key === ownKey(each) && !tickets.has(each.key)) tickets.set(each.key, each)
  }
  for (const each of all) {
    for (const key of [each.key, ownKey(each)]) if (!tickets.has(key)) tickets.set(key, each)
  }
  return tickets
}

/** The same number is another pull request in another repository. */
const pullKey = ({ number }: { number: number }, { repository }: FeatureFacts) =>
  repository === null ? `pull:${number}` : `pull:${number}:${repository}`

interface SeenCode {
  commit: SeenCommit
  keys: string[]
  pull: MergedPull | null
  status: Piece['status']
}

interface MergedPull {
  number: number
  title: string
  author: string
  at: string
}

/** Yields the commits that count, each with its tickets and pull request. */
function* seenCode(facts: FeatureFacts): Iterable<SeenCode> {
  const { isReleased, isKickedOff, heads } = facts
  const ofSide = (side: CommitSide) => {
    const commits = facts.commits.filter((each) => each.side === side)
    const brought = new Map([...facts.broughtBefore, ...bringers(commits, heads[side])])
    return { brought, commits: notReverted(commits, brought) }
  }
  const released = ofSide('release')
  const inRelease = isReleased ? 'released' : isKickedOff ? 'inRelease' : 'merged'
  for (const commit of released.commits) {
    const code = codeOf(commit, released.brought.get(commit.hash), inRelease)
    if (code) yield code
  }
  const working = ofSide('working')
  if (working.commits.length === 0) return
  const isInRelease = hasCommit(released.commits)
  for (const commit of working.commits) {
    if (isInRelease(commit)) continue
    const code = codeOf(commit, working.brought.get(commit.hash), 'merged')
    if (code) yield code
  }
}

const isMerge = ({ parents }: SeenCommit) => parents.length > 1

function codeOf(
  commit: SeenCommit,
  merge: SeenCommit | undefined,
  status: Piece['status']
): SeenCode | null {
  if (isOwnWork(commit)) return null
  const keys = commit.tickets.length > 0 ? commit.tickets : (merge?.tickets ?? [])
  const source = commit.pullRequest === null ? merge : commit
  const number = source?.pullRequest ?? null
  // A merge without words of its own is not shown: the commits that it brought are. Nor is a
  // revert.
  if (isMerge(commit) && number === null && keys.length === 0) return null
  if (commit.reverts.length > 0) return null
  const pull =
    number === null
      ? null
      : { number, title: pullTitle(source!), author: source!.author, at: source!.committedAt }
  return { commit, keys, pull, status }
}

/** Returns the title of a pull request according to the commit that merged it. */
function pullTitle({ message, parents }: SeenCommit): string {
  const [subject, ...rest] = plainMessage(message).split('\n')
  const reported = parents.length > 1 ? rest.find((line) => line.trim() !== '') : undefined
  return (reported ?? subject)
    .trim()
    .replace(/ \(#\d+\)$/, '')
    .slice(0, 1000)
}

function shownCommit(commit: SeenCommit, status: Piece['status']): ShownCommit {
  const { hash, message, author, url, committedAt } = commit
  const inRelease = status === 'inRelease' || status === 'released'
  return { type: 'commit', hash, message, author, url, committedAt, inRelease }
}

/** The host's data of a pull request takes precedence over that of its merge commit. */
function mergedPull({ number, title, author, at }: MergedPull, { pulls }: FeatureFacts): ShownPull {
  const reported = pulls.get(number)
  return {
    type: 'pullRequest',
    number,
    title: reported?.title ?? title,
    status: 'merged',
    url: reported?.url ?? null,
    author: reported?.author ?? author,
    baseBranch: reported?.base ?? null,
    mergedAt: reported?.mergedAt ?? at,
  }
}

const waitingPull = (
  { number, title, status, url, base }: OpenPull,
  { pulls }: FeatureFacts
): ShownPull => ({
  type: 'pullRequest',
  number,
  title,
  status,
  url,
  author: pulls.get(number)?.author ?? null,
  baseBranch: base,
  mergedAt: null,
})

/** Returns the code of an item, and the status of its least advanced piece. */
function summed(pieces: ReadonlyMap<string, Piece> = new Map()) {
  const all = [...pieces.values()].sort(
    (one, other) => other.place - one.place || compareTexts(nameOf(one), nameOf(other))
  )
  const status = FROM_LEAST_ADVANCED.find((each) => all.some((piece) => piece.status === each))
  const hasPull = all.some(({ shown }) => shown.type === 'pullRequest')
  return {
    code: all.slice(0, MAX_CODE).map(({ shown }) => shown),
    codeStatus: status ?? 'missing',
    codeType: all.length === 0 ? null : hasPull ? ('pullRequest' as const) : ('commit' as const),
  }
}

const nameOf = ({ shown }: Piece) =>
  shown.type === 'commit' ? shown.hash : `#${String(shown.number).padStart(9, '0')}`

function reasonOf(
  { hasCode, isKickedOff }: FeatureFacts,
  codeStatus: CodeStatus,
  ticket: ShownTicket | null,
  /** True if it lacks a possible assignment to the release. */
  { isMissed }: { isMissed: boolean }
): ReadinessReason {
  if (hasCode && codeStatus === 'missing') return 'missingCode'
  if (codeStatus === 'inProgress' || (codeStatus === 'merged' && isKickedOff)) return 'notMerged'
  if (ticket && !ticket.done) return 'ticketNotDone'
  if (isMissed) return 'missingAffiliation'
  return 'ready'
}

/** Returns the texts that searches look in, in lower case. */
export function searchTextOf({ ticket, code }: Pick<DerivedItem, 'ticket' | 'code'>): string {
  const texts = code.flatMap((each) =>
    each.type === 'commit'
      ? [each.hash, subjectOf(each.message ?? '')]
      : [`#${each.number}`, each.title ?? '']
  )
  const reported = [ticket?.key ?? '', ticket?.title ?? '', ticket?.assignee ?? '', ...texts]
  return reported.join('\n').toLowerCase().slice(0, 20_000)
}

/** Returns the authors of code in lower case, each between line feeds. */
export function authorsOf({ code }: Pick<DerivedItem, 'code'>): string {
  const names = new Set(code.flatMap(({ author }) => author?.toLowerCase() ?? []))
  return `\n${[...names].sort().join('\n')}\n`
}
