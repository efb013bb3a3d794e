import type {
  AppStore,
  LocalizedMetadata,
  OnReviewInProgress,
  StoreVersion,
  StoreVersionState,
} from '#plugin-kit/capabilities/stores'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { isSameVersion } from '#plugin-kit/version_names'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { replyAt, reviewsAt } from '../shared/store_review.js'
import { allOf, asItIs, listOf, named, pageOf, type Seen } from '../shared/world_pages.js'
import { isRefusedFor, packageOf, refusal, withEdit, type Committing, type Edit } from './edits.js'
import {
  completed,
  drafted,
  FIRST_FRACTION,
  isPublished,
  isReplaced,
  staged,
  undrafted,
  versionOf,
  type EditRelease,
  type WorldRelease,
} from './releases.js'

type Rollout = Parameters<AppStore['setRollout']>[1]
type InReview = Mutation & { onReviewInProgress: OnReviewInProgress }

const TRACK = 'production'

/** Releases of the Google Play of a simulated world; those on the production track are changed. */
export default class SimulatedGooglePlay implements AppStore {
  constructor(private readonly ctx: PluginContext) {}

  /**
   * Lists versions on all tracks, because a review on any of them blocks the others; production
   * comes first.
   */
  async listVersions({
    version,
    states,
  }: {
    version?: string
    states?: StoreVersionState[]
  }): Promise<Page<StoreVersion>> {
    const { releases, seen } = await this.#listed('-')
    const isTested = ({ track }: WorldRelease) => Number(track !== TRACK)
    const items = releases
      .toSorted((one, other) => isTested(one) - isTested(other))
      .map((each) => versionOf(this.ctx, each, seen, isReplaced(each, releases)))
      .filter((each) => version === undefined || isSameVersion(each.version, version))
      .filter(
        ({ status }) => !states || (status.state !== 'unknown' && states.includes(status.state))
      )
    return { items }
  }

