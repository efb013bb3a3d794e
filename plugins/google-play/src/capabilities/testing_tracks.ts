import type {
  BetaState,
  BetaTesting,
  Observed,
  Page,
  PluginContext,
  StoreBuild,
} from '@tarmac/plugin-kit'
import { buildOf, buildsOn, type Held } from '../builds.js'
import { readEdit, withEdit, type Edit } from '../edits.js'
import { refused } from '../errors.js'
import { GooglePlay, freshnessOfList, freshnessOfEdit } from '../google.js'
import {
  completed,
  drafted,
  holds,
  isInternal,
  keepUnsent,
  lifecycleOf,
  nameOf,
  placedOn,
  PRODUCTION,
  rawOf,
  stateOf,
  type Placed,
  type Track,
  type TrackRelease,
} from '../releases.js'
import { requireShort, noted, type Note } from '../texts.js'
import { placedOnAll, summariesOf } from '../track_lists.js'

/** The kit's states of a release on a testing track, the least advanced first. */
const STATES = {
  DRAFT: 'processing',
  NOT_SENT_FOR_REVIEW: 'processing',
  NOT_APPROVED: 'rejected',
  IN_REVIEW: 'inReview',
  APPROVED_NOT_PUBLISHED: 'inReview',
  halted: 'expired',
  inProgress: 'testing',
  completed: 'testing',
} as const

const ORDER = Object.keys(STATES)

const NAMES: Readonly<Record<string, string>> = {
  internal: 'Internal testing',
  qa: 'Internal testing',
  alpha: 'Closed testing',
  beta: 'Open testing',
}

const isTesting = (track: string) => track !== PRODUCTION && !track.endsWith(`:${PRODUCTION}`)

const progressOf = (placed: Placed) =>
  lifecycleOf(placed) === null ? -1 : ORDER.indexOf(rawOf(placed))

/** Returns the least advanced release; an unknown state comes first. */
const leastOf = (placed: readonly Placed[]): Placed | undefined =>
  placed.toSorted((one, other) => progressOf(one) - progressOf(other)).at(0)

/** Testing tracks of an app: the groups that builds are given to. */
export default class GooglePlayTesting implements BetaTesting {
  protected readonly play: GooglePlay

  constructor(protected readonly ctx: PluginContext) {
    this.play = new GooglePlay(ctx)
  }

  async listGroups(): Promise<Page<{ id: string; name: string; internal: boolean }>> {
    const tracks = await readEdit(this.play, (edit) => edit.tracks())
    const items = namesOf(tracks).map((id) => ({
      id,
      name: NAMES[id] ?? id,
      internal: isInternal(id),
    }))
    return { items }
  }

  /** Lists builds on tracks, with the state on the least advanced testing track. */
  async listBuilds({ version }: { version?: string }): Promise<Page<StoreBuild>> {
    const { placed, seen } = await placedOnAll(
      this.play,
      (each) => isTesting(each.track) && each.release.status !== 'draft'
    )
    const items = buildsOn(placed, version).map((held) => {
      const given = held.on.filter(
        ({ track, release }) => isTesting(track) && release.status !== 'draft'
      )
      const least = leastOf(given)
      const testing = least && { testing: stateOf(this.ctx, STATES, least, seen) }
      return { ...buildOf(this.ctx, held, seen), ...testing }
    })
    return { items }
  }

  /**
   * Sets the notes of the releases on testing tracks that contain the build, or of a new draft for
   * internal testing.
   */
  async setNotes(buildId: string, notes: { locale: string; text: string }[]): Promise<void> {
    requireShort(notes.map(({ locale, text }) => ({ locale, whatsNew: text })))
    const given = notes.map(({ locale, text }): Note => ({ language: locale, text }))
    await withEdit(this.play, async (edit) => {
      const tracks = await edit.tracks()
      const held = heldOn(tracks, buildId)
      const changed = new Map<string, TrackRelease[]>()
      for (const { track = '', releases = [] } of tracks.filter(isForTesters)) {
        if (!releases.some((each) => holds(each, buildId))) continue
        changed.set(
          track!,
          releases.map((each) => (holds(each, buildId) ? noted(each, given) : each))
        )
      }
      if (changed.size === 0) {
        const house = tracks.find(({ track }) => isInternal(track ?? ''))
        if (!house) throw refused('notFound', 'The app has no internal testing track', 'noTrack')
        const draft = noted(drafted(releaseOf(held)), given)
        changed.set(house.track!, [...(house.releases ?? []), draft])
      }
      await this.#commit(edit, tracks, changed)
    })
  }

