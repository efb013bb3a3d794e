import { chunked } from '#foundation/core/chunked'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { Reach, type AskedRange, type Mark, type Seen } from '../code/reach.js'
import { bringers, notReverted, type LineCommit } from '../code/commit_line.js'
import { releaseCommits, type EdgeCommit } from '../tables.js'
import type { CommitSide } from '../vocabulary.js'

const FROM_COMMITS_OF_APP =
  'from release_commits c where c.organization_id = :org and c.app_id = :appId'
const PLACE = {
  ...of(releaseCommits, 'c', ['releaseId', 'side', 'hash', 'place', 'entered', 'parents']),
  pickedFrom: as(releaseCommits.columns.pickedFrom, 'c.picked_from'),
}
const PLACES = select(PLACE, `${FROM_COMMITS_OF_APP} and c.hash in json(:hashes)`)
const LINE = select(
  of(releaseCommits, 'c', ['hash', 'place', 'parents']),
  `${FROM_COMMITS_OF_APP} and c.release_id = :releaseId and c.side = :side order by c.place`
)
const REVERTS = select(
  { ...PLACE, ...of(releaseCommits, 'c', ['reverts']) },
  // The app is no column to look up by: few commits of a release take others back.
  `from release_commits c where c.organization_id = :org and coalesce(c.app_id, '') = :appId
    and c.release_id in json(:releaseIds) and c.reverts <> '[]'`
)

type Place = RowOfSelect<typeof PLACES>

/** A release whose range was seen. */
interface AskedRelease {
  id: string
  /** 1 if its working branch has a range of its own; else 0. */
  apart: number
  edge: readonly (EdgeCommit | string)[] | null
  workingEdge: readonly EdgeCommit[] | null
}

/**
 * A question about a change: its commits, the commits that revert them, and the ranges that contain
 * either.
 */
export class Question {
  readonly #ranges = new Map<string, AskedRange & { marks: Mark[] }>()
  readonly #places = new Map<string, Seen[]>()
  readonly #lines = new Map<string, Promise<RowOfSelect<typeof LINE>[]>>()
  readonly #bringers = new Map<string, Promise<ReadonlyMap<string, LineCommit>>>()
  readonly #reach = new Reach((hash) => this.#places.get(hash) ?? [])
  /** The deciding commits: the change, its reverts, and the merges that brought them. */
  readonly #deciding = new Map<string, LineCommit>()
  #broughtBy = new Map<string, LineCommit>()

  private constructor(
    private readonly scope: Scope,
    private readonly appId: string,
    private readonly requested: readonly AskedRelease[],
    private readonly wanted: ReadonlySet<string>
  ) {}

  static async of(
    scope: Scope,
    appId: string,
    requested: readonly AskedRelease[],
    hashes: readonly string[]
  ) {
    const question = new Question(scope, appId, requested, new Set(hashes))
    await question.#load()
    return question
  }

  /** Returns how the release has the change; null if it has not. */
  async howOf(releaseId: string): Promise<'introduced' | 'before' | null> {
    const range = this.#ranges.get(`${releaseId} release`)
    const stands = range && (await this.standingIn(releaseId))
    if (!stands || stands.size === 0) return null
    return range.marks.some(({ hash }) => stands.has(hash)) ? 'introduced' : 'before'
  }

  /** Returns those of the commits that a release contains; null if its range was not seen. */
  async standingIn(releaseId: string): Promise<ReadonlySet<string> | null> {
    const range = this.#ranges.get(`${releaseId} release`)
    return range ? this.#standing(await this.#reach.ofRange(range)) : null
  }