  async listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    const query = { ...filter, ...named(filter.version), cursor }
    const present = asItIs(this.ctx)
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('bundles'), query })
    return { ...page, items: page.items.map((each) => buildOf(this.ctx, each, present)) }
  }

  /** Commits a draft, which is never sent for review. It replaces a draft of another build. */
  async prepare(input: Parameters<AppStore['prepare']>[0]): Promise<StoreVersion> {
    const { version, buildNumber, phased, fraction = FIRST_FRACTION, release } = input
    const { inAppUpdatePriority } = input
    if (typeof release === 'object') {
      throw refusal('unsupported', 'schedule', 'Google Play cannot publish at a scheduled time')
    }
    const builds = await allOf<WorldBuild>(this.ctx, {
      ...this.#at('bundles'),
      query: named(version),
    })
    const numbers = new Set(builds.map(({ number }) => number))
    if (!numbers.has(buildNumber)) {
      throw refusal('notFound', 'buildUnknown', `There is no build ${buildNumber}`)
    }
    const { releases: listed, seen } = await this.#listed()
    const known = listed.find((each) => each.versionCodes.includes(buildNumber))
    if (known && !EDITABLE.has(known.releaseLifecycleState)) {
      return versionOf(this.ctx, known, seen, isReplaced(known, listed))
    }
    const editable = new Set(
      listed.flatMap((each) => (EDITABLE.has(each.releaseLifecycleState) ? [each.id] : []))
    )
    const isBefore = ({ id, status, versionCodes }: EditRelease) =>
      versionCodes.some((each) => numbers.has(each)) &&
      (status === 'draft' || versionCodes.includes(buildNumber) || editable.has(id ?? ''))
    return withEdit(this.ctx, async (edit) => {
      const present = asItIs(this.ctx)
      const releases = await edit.sendable(TRACK, listed)
      const before = releases.find((each) => each.versionCodes.includes(buildNumber))
      const draft = drafted({
        name: `${version} (${buildNumber})`,
        versionCodes: [buildNumber],
        releaseNotes: before?.releaseNotes ?? [],
        userFraction: phased ? fraction : null,
        ...(inAppUpdatePriority === undefined ? {} : { inAppUpdatePriority }),
      })
      await edit.place(TRACK, [...releases.filter((each) => !isBefore(each)), draft])
      const made = await edit.commit({ isManaged: release === 'manual' })
      const found = made.releases.find((each) => each.versionCodes.includes(buildNumber))
      return versionOf(this.ctx, found!, present)
    })
  }

  async getMetadata(versionId: string): Promise<LocalizedMetadata[]> {
    const { releaseNotes } = await withEdit(this.ctx, async (edit) => {
      const found = requireRelease(await edit.releases(TRACK), versionId)
      await edit.drop()
      return found
    })
    const { items } = await pageOf<LocalizedMetadata>(this.ctx, this.#at('listings'))
    const notes = releaseNotes.map(({ language, text }) => ({ locale: language, whatsNew: text }))
    return merged(items, notes)
  }

  /** Turns a rejected release into a draft: otherwise a commit with new notes would send it. */
  async setMetadata(versionId: string, entries: LocalizedMetadata[]): Promise<LocalizedMetadata[]> {
    const { releases: listed } = await this.#listed()
    const listings = entries
      .map(({ whatsNew, ...listing }) => listing)
      .filter((each) => Object.keys(each).length > 1)
    const isDraftAgain = isRejected(listed, versionId)
    await this.#change(
      versionId,
      (release) => {
        const noted = { ...release, releaseNotes: notesWith(release, entries) }
        return isDraftAgain && release.status !== 'draft' ? drafted(noted) : noted
      },
      { listed, listings }
    )
    return this.getMetadata(versionId)
  }

  /** Turns a rejected release into a draft first, because it cannot be submitted unchanged. */
  async submit(
    versionId: string,
    { onReviewInProgress, phased, fraction }: Parameters<AppStore['submit']>[1]
  ): Promise<StoreVersion> {
    const { releases: listed } = await this.#listed()
    const how = { listed, replacesReview: onReviewInProgress === 'replace' }
    if (isRejected(listed, versionId)) {
      await this.#change(versionId, (each) => (each.status === 'draft' ? each : drafted(each)), how)
    }
    const share = phased === false ? 1 : fraction
    return this.#change(versionId, (each) => undrafted(each, share), how)
  }

  /**
   * Turns the release into a draft, which is the only way to leave a review. Other changes are sent
   * again.
   */
  async cancelReview(versionId: string): Promise<StoreVersion> {
    const { releases: listed } = await this.#listed()
    const known = listed.find(({ id }) => id === versionId)
    const notInReview = () => refusal('conflict', 'notInReview', 'The release is not in review')
    if (known && REVIEWED.has(known.releaseLifecycleState)) throw notInReview()
    const withdraw = (release: EditRelease) => {
      if (release.status === 'draft') throw notInReview()
      return drafted(release)
    }
    return this.#change(versionId, withdraw, { listed, replacesReview: true })
  }

  async setRollout(
    versionId: string,
    to: Rollout,
    { onReviewInProgress }: InReview
  ): Promise<{ before: StoreVersion; after: StoreVersion }> {
    const step = stepOf(to)
    const isStop = 'action' in to && (to.action === 'pause' || to.action === 'halt')
    const list = await this.#listed()
    const replacesReview = onReviewInProgress === 'replace'
    try {
      const change: Rolling = { versionId, step, isStop, replacesReview, began: null }
      return await withEdit(this.ctx, (edit) => this.#roll(edit, list, change), { isStop })
    } catch (error) {
      // On this track, only an unpublished release cannot be halted.
      throw isStop && isRefusedFor(error, 'statusNotAllowed') ? notLive() : error
    }
  }

  async #roll(edit: Edit, { releases: listed, seen }: Listed, change: Rolling) {
    const { versionId, step, isStop, replacesReview } = change
    const present = asItIs(this.ctx)
    const known = listed.find(({ id }) => id === versionId)
    const releases = await edit.sendable(TRACK, listed)
    const was = releases.find(({ id }) => id === versionId)
    if (!was && known && isReplaced(known, listed)) {
      throw refusal('preconditionFailed', 'replaced', 'A higher version has replaced the release')
    }
    const next = step(requireRelease(releases, versionId))
    // A repeated edit must not undo a halt that somebody made meanwhile.
    change.began ??= was!.status
    if (!isStop && was!.status === 'halted' && change.began !== 'halted') {
      throw refusal('conflict', 'stoppedMeanwhile', 'The rollout was halted in the meantime')
    }
    const isOut = (known && isPublished(known)) || was!.status === 'halted'
    // A changed share of an unpublished release would go to another review; a stop is left to
    // Google.
    if (was!.status === 'draft' || (!isOut && !isStop)) throw notLive()
    const isSame = next.status === was!.status && next.userFraction === was!.userFraction
    await edit.place(
      TRACK,
      releases.map((each) => (each === was ? next : each))
    )
    const asEdited = (release: WorldRelease): WorldRelease => ({
      ...release,
      status: was!.status,
      userFraction: was!.userFraction,
      releaseLifecycleState: 'PUBLISHED',
      waitsForSending: false,
    })
    try {
      const made = await edit.commit({ replacesReview: replacesReview && !isSame })
      const after = requireRelease(made.releases, versionId)
      const isUnsent = made.isKeptBack || known?.waitsForSending
      // Edits also show changes that wait to be sent, which no user has.
      const before =
        known && isUnsent
          ? versionOf(this.ctx, known, seen)
          : versionOf(this.ctx, asEdited(after), present)
      return { before, after: versionOf(this.ctx, after, present) }
    } catch (error) {
      // A review includes all waiting changes, so the present rollout is what users have.
      if (!isSame || !known || !isRefusedFor(error, 'reviewInProgress')) throw error
      const version = versionOf(this.ctx, asEdited(known), present)
      return { before: version, after: version }
    }
  }

  listReviews(filter: Parameters<AppStore['listReviews']>[0], cursor?: string) {
    return reviewsAt(this.ctx, this.#at('reviews'), filter, cursor)
  }

  replyToReview(reviewId: string, text: string) {
    return replyAt(this.ctx, this.#at('reviews/{id}/reply', { id: reviewId }), text)
  }

  /**
   * Changes one release in an edit of its own. @param how includes the releases as lists show them
   */
  async #change(
    id: string,
    change: (release: EditRelease) => EditRelease,
    how: Committing & { listings?: object[]; listed: readonly WorldRelease[] }
  ): Promise<StoreVersion> {
    return withEdit(this.ctx, async (edit) => {
      const present = asItIs(this.ctx)
      const releases = await edit.sendable(TRACK, how.listed)
      const before = requireRelease(releases, id)
      await edit.place(
        TRACK,
        releases.map((each) => (each === before ? change(before) : each))
      )
      if (how.listings?.length) await edit.putListings(how.listings)
      const made = await edit.commit(how)
      return versionOf(this.ctx, requireRelease(made.releases, id), present)
    })
  }

  /**
   * Returns all releases of a track, or of all tracks (`-`), as lists with a lag show them,
   * including obsolete ones.
   */
  async #listed(track = TRACK): Promise<Listed> {
    const at = this.#at('tracks/{track}/releases', { track })
    const { items, seen } = await listOf<WorldRelease>(this.ctx, {
      ...at,
      query: { obsolete: true },
    })
    return { releases: items, seen }
  }

  #at(path: string, params: Record<string, string> = {}) {
    return {
      path: `/v1/google/{package}/${path}`,
      params: { package: packageOf(this.ctx), ...params },
    }
  }
}

