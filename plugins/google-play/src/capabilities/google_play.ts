import {
  isSameVersion,
  type AppStore,
  type LocalizedMetadata,
  type Page,
  type PluginContext,
  type StoreBuild,
  type StoreReview,
  type StoreVersion,
  type StoreVersionState,
} from '@tarmac/plugin-kit'
import { buildOf, buildsOn } from '../builds.js'
import { readEdit, withEdit, type Committing, type Edit } from '../edits.js'
import { refused } from '../errors.js'
import { GooglePlay, freshnessOfList, freshnessOfEdit } from '../google.js'
import {
  codesOf,
  drafted,
  FIRST_FRACTION,
  givenTo,
  highestCode,
  holds,
  idOf,
  isReplaced,
  keepUnsent,
  lifecycleOf,
  nameOf,
  partsOf,
  placedOn,
  PRODUCTION,
  versionNameOf,
  versionOf,
  withChanged,
  type Placed,
  type TrackRelease,
} from '../releases.js'
import { replyTo, reviewsOf } from '../reviews.js'
import { rollOut, unknown } from '../rollouts.js'
import { requireShort, listingsIn, noted, notesIn, textsOf } from '../texts.js'
import { placedOnAll, summariesOf } from '../track_lists.js'

/** States in which a release can still be changed. */
const EDITABLE = ['DRAFT', 'NOT_SENT_FOR_REVIEW', 'NOT_APPROVED']

/** States after a review, even if a list lags behind. */
const REVIEWED = ['NOT_APPROVED', 'APPROVED_NOT_PUBLISHED', 'PUBLISHED']

/** Releases of an app on Google Play. The README lists the calls of each method. */
export default class GooglePlayStore implements AppStore {
  protected readonly play: GooglePlay

  constructor(protected readonly ctx: PluginContext) {
    this.play = new GooglePlay(ctx)
  }

  /**
   * Lists the releases of all tracks, because a review on any of them blocks the others; production
   * comes first.
   */
  async listVersions({
    version,
    states,
  }: {
    version?: string
    states?: StoreVersionState[]
  }): Promise<Page<StoreVersion>> {
    const { placed, seen } = await placedOnAll(this.play)
    const isTested = ({ track }: Placed) => Number(track !== PRODUCTION)
    const items = placed
      .toSorted((one, other) => isTested(one) - isTested(other))
      .map((each) => versionOf(this.ctx, each, seen, isReplaced(each, placed)))
      .filter((each) => version === undefined || isSameVersion(each.version, version))
      .filter(
        ({ status }) => !states || (status.state !== 'unknown' && states.includes(status.state))
      )
    return { items }
  }

  /** Lists builds on tracks: Google reports no version of others. */
  async listBuilds({ version }: { version?: string }): Promise<Page<StoreBuild>> {
    const seen = freshnessOfList(this.ctx)
    const tracks = await readEdit(this.play, (edit) => edit.tracks())
    const placed = tracks.flatMap((track) => placedOn(track, []))
    return { items: buildsOn(placed, version).map((each) => buildOf(this.ctx, each, seen)) }
  }