  async distribute(buildId: string, groupIds: string[]): Promise<Observed<BetaState>> {
    if (groupIds.length === 0) throw noTrack()
    const began = { now: freshnessOfEdit(this.ctx), then: freshnessOfList(this.ctx) }
    const given = await withEdit(this.play, async (edit) => {
      const tracks = await edit.tracks()
      const held = heldOn(tracks, buildId)
      const stranger = groupIds.find((id) => !namesOf(tracks).includes(id))
      if (stranger !== undefined) {
        throw refused('notFound', `There is no testing track ${stranger}`, 'trackUnknown')
      }
      const changed = new Map<string, TrackRelease[]>()
      for (const id of groupIds) {
        const { releases = [] } = tracks.find(({ track }) => track === id)!
        const next = givenTo(releases, held)
        if (next) changed.set(id, next)
      }
      if (changed.size > 0) await this.#commit(edit, tracks, changed)
      else await edit.drop()
      return { tracks, changed, isKeptBack: edit.isKeptBack }
    })
    const { tracks, changed, isKeptBack } = given
    const placed = await Promise.all(
      groupIds.map((id) => {
        const next = changed.get(id)?.find((each) => holds(each, buildId))
        if (next) return committedTo(id, next, isKeptBack)
        return this.#placedOn(
          tracks.find(({ track }) => track === id)!,
          buildId
        )
      })
    )
    const least = leastOf(placed)
    const isRead = changed.size < groupIds.length
    const seen = isRead ? began.then : began.now
    return stateOf(this.ctx, STATES, least!, seen)
  }

  /** Returns a build on a track that contains it, with the state of its review. */
  async #placedOn(track: Track, code: string): Promise<Placed> {
    const placed = placedOn(track, await summariesOf(this.play, track.track ?? ''))
    return placed.find(({ release }) => holds(release, code))!
  }

  /** Commits some tracks, without submitting changes on other tracks that wait for a person. */
  async #commit(edit: Edit, tracks: readonly Track[], changed: Map<string, TrackRelease[]>) {
    const isSent = [...changed.keys()].some((track) => !isInternal(track))
    if (isSent && !edit.isKeptBack) {
      for (const track of tracks) {
        const { track: id, releases = [] } = track
        const isOther = !changed.has(id ?? '') && releases.some(({ status }) => status !== 'draft')
        if (!isOther) continue
        const placed = placedOn(track, await summariesOf(this.play, id ?? ''))
        const sendable = keepUnsent(placed)
        const isSame = sendable.every((each, index) => each === placed[index].release)
        if (!isSame) await edit.place(id!, sendable)
      }
    }
    for (const [track, releases] of changed) await edit.place(track, releases)
    await edit.commit()
  }
}

const noTrack = () => refused('invalid', 'The build is given to no track', 'noTrack')

const isForTesters = ({ track }: Track) => isTesting(track ?? '')

const namesOf = (tracks: readonly Track[]) =>
  tracks.filter(isForTesters).flatMap(({ track }) => track ?? [])

/** @throws ProviderError `notFound` for a build that is on no track */
function heldOn(tracks: readonly Track[], buildId: string): Held {
  const placed = tracks.flatMap((track) => placedOn(track, []))
  const held = buildsOn(placed).find(({ code }) => String(code) === buildId)
  if (held) return held
  throw refused('notFound', `There is no build ${buildId} on a track`, 'buildUnknown')
}

const releaseOf = ({ code, version }: Held): TrackRelease => ({
  name: nameOf(version, String(code)),
  versionCodes: [String(code)],
  status: 'completed',
})

/** Returns a release on a testing track after a commit. */
function committedTo(track: string, release: TrackRelease, isKeptBack: boolean): Placed {
  const sent = isKeptBack ? 'NOT_SENT_FOR_REVIEW' : 'IN_REVIEW'
  return { track, release, lifecycle: isInternal(track) ? 'PUBLISHED' : sent, isUnsent: false }
}

/** Gives a build to the testers of a track; null if they already have it. */
function givenTo(releases: readonly TrackRelease[], held: Held): TrackRelease[] | null {
  const before = releases.find((each) => holds(each, String(held.code)))
  if (before && before.status !== 'draft') return null
  const given = completed(before ?? releaseOf(held))
  // A track has one completed release, beside drafts.
  return [...releases.filter((each) => each !== before && each.status === 'draft'), given]
}