interface Listed {
  releases: WorldRelease[]
  seen: Seen
}

interface Rolling {
  versionId: string
  step: (release: EditRelease) => EditRelease
  isStop: boolean
  replacesReview: boolean
  /** The state that the first edit found; null before it. */
  began: EditRelease['status'] | null
}

/** States in which a release can still be changed. */
const EDITABLE = new Set(['DRAFT', 'NOT_SENT_FOR_REVIEW', 'NOT_APPROVED'])
/** States after a review, even if a list lags behind. */
const REVIEWED = new Set(['NOT_APPROVED', 'APPROVED_NOT_PUBLISHED', 'PUBLISHED'])

const isRejected = (listed: readonly WorldRelease[], versionId: string) =>
  listed.some(
    ({ id, releaseLifecycleState }) => id === versionId && releaseLifecycleState === 'NOT_APPROVED'
  )

const notLive = () => refusal('preconditionFailed', 'notLive', 'The release is not published')

function requireRelease<Release extends EditRelease>(
  releases: readonly Release[],
  id: string
): Release {
  const found = releases.find((each) => each.id === id)
  if (found) return found
  throw refusal('notFound', 'releaseUnknown', `There is no release ${id}`)
}

function notesWith({ releaseNotes }: EditRelease, entries: LocalizedMetadata[]) {
  const given = entries.flatMap(({ locale, whatsNew }) =>
    whatsNew === undefined ? [] : [{ language: locale, text: whatsNew }]
  )
  const isGiven = (language: string) => given.some((each) => each.language === language)
  return [...releaseNotes.filter(({ language }) => !isGiven(language)), ...given]
}

/** Merges lists of texts by locale. */
function merged(...lists: LocalizedMetadata[][]): LocalizedMetadata[] {
  const all = new Map<string, LocalizedMetadata>()
  for (const each of lists.flat()) all.set(each.locale, { ...all.get(each.locale), ...each })
  return [...all.values()]
}

/** Returns the change of a published release. A share resumes a halted one. */
function stepOf(to: Rollout): (release: EditRelease) => EditRelease {
  if ('fraction' in to) {
    const { fraction } = to
    if (fraction === 1) return completed
    if (fraction > 0 && fraction < 1) return (release) => staged(release, fraction)
    throw refusal('invalid', 'fraction', 'A share of users is above 0 and at most 1')
  }
  const { action } = to
  if (action === 'complete') return completed
  if (action === 'pause' || action === 'halt') return (each) => ({ ...each, status: 'halted' })
  // A release that was halted after it reached all users resumes for all.
  return (release) =>
    release.userFraction === null ? completed(release) : staged(release, release.userFraction)
}