  /**
   * Commits a draft, which is not sent for review. It replaces an editable release of the same
   * version.
   */
  async prepare(input: Parameters<AppStore['prepare']>[0]): Promise<StoreVersion> {
    const { version, buildNumber, release, inAppUpdatePriority } = input
    if (typeof release === 'object') {
      throw refused('unsupported', 'Google Play cannot publish at a scheduled time', 'schedule')
    }
    const seen = freshnessOfList(this.ctx)
    const summaries = await summariesOf(this.play, PRODUCTION)
    return withEdit(this.play, async (edit) => {
      await requireUploaded(edit, buildNumber)
      const placed = placedOn(
        { track: PRODUCTION, releases: await edit.releases(PRODUCTION) },
        summaries
      )
      // Other releases may retain the version code, so the one in which it is the highest comes
      // first.
      const before =
        placed.find((each) => highestCode(each.release) === Number(buildNumber)) ??
        placed.find((each) => holds(each.release, buildNumber) && isOf(each.release, version))
      const isEditable = (each: Placed) =>
        each.release.status === 'draft' || EDITABLE.includes(lifecycleOf(each) ?? '')
      if (before && !isEditable(before)) {
        await edit.drop()
        return versionOf(this.ctx, before, seen, isReplaced(before, placed))
      }
      const now = freshnessOfEdit(this.ctx)
      const isOther = (each: Placed) =>
        each !== before && !(isEditable(each) && isOf(each.release, version))
      const others = placed.filter(isOther)
      const draft = drafted({
        ...before?.release,
        name: nameOf(version, buildNumber),
        versionCodes: before?.release.versionCodes ?? [...retainedBy(placed, others), buildNumber],
        ...(inAppUpdatePriority === undefined ? {} : { inAppUpdatePriority }),
      })
      if (before && others.length === placed.length - 1 && isSameDraft(before.release, draft)) {
        // Even a commit without changes would end the edits of everybody.
        await edit.drop()
        return versionOf(this.ctx, draftOf(draft), now)
      }
      await edit.place(PRODUCTION, [...this.#sendable(edit, others), draft], draft)
      await edit.commit()
      return versionOf(this.ctx, draftOf(draft), now)
    })
  }

  async getMetadata(versionId: string): Promise<LocalizedMetadata[]> {
    return readEdit(this.play, async (edit) => {
      const { release } = await this.#found(edit, versionId, [])
      return textsOf(await edit.listings(), release)
    })
  }

  /** Turns a rejected release into a draft, because a commit with new notes would submit it. */
  async setMetadata(versionId: string, entries: LocalizedMetadata[]): Promise<LocalizedMetadata[]> {
    requireShort(entries)
    const listings = listingsIn(entries)
    let texts: LocalizedMetadata[] = []
    await this.#change(
      versionId,
      (release, { lifecycle }) => {
        const after = noted(release, notesIn(entries))
        return lifecycle === 'NOT_APPROVED' ? drafted(after) : after
      },
      {
        async also(edit, release) {
          const all = new Map((await edit.listings()).map((each) => [each.language, each]))
          for (const each of listings) {
            const isNew = !all.has(each.language)
            all.set(each.language, await edit.putListing(each, { isNew }))
          }
          texts = textsOf([...all.values()], release)
        },
      }
    )
    return texts
  }

  /**
   * Sets the share, which a draft cannot have, and submits the release for review. A rejected
   * release becomes a draft first, because it cannot be submitted unchanged.
   */
  async submit(
    versionId: string,
    { onReviewInProgress, phased, fraction }: Parameters<AppStore['submit']>[1]
  ): Promise<StoreVersion> {
    const replacesReview = onReviewInProgress === 'replace'
    const summaries = await this.#summaries(versionId)
    let share = phased === false ? 1 : fraction
    const keepShare = ({ status, userFraction }: TrackRelease) => {
      share ??= status === 'completed' ? 1 : (userFraction ?? undefined)
    }
    if (isRefused(versionId, summaries)) {
      const again = (release: TrackRelease, { release: was }: Placed) => {
        keepShare(was)
        return drafted(release)
      }
      await this.#change(versionId, again, { replacesReview, summaries })
    }
    const sent = (release: TrackRelease, { release: was }: Placed) => {
      keepShare(was)
      return release.status === 'draft' ? givenTo(release, share ?? FIRST_FRACTION) : release
    }
    return this.#change(versionId, sent, { replacesReview, summaries, isSent: true })
  }

  /**
   * Turns the release into a draft, which is the only way to withdraw it from review. Other changes
   * are submitted again.
   */
  async cancelReview(versionId: string): Promise<StoreVersion> {
    const withdrawn = (release: TrackRelease, { lifecycle }: Placed) => {
      if (lifecycle === 'APPROVED_NOT_PUBLISHED') throw approved()
      const isReviewed = lifecycle !== null && REVIEWED.includes(lifecycle)
      if (isReviewed || release.status === 'draft') {
        throw refused('conflict', 'The release is not in review', 'notInReview')
      }
      return drafted(release)
    }
    return this.#change(versionId, withdrawn, { replacesReview: true })
  }

  setRollout(
    versionId: string,
    to: Parameters<AppStore['setRollout']>[1],
    how: Parameters<AppStore['setRollout']>[2]
  ): Promise<{ before: StoreVersion; after: StoreVersion }> {
    return rollOut(this.play, versionId, to, how)
  }

  listReviews(
    filter: Parameters<AppStore['listReviews']>[0],
    cursor?: string
  ): Promise<Page<StoreReview>> {
    return reviewsOf(this.play, filter, cursor)
  }

  replyToReview(reviewId: string, text: string): Promise<StoreReview> {
    return replyTo(this.play, reviewId, text)
  }

  /**
   * Changes one release in an edit of its own.
   * @param change gets the release as the commit may submit it, and as it was
   */
  async #change(
    id: string,
    change: (release: TrackRelease, was: Placed) => TrackRelease,
    how: Changing = {}
  ): Promise<StoreVersion> {
    const summaries = how.summaries ?? (await this.#summaries(id))
    return withEdit(this.play, async (edit) => {
      const now = freshnessOfEdit(this.ctx)
      const { track } = partsOf(id)!
      const placed = placedOn({ track, releases: await edit.releases(track) }, summaries)
      const index = placed.findIndex(({ release }) => idOf(track, release) === id)
      if (index === -1) throw unknown(id)
      const releases = this.#sendable(edit, placed)
      const after = change(releases[index], placed[index])
      await edit.place(track, withChanged(releases, releases[index], after), after)
      await how.also?.(edit, after)
      await edit.commit(how)
      const isWaiting = edit.isKeptBack && after.status !== 'draft'
      return versionOf(this.ctx, committed(placed[index], after, { isWaiting, ...how }), now)
    })
  }

  async #found(edit: Edit, id: string, summaries: Parameters<typeof placedOn>[1]) {
    const { track } = partsOf(id) ?? { track: null }
    if (track === null) throw unknown(id)
    const placed = placedOn({ track, releases: await edit.releases(track) }, summaries)
    const found = placed.find(({ release }) => idOf(track, release) === id)
    if (!found) throw unknown(id)
    return found
  }

