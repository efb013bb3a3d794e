import type {
  AppStore,
  LocalizedMetadata,
  StoreVersion,
  StoreVersionState,
} from '#plugin-kit/capabilities/stores'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { replyAt, reviewsAt } from '../shared/store_review.js'
import { allOf, observed, pageOf } from '../shared/world_pages.js'
import {
  packageOf,
  rawOf,
  refusal,
  REVIEWS,
  STATES,
  withDrafts,
  withEdit,
  type Committing,
  type EditRelease,
  type WorldRelease,
} from './edits.js'

type Rollout = Parameters<AppStore['setRollout']>[1]

const TRACK = 'production'
/** What a staged rollout begins with, of the users. */
const FIRST_FRACTION = 0.01

/** Releases on the production track of the Google Play of a simulated world. */
export default class SimulatedGooglePlay implements AppStore {
  constructor(private readonly ctx: PluginContext) {}

  async listVersions(
    { version, states }: { version?: string; states?: StoreVersionState[] },
    cursor?: string
  ): Promise<Page<StoreVersion>> {
    const at = this.#at('tracks/{track}/releases', { track: TRACK })
    const page = await pageOf<WorldRelease>(this.ctx, { ...at, query: { cursor } })
    const items = page.items
      .map((each) => this.#versionOf(each))
      .filter((each) => version === undefined || each.version === version)
      .filter(
        ({ status }) => !states || (status.state !== 'unknown' && states.includes(status.state))
      )
    return { ...page, items }
  }

  async listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    const query = { ...filter, cursor }
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('bundles'), query })
    return { ...page, items: page.items.map((each) => buildOf(this.ctx, each)) }
  }

  /**
   * Commits the release without sending it for review: so the store itself keeps how it is to be
   * rolled out.
   */
  async prepare(input: Parameters<AppStore['prepare']>[0]): Promise<StoreVersion> {
    const { version, buildNumber, phased, fraction = FIRST_FRACTION, release } = input
    if (typeof release === 'object') {
      throw refusal('unsupported', 'schedule', 'Google Play publishes at no time given before')
    }
    const builds = await allOf<WorldBuild>(this.ctx, {
      ...this.#at('bundles'),
      query: { version },
    })
    if (!builds.some(({ number }) => number === buildNumber)) {
      throw refusal('notFound', 'buildUnknown', `There is no build ${buildNumber}`)
    }
    const all = await this.#releases()
    const known = all.find((each) => each.versionCodes.includes(buildNumber))
    if (known && !EDITABLE.has(known.releaseLifecycleState)) return this.#versionOf(known)
    // What was prepared before would be sent along.
    const unsent = new Set(
      all.filter((each) => EDITABLE.has(each.releaseLifecycleState)).map(({ id }) => id)
    )
    const wanted = phased
      ? { status: 'inProgress' as const, userFraction: fraction }
      : { status: 'completed' as const, userFraction: null }
    const made = await withEdit(this.ctx, async (edit) => {
      const releases = await edit.releases(TRACK)
      const before = releases.find((each) => each.versionCodes.includes(buildNumber))
      const fresh: EditRelease = {
        name: `${version} (${buildNumber})`,
        versionCodes: [buildNumber],
        releaseNotes: before?.releaseNotes ?? [],
        ...wanted,
      }
      const isKept = (each: EditRelease) =>
        each !== before && each.status !== 'draft' && !unsent.has(each.id ?? '')
      await edit.place(TRACK, [...releases.filter(isKept), fresh])
      return edit.commit({ isKeptBack: true, isManaged: release === 'manual' })
    })
    return this.#versionOf(made.find((each) => each.versionCodes.includes(buildNumber))!)
  }

  async getMetadata(versionId: string): Promise<LocalizedMetadata[]> {
    const { releaseNotes } = await withEdit(this.ctx, async (edit) => {
      const found = found404(await edit.releases(TRACK), versionId)
      await edit.drop()
      return found
    })
    const { items } = await pageOf<LocalizedMetadata>(this.ctx, this.#at('listings'))
    const notes = releaseNotes.map(({ language, text }) => ({ locale: language, whatsNew: text }))
    return merged(items, notes)
  }

  async setMetadata(versionId: string, entries: LocalizedMetadata[]): Promise<LocalizedMetadata[]> {
    const listings = entries
      .map(({ whatsNew, ...listing }) => listing)
      .filter((each) => Object.keys(each).length > 1)
    await this.#change(
      versionId,
      (release) => ({ ...release, releaseNotes: notesWith(release, entries) }),
      { isKeptBack: true, listings }
    )
    return this.getMetadata(versionId)
  }

  async submit(
    versionId: string,
    { onReviewInProgress }: Mutation & { onReviewInProgress: 'fail' | 'replace' }
  ): Promise<StoreVersion> {
    const staged = { status: 'inProgress', userFraction: FIRST_FRACTION } as const
    return this.#change(
      versionId,
      (release) => (release.status === 'draft' ? { ...release, ...staged } : release),
      { replacesReview: onReviewInProgress === 'replace' }
    )
  }

  /** A draft is in no review; that is the only way out of one. */
  async cancelReview(versionId: string): Promise<StoreVersion> {
    const found = found404(await this.#releases(), versionId)
    if (found.releaseLifecycleState !== 'IN_REVIEW') {
      throw refusal('conflict', 'notInReview', 'The release is not in review')
    }
    const draft = { status: 'draft', userFraction: null } as const
    return this.#change(versionId, (release) => ({ ...release, ...draft }), {
      replacesReview: true,
      isKeptBack: true,
    })
  }

  async release(versionId: string): Promise<StoreVersion> {
    const { body } = await this.ctx.http.send<WorldRelease>({
      method: 'POST',
      ...this.#at('releases/{id}/publish', { id: versionId }),
      json: {},
    })
    return this.#versionOf(body)
  }

  async setRollout(versionId: string, to: Rollout): Promise<StoreVersion> {
    const wanted = stepOf(to)
    const listed = await this.#releases()
    if (found404(listed, versionId).releaseLifecycleState !== 'PUBLISHED') {
      throw refusal('preconditionFailed', 'notLive', 'The release is not published')
    }
    return this.#change(versionId, wanted, { listed })
  }

  listReviews(filter: Parameters<AppStore['listReviews']>[0], cursor?: string) {
    return reviewsAt(this.ctx, this.#at('reviews'), filter, cursor)
  }

  replyToReview(reviewId: string, text: string) {
    return replyAt(this.ctx, this.#at('reviews/{id}/reply', { id: reviewId }), text)
  }

  /**
   * Changes one release in an edit of its own.
   * @param how.listed the releases as lists show them, where others are not to be sent along
   */
  async #change(
    id: string,
    change: (release: EditRelease) => EditRelease,
    how: Committing & { listings?: object[]; listed?: WorldRelease[] }
  ): Promise<StoreVersion> {
    const made = await withEdit(this.ctx, async (edit) => {
      const present = await edit.releases(TRACK)
      const releases = how.listed ? withDrafts(present, how.listed) : present
      const before = found404(releases, id)
      await edit.place(
        TRACK,
        releases.map((each) => (each === before ? change(before) : each))
      )
      if (how.listings?.length) await edit.putListings(how.listings)
      return edit.commit(how)
    })
    return this.#versionOf(found404(made, id))
  }

  /** As lists show them, which lag behind a little. */
  #releases(): Promise<WorldRelease[]> {
    return allOf<WorldRelease>(this.ctx, this.#at('tracks/{track}/releases', { track: TRACK }))
  }

  #at(path: string, params: Record<string, string> = {}) {
    return {
      path: `/v1/google/{package}/${path}`,
      params: { package: packageOf(this.ctx), ...params },
    }
  }

  #versionOf(release: WorldRelease): StoreVersion {
    const { id, versionName, track, bundleId, status, userFraction } = release
    const isPublished = release.releaseLifecycleState === 'PUBLISHED'
    const whole = status === 'draft' ? {} : { fraction: userFraction ?? 1 }
    return {
      id,
      version: versionName,
      track,
      buildNumbers: release.versionCodes,
      ...(bundleId === undefined ? {} : { buildId: bundleId }),
      ...(release.name === null ? {} : { name: release.name }),
      status: observed(this.ctx, STATES, rawOf(release)),
      review: observed(this.ctx, REVIEWS, release.releaseLifecycleState),
      ...(release.submissionId === null ? {} : { submissionId: release.submissionId }),
      release: { method: release.managedPublishing ? 'manual' : 'auto' },
      rollout: {
        mode: 'staged',
        state: isPublished ? ROLLOUTS[status] : 'inactive',
        raw: status,
        ...(isPublished ? whole : {}),
      },
    }
  }
}

const ROLLOUTS = {
  draft: 'inactive',
  inProgress: 'active',
  halted: 'halted',
  completed: 'complete',
} as const

/** What can still be prepared otherwise. */
const EDITABLE = new Set(['DRAFT', 'NOT_SENT_FOR_REVIEW', 'NOT_APPROVED'])

function found404<Release extends EditRelease>(releases: Release[], id: string): Release {
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

/** Texts of several places, by locale. */
function merged(...lists: LocalizedMetadata[][]): LocalizedMetadata[] {
  const all = new Map<string, LocalizedMetadata>()
  for (const each of lists.flat()) all.set(each.locale, { ...all.get(each.locale), ...each })
  return [...all.values()]
}

/** What becomes of a release that is published. */
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
  // One that was halted after all had it goes on to all.
  return (release) =>
    release.userFraction === null ? completed(release) : staged(release, release.userFraction)
}

const completed = (release: EditRelease): EditRelease => ({
  ...release,
  status: 'completed',
  userFraction: null,
})

const staged = (release: EditRelease, userFraction: number): EditRelease => ({
  ...release,
  status: 'inProgress',
  userFraction,
})