  /** Returns those of the given commits that contain one of the change. */
  async having(hashes: readonly string[]): Promise<ReadonlySet<string>> {
    await this.#place(hashes.filter((hash) => !this.#places.has(hash)))
    const found = new Set<string>()
    for (const [hash, has] of await this.#reach.fromEach(hashes)) {
      if (has.size > 0 && this.#standing(has).size > 0) found.add(hash)
      await yieldToOthers()
    }
    return found
  }

  async #load(): Promise<void> {
    for (const release of this.requested) {
      this.#addRange(release.id, 'release', release.edge)
      if (release.apart) this.#addRange(release.id, 'working', release.workingEdge)
    }
    const releaseIds = JSON.stringify(this.requested.map(({ id }) => id))
    const reverts = await this.scope.rows(REVERTS, { appId: this.appId, releaseIds })
    const reverted = reverts.flatMap((each) => each.reverts)
    const edges = this.requested
      .flatMap(({ edge, workingEdge, apart }) => [edge, apart ? workingEdge : null])
      .flatMap((kept) => kept?.map((each) => edgeCommit(each).hash) ?? [])
    const places = await this.#place([...this.wanted, ...reverted, ...edges])
    const rank = new Map(this.requested.map(({ id }, index) => [id, index]))
    const decide = (each: Place, words: Partial<LineCommit>) => {
      // Commits of the working branch come after all commits of the release.
      const side = each.side === 'working' ? 2 ** 31 : 0
      const place = rank.get(each.releaseId)! * 2 ** 32 + side + each.place
      const { hash, parents } = each
      const before = this.#deciding.get(hash)
      if (before && before.place <= place) return
      this.#deciding.set(hash, { hash, parents, place, pickedFrom: [], reverts: [], ...words })
    }
    const isHere = ({ releaseId }: Place) => rank.has(releaseId)
    const names = new Set(this.wanted)
    for (const each of places) {
      if (!this.wanted.has(each.hash) || !isHere(each)) continue
      decide(each, { pickedFrom: each.pickedFrom })
      for (const hash of each.pickedFrom) names.add(hash)
    }
    const isReverted = new Set(reverted)
    const merges = places.filter(
      (each) => isHere(each) && each.parents.length > 1 && isReverted.has(each.hash)
    )
    // A revert of a revert is found once the inner revert is known.
    for (let more = true; more;) {
      more = false
      for (const merge of merges) {
        await yieldToOthers()
        if (!(await this.#brings(merge)) || names.has(merge.hash)) continue
        names.add(merge.hash)
        decide(merge, {})
        more = true
      }
      for (const each of reverts) {
        if (names.has(each.hash) || !each.reverts.some((hash) => names.has(hash))) continue
        decide(each, { pickedFrom: each.pickedFrom, reverts: each.reverts })
        this.#note(each)
        names.add(each.hash)
        more = true
      }
    }
    for (const [hash, seen] of this.#places) {
      if (!this.#deciding.has(hash)) continue
      for (const { range, ...mark } of seen) (range.marks as Mark[]).push(mark)
    }
  }

  /** Returns whether a merge brought a deciding commit, and records which. */
  async #brings(merge: Place): Promise<boolean> {
    const key = keyOf(merge)
    let hasBrought = false
    for (const [hash, commit] of this.#deciding) {
      const seen = this.#places.get(hash)?.find(({ range }) => range === this.#ranges.get(key))
      if (!seen || hash === merge.hash || seen.place >= merge.place) continue
      const isBringer =
        seen.entered === null || merge.entered === null
          ? (await this.#bringersOf(key)).get(hash)?.hash === merge.hash
          : seen.entered === merge.place
      if (!isBringer) continue
      this.#broughtBy.set(commit.hash, { ...merge, pickedFrom: [], reverts: [] })
      hasBrought = true
    }
    return hasBrought
  }

  #bringersOf(key: string): Promise<ReadonlyMap<string, LineCommit>> {
    let found = this.#bringers.get(key)
    if (!found) {
      found = this.#line(key).then((line) => {
        const commits = line.map((each) => ({ ...each, pickedFrom: [], reverts: [] }))
        return bringers(commits, commits.at(-1)?.hash ?? null)
      })
      this.#bringers.set(key, found)
    }
    return found
  }

  #line(key: string) {
    let line = this.#lines.get(key)
    if (!line) {
      const [releaseId, side] = key.split(' ')
      line = this.scope.rows(LINE, { appId: this.appId, releaseId, side })
      this.#lines.set(key, line)
    }
    return line
  }

  #addRange(releaseId: string, side: CommitSide, kept: AskedRelease['edge']): void {
    const key = `${releaseId} ${side}`
    const known = kept?.map(edgeCommit)
    let edge: Promise<readonly EdgeCommit[]> | undefined = known && Promise.resolve(known)
    this.#ranges.set(key, {
      edge: () => (edge ??= this.#readEdge(key)),
      isUnread: known === undefined,
      marks: [],
      walk: () => this.#line(key),
    })
  }

  /** Returns an edge that was never recorded: it takes the whole range to determine it. */
  async #readEdge(key: string): Promise<readonly EdgeCommit[]> {
    const edge = edgeOf(await this.#line(key))
    await this.#place(edge.flatMap(({ hash }) => (this.#places.has(hash) ? [] : hash)))
    return edge
  }

  async #place(hashes: readonly string[]): Promise<Place[]> {
    const places: Place[] = []
    for (const some of chunked([...new Set(hashes)])) {
      const bound = { appId: this.appId, hashes: JSON.stringify(some) }
      places.push(...(await this.scope.rows(PLACES, bound)))
    }
    for (const each of places) this.#note(each)
    return places
  }

  #note(place: Pick<Place, 'releaseId' | 'side' | keyof Mark>): void {
    const range = this.#ranges.get(keyOf(place))
    if (!range) return
    const { hash, entered } = place
    const seen = this.#places.get(hash) ?? []
    if (seen.some((each) => each.range === range)) return
    this.#places.set(hash, [...seen, { hash, place: place.place, entered, range }])
  }

  /** Returns the commits of the change among the given ones that none of the given ones reverts. */
  #standing(among: ReadonlySet<string>): Set<string> {
    const commits = [...among].flatMap((hash) => this.#deciding.get(hash) ?? [])
    const stand = notReverted(commits, this.#brought(among))
    return new Set(stand.flatMap(({ hash }) => (this.wanted.has(hash) ? hash : [])))
  }

  #brought(among: ReadonlySet<string>): Map<string, LineCommit> {
    const brought = new Map<string, LineCommit>()
    for (const [hash, { hash: merge }] of this.#broughtBy) {
      const commit = among.has(merge) && this.#deciding.get(merge)
      if (commit) brought.set(hash, commit)
    }
    return brought
  }
}

const keyOf = ({ releaseId, side }: Pick<Place, 'releaseId' | 'side'>) => `${releaseId} ${side}`

/** Converts an edge commit from its former stored form, which has no place. */
const edgeCommit = (kept: string | EdgeCommit): EdgeCommit =>
  typeof kept === 'string' ? { hash: kept, at: null } : kept

function edgeOf(commits: readonly Pick<LineCommit, 'hash' | 'parents'>[]): EdgeCommit[] {
  const inside = new Set(commits.map(({ hash }) => hash))
  const outside = commits.flatMap(({ parents }) => parents.filter((each) => !inside.has(each)))
  return [...new Set(outside)].map((hash) => ({ hash, at: null }))
}