  async #summaries(id: string) {
    const parts = partsOf(id)
    if (!parts) throw unknown(id)
    return summariesOf(this.play, parts.track)
  }

  /** Returns the releases such that the commit does not submit unrequested changes. */
  #sendable(edit: Edit, placed: readonly Placed[]): TrackRelease[] {
    return edit.isKeptBack ? placed.map(({ release }) => release) : keepUnsent(placed)
  }
}

const approved = () =>
  refused(
    'conflict',
    'The release is approved.',
    'approved',
    'Whoever may release the app in the Play Console discards it there, under Publishing overview.'
  )

interface Changing extends Committing {
  /** The summaries of the track's releases; read if absent. */
  summaries?: Parameters<typeof placedOn>[1]
  /** The commit submits the release for review. */
  isSent?: boolean
  /** Further changes of the edit. */
  also?: (edit: Edit, release: TrackRelease) => Promise<void>
}

const draftOf = (release: TrackRelease): Placed => ({
  track: PRODUCTION,
  release,
  ...{ lifecycle: 'DRAFT', isUnsent: false },
})

/** Returns the release after a commit, whose answer does not contain it. */
function committed(
  before: Placed,
  release: TrackRelease,
  { isWaiting, isSent = false }: { isWaiting: boolean; isSent?: boolean }
): Placed {
  const { track, lifecycle } = before
  if (release.status === 'draft') return { ...draftOf(release), track }
  if (lifecycle === 'PUBLISHED') return { ...before, release }
  if (isWaiting) return { track, release, lifecycle: 'NOT_SENT_FOR_REVIEW', isUnsent: true }
  return { ...before, release, lifecycle: isSent ? 'IN_REVIEW' : lifecycle, isUnsent: false }
}

/** Returns whether a review has rejected a release, according to its summary. */
function isRefused(id: string, summaries: Parameters<typeof placedOn>[1]): boolean {
  const { track, code } = partsOf(id)!
  const release = { versionCodes: [String(code)] }
  const [{ lifecycle }] = placedOn({ track, releases: [release] }, summaries)
  return lifecycle === 'NOT_APPROVED'
}

const isSameDraft = (one: TrackRelease, other: TrackRelease) =>
  one.status === other.status &&
  one.name === other.name &&
  (one.inAppUpdatePriority ?? 0) === (other.inAppUpdatePriority ?? 0)

/** Returns the version codes that replaced drafts retain from releases that stay. */
function retainedBy(placed: readonly Placed[], others: readonly Placed[]): string[] {
  const gone = placed.filter((each) => !others.includes(each))
  const codes = gone.flatMap(({ release }) => release.versionCodes ?? [])
  return [...new Set(codes)].filter((code) => others.some(({ release }) => holds(release, code)))
}

const isOf = (release: TrackRelease, version: string) =>
  isSameVersion(versionNameOf(release.name, codesOf(release)), version)

/** @throws ProviderError `notFound` for a build that was never uploaded */
async function requireUploaded(edit: Edit, code: string): Promise<void> {
  if ((await edit.codes()).has(code) || (await edit.codesOfApks()).has(code)) return
  throw refused('notFound', `Nothing with the version code ${code} was uploaded`, 'buildUnknown')
}
