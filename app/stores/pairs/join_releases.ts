import { storeKindOfApp } from '#apps/queries/app_summary'
import type { StoreKind } from '#apps/vocabulary'
import { change, of } from '#foundation/core/database/statement'
import { newId } from '#foundation/core/ids'
import { helpOn } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type Release from '#releases/models/release'
import { parseReleaseId } from '#releases/names/public_release_id'
import { readReferencedRelease } from '#releases/queries/find_release'
import type { ReleaseRow } from '#releases/queries/read_release'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { isEnded } from '#releases/lifecycle/open_releases'
import { standingIn } from '../decisions/possible.js'
import { storesOfRelease, type StoreOfRelease } from '../queries/store_state.js'
import { isInReview, releasesByItself } from '../reconciler/states.js'
import type { StoreType } from '../vocabulary.js'
import { releasePairs } from '../tables.js'
import { pairOf } from './find_pair.js'
import { planPairCheckOf, reportOther } from './plan_pair_check.js'
import { nameOfSide } from './pair_names.js'
import { OTHER } from './pair_step.js'
import type { JoinInput } from './pair_input.js'

const JOIN = change(
  `insert into release_pairs (id, organization_id, apple_app_id, apple_release_id, google_app_id,
    google_release_id, joined_by, joined_at, takeoff, is_reported)
  values (:id, :org, :appleAppId, :appleReleaseId, :googleAppId, :googleReleaseId, :joinedBy, :now,
    null, false)
  on conflict do nothing`,
  of(releasePairs, 'release_pairs', ['id'])
)

const KINDS: Readonly<Record<StoreKind, string>> = {
  apple: 'for the App Store',
  google: 'for Google Play',
  ota: 'updated over the air',
}

type AnyRelease = Release | ReleaseRow

/** Joins a release for iOS and one for Android: both go out together. */
export class JoinReleases {
  constructor(private readonly scope: Scope) {}

  /**
   * @throws not_found; release_paired, platforms_alike, release_completed, release_skipped,
   *   integration_missing, already_out, store_busy, goes_out_by_itself, managed_publishing_needed
   */
  async handle(release: Release, { releaseId, managedPublishing }: JoinInput): Promise<void> {
    const { scope } = this
    const other = await this.#other(releaseId)
    const [own, theirs] = [await pairOf(scope, release), await pairOf(scope, other)]
    if (own !== null && own.id === theirs?.id) return
    if (own ?? theirs) throw this.#taken()
    const side = await this.#side(release, other)
    const both = { [side]: release, [OTHER[side]]: other } as Record<StoreType, AnyRelease>
    for (const each of [release, other]) await this.#requireWaiting(release, each)
    await this.#requireHeld(both.google, managedPublishing ?? false)
    const { rows } = await scope.change(JOIN, {
      id: newId('pair'),
      joinedBy: JSON.stringify(scope.actor),
      now: scope.now,
      appleAppId: both.apple.appId,
      appleReleaseId: both.apple.id,
      googleAppId: both.google.appId,
      googleReleaseId: both.google.id,
    })
    if (rows.length === 0) {
      // A concurrent request joined one or both of them.
      const row = await pairOf(scope, release)
      if (row && row.id === (await pairOf(scope, other))?.id) return
      throw this.#taken()
    }
    const type = 'pair.joined'
    const titleFor = (version: string, beside: StoreType) =>
      `${version} goes out together with ${nameOfSide(beside)}`
    recordReleaseEvent(scope, release, {
      type,
      title: titleFor(release.version, OTHER[side]),
      payload: null,
    })
    const { id, appId, version } = other
    await reportOther(scope, { appId, releaseId: id }, { type, title: titleFor(version, side) })
    await planPairCheckOf(scope, release)
  }

  /** @throws not_found, also for a release of an app that the requester does not see */
  async #other(releaseId: string): Promise<ReleaseRow> {
    const { appId } = parseReleaseId(releaseId)
    if (!this.scope.sees(appId)) throw refuse('not_found')
    return (await readReferencedRelease(this.scope, appId, releaseId)).release
  }

  #taken() {
    return refuse('release_paired', {
      detail: 'One of the two is in another pair.',
      remedy: helpOn('release_paired'),
    })
  }

  async #side(release: Release, other: ReleaseRow): Promise<StoreType> {
    const kinds: StoreKind[] = []
    for (const { appId } of [release, other]) {
      kinds.push(await storeKindOfApp(this.scope, appId))
    }
    const [side] = kinds
    if (side !== 'ota' && kinds[1] === OTHER[side]) return side
    throw refuse('platforms_alike', {
      detail: `${release.appId} is ${KINDS[kinds[0]]}, ${other.appId} is ${KINDS[kinds[1]]}.`,
      remedy: helpOn('platforms_alike'),
    })
  }

  /** Demands that a release has stores, has not ended, is not out, and waits for a takeoff. */
  async #requireWaiting(release: Release, each: AnyRelease): Promise<void> {
    const { scope } = this
    const stores = await storesOfRelease(scope, each)
    const standing = await standingIn(scope, release, [])
    const { publicId } = each
    if (stores.length === 0) {
      const detail = `${each.appId} has no usable app store integration.`
      throw refuse('integration_missing', { detail })
    }
    if (stores.some(({ facts }) => facts.takeoff.released)) {
      throw refuse('already_out', { detail: `${publicId} is out.`, ...standing })
    }
    if (isEnded(each)) {
      const code = `release_${each.status as 'completed' | 'skipped'}` as const
      throw refuse(code, { detail: `${publicId} is ${each.status}.`, ...standing })
    }
    if (
      stores.some(
        ({ plan }) => plan?.wanted?.what === 'released' && plan.wanted.status === 'underWay'
      )
    ) {
      throw refuse('store_busy', {
        detail: `Its store is being asked to release ${publicId}.`,
        remedy: `${helpOn('store_busy')} Stopping its rollout ends the request.`,
        ...standing,
      })
    }
    if (!stores.some(goesOutByItself)) return
    throw refuse('goes_out_by_itself', {
      detail: `${publicId} was submitted to go out automatically after its approval.`,
      remedy: helpOn('goes_out_by_itself'),
      ...standing,
    })
  }

  /**
   * Demands that Google Play holds an approved version. Managed publishing shows only on a version
   * that is held; before that, the requester confirms it.
   */
  async #requireHeld(google: AnyRelease, isConfirmed: boolean): Promise<void> {
    const { scope } = this
    const stores = await storesOfRelease(scope, google)
    const isHeld = stores.every(
      ({ facts, version }) => facts.takeoff.pending && version?.known?.release?.method === 'manual'
    )
    if (isConfirmed || isHeld) return
    throw refuse('managed_publishing_needed', {
      detail: `Google Play would publish ${google.publicId} as soon as it approves it, unless managed publishing is on, which Google Play does not show.`,
      remedy: helpOn('managed_publishing_needed'),
    })
  }
}

/** Returns whether the App Store will release a submitted or approved version by itself. */
function goesOutByItself({ target, version, plan }: StoreOfRelease): boolean {
  if (target.storeType !== 'apple') return false
  const wanted = plan?.wanted ?? null
  if (wanted?.what === 'submitted' && wanted.status === 'underWay') {
    return wanted.how !== undefined && wanted.how.release !== 'manual'
  }
  const known = version?.known ?? null
  if (known === null || !(isInReview(known.state) || known.state === 'pendingRelease')) return false
  return releasesByItself(known, plan?.submittedAs ?? null) === true
}
