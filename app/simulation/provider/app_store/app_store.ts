import { createHash } from 'node:crypto'
import type {
  AppStore,
  LocalizedMetadata,
  NewReviewFile,
  OnReviewInProgress,
  ReviewFile,
  StoreVersion,
  StoreVersionState,
} from '#plugin-kit/capabilities/stores'
import type { Mutation, Page, PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { isSameVersion } from '#plugin-kit/version_names'
import { DAY, MINUTE } from '#foundation/core/durations'
import { buildOf, type WorldBuild } from '../shared/store_build.js'
import { replyAt, reviewsAt } from '../shared/store_review.js'
import { allOf, asItIs, named, observed, pageOf, type Seen } from '../shared/world_pages.js'
import { ROLLOUTS, STATES, statesLike } from './states.js'

/** A version in answers of the App Store of a world. */
interface WorldVersion {
  id: string
  version: string
  buildId: string | null
  buildNumber: string | null
  state: string
  releaseType: string
  earliestReleaseDate: string | null
  submissionId: string | null
  rejection: { reason: string; details: string } | null
  phasedRelease: {
    state: string
    day: number | null
    percentage: number
    startDate: string | null
    pausedMs: number
  } | null
}

/** Names of created versions that a list does not show yet. */
interface Appearing {
  appearing?: string[]
}

/** Maximum age of read data, in seconds. */
interface Lagging {
  lagSeconds: number
}

type Rollout = Parameters<AppStore['setRollout']>[1]

/** Size of the chunks in which a file is read, in bytes. */
const CHUNK_BYTES = 8 * 1024 * 1024

/** Delay before a created version is requested again. */
const NOT_SHOWN_RETRY_MS = 15_000

/** Delay before a submission that waits for a cancellation is retried. */
const CANCELLATION_RETRY_MS = MINUTE

/** Versions in the App Store of a simulated world. */
export default class SimulatedAppStore implements AppStore {
  constructor(private readonly ctx: PluginContext) {}

  async listVersions(
    { version, states }: { version?: string; states?: StoreVersionState[] },
    cursor?: string
  ): Promise<Page<StoreVersion>> {
    const query = { ...named(version), state: states && statesLike(states), cursor }
    const { beganAt } = asItIs(this.ctx)
    const page = await pageOf<WorldVersion, Lagging>(this.ctx, { ...this.#at('versions'), query })
    const { next, lagSeconds } = page
    const items = page.items.map((each) => this.#versionOf(each, { beganAt, lagSeconds }))
    const matches = ({ status }: StoreVersion) =>
      !states || (status.state !== 'unknown' && states.includes(status.state))
    return { items: items.filter(matches), ...(next === undefined ? {} : { next }) }
  }

  async listBuilds(filter: { version?: string; since?: string }, cursor?: string) {
    const query = { ...filter, ...named(filter.version), cursor }
    const current = asItIs(this.ctx)
    const page = await pageOf<WorldBuild>(this.ctx, { ...this.#at('builds'), query })
    return { ...page, items: page.items.map((each) => buildOf(this.ctx, each, current)) }
  }

  /** Searches for the version before creating it, because the store has no idempotency keys. */
  async prepare(input: Parameters<AppStore['prepare']>[0]): Promise<StoreVersion> {
    const { version, buildNumber, phased, release } = input
    const builds = await allOf<WorldBuild>(this.ctx, {
      ...this.#at('builds'),
      query: named(version),
    })
    const build = builds.find(({ number }) => number === buildNumber)
    if (!build) throw refusal('notFound', 'buildUnknown', `There is no build ${buildNumber}`)
    const { known, seen, isAppearing } = await this.#find(version)
    if (isAppearing) throw notShown()
    const wanted = { buildId: build.id, phased, ...releaseTypeOf(release) }
    const isDone = known?.buildId === build.id && !EDITABLE.has(known.state)
    if (isDone) return this.#versionOf(known, seen)
    const current = asItIs(this.ctx)
    if (known) return this.#change(known.id, wanted)
    return this.#versionOf(await this.#create({ version: build.version, ...wanted }), current)
  }

  /** The store refuses a version that was created since the search and is not shown yet. */
  async #create(json: object): Promise<WorldVersion> {
    try {
      const at = this.#at('versions')
      return (await this.ctx.http.send<WorldVersion>({ method: 'POST', ...at, json })).body
    } catch (error) {
      const isHidden = isProviderError(error) && error.detail.reason === 'versionNotShown'
      throw isHidden ? notShown() : error
    }
  }

  async getMetadata(versionId: string): Promise<LocalizedMetadata[]> {
    const page = await pageOf<LocalizedMetadata>(
      this.ctx,
      this.#at('versions/{id}/texts', versionId)
    )
    return page.items
  }

  async setMetadata(versionId: string, items: LocalizedMetadata[]): Promise<LocalizedMetadata[]> {
    const { body } = await this.ctx.http.send<Page<LocalizedMetadata>>({
      method: 'PUT',
      ...this.#at('versions/{id}/texts', versionId),
      json: { items },
      idempotent: true,
    })
    return body.items
  }

  async submit(
    versionId: string,
    { onReviewInProgress }: Mutation & { onReviewInProgress: OnReviewInProgress }
  ): Promise<StoreVersion> {
    if (onReviewInProgress === 'replace') await this.#clearReview(versionId)
    return this.#act('submit', versionId)
  }

  cancelReview(versionId: string): Promise<StoreVersion> {
    return this.#act('cancel', versionId)
  }

  release(versionId: string): Promise<StoreVersion> {
    return this.#act('release', versionId)
  }

  /** Reviews and phased releases do not affect each other. */
  async setRollout(
    versionId: string,
    to: Rollout
  ): Promise<{ before: StoreVersion; after: StoreVersion }> {
    const action = actionOf(to)
    const before = await this.#get(versionId)
    if (action !== 'start') {
      return { before, after: await this.#act('rollout', versionId, { action }) }
    }
    // A phased release begins by itself, once the version is released.
    if (before.rollout && before.rollout.state !== 'inactive') return { before, after: before }
    throw refusal('preconditionFailed', 'notLive', 'The version is not released')
  }

  listReviews(filter: Parameters<AppStore['listReviews']>[0], cursor?: string) {
    return reviewsAt(this.ctx, this.#at('reviews'), filter, cursor)
  }

  replyToReview(reviewId: string, text: string) {
    return replyAt(this.ctx, this.#at('reviews/{id}/reply', reviewId), text)
  }

  async listReviewFiles(versionId: string): Promise<ReviewFile[]> {
    return allOf<ReviewFile>(this.ctx, this.#at('versions/{id}/reviewFiles', versionId))
  }

  /** Reads the whole file as a real upload does, but sends only its name, size and hash. */
  async addReviewFile(versionId: string, file: NewReviewFile): Promise<ReviewFile> {
    const hash = createHash('sha256')
    let size = 0
    for (;;) {
      const chunk = await file.read(size, CHUNK_BYTES)
      hash.update(chunk)
      size += chunk.length
      if (chunk.length === 0 || size >= file.size) break
    }
    const { body } = await this.ctx.http.send<ReviewFile>({
      method: 'POST',
      ...this.#at('versions/{id}/reviewFiles', versionId),
      json: { name: file.name, size, sha256: hash.digest('hex') },
      idempotent: true,
    })
    return body
  }

  /** Cancels a running review, and throws a retryable error until the cancellation takes effect. */
  async #clearReview(versionId: string): Promise<void> {
    try {
      const { status } = await this.cancelReview(versionId)
      if (!IN_REVIEW.has(status.raw)) return
    } catch (error) {
      if (isProviderError(error) && error.detail.reason === 'notInReview') return
      throw error
    }
    throw new ProviderError('preconditionFailed', 'The review is being cancelled', {
      outcome: 'notApplied',
      reason: 'preparing',
      retryAfterMs: CANCELLATION_RETRY_MS,
    })
  }

  async #find(version: string) {
    const { beganAt } = asItIs(this.ctx)
    const { items, appearing, lagSeconds } = await pageOf<WorldVersion, Appearing & Lagging>(
      this.ctx,
      { ...this.#at('versions'), query: named(version) }
    )
    const known = items.find((each) => isSameVersion(each.version, version))
    const isAppearing = appearing?.some((each) => isSameVersion(each, version)) ?? false
    return { known, isAppearing, seen: { beganAt, lagSeconds } }
  }

  async #get(id: string): Promise<StoreVersion> {
    const { beganAt } = asItIs(this.ctx)
    const at = this.#at('versions/{id}', id)
    const { body } = await this.ctx.http.send<WorldVersion & Lagging>({ method: 'GET', ...at })
    return this.#versionOf(body, { beganAt, lagSeconds: body.lagSeconds })
  }

  async #change(id: string, json: object): Promise<StoreVersion> {
    const current = asItIs(this.ctx)
    const { body } = await this.ctx.http.send<WorldVersion>({
      method: 'PATCH',
      ...this.#at('versions/{id}', id),
      json,
      idempotent: true,
    })
    return this.#versionOf(body, current)
  }

  async #act(action: string, id: string, json: object = {}): Promise<StoreVersion> {
    const current = asItIs(this.ctx)
    const { body } = await this.ctx.http.send<WorldVersion>({
      method: 'POST',
      ...this.#at(`versions/{id}/${action}`, id),
      json,
    })
    return this.#versionOf(body, current)
  }

  #at(path: string, id?: string) {
    const bundleId = String(this.ctx.data.bundleId ?? '')
    return { path: `/v1/apple/{bundleId}/${path}`, params: { bundleId, ...(id && { id }) } }
  }

  #versionOf(reported: WorldVersion, seen: Seen): StoreVersion {
    const { id, version, buildId, buildNumber, submissionId, phasedRelease } = reported
    const status = observed(this.ctx, STATES, reported.state, seen)
    const rollout = phasedRelease && rolloutOf(phasedRelease)
    const isPartly = rollout?.state === 'active' || rollout?.state === 'paused'
    const state = status.state === 'live' && isPartly ? 'rolledOutPartially' : status.state
    return {
      id,
      version,
      ...(buildId === null ? {} : { buildId }),
      ...(buildNumber === null ? {} : { buildNumbers: [buildNumber] }),
      status: { ...status, state },
      ...(submissionId === null ? {} : { submissionId }),
      release: {
        method: METHODS[reported.releaseType] ?? 'manual',
        ...(reported.earliestReleaseDate === null ? {} : { at: reported.earliestReleaseDate }),
      },
      ...(rollout ? { rollout } : {}),
      ...(reported.rejection ? { rejection: reported.rejection } : {}),
    }
  }
}

const METHODS: Readonly<Record<string, 'manual' | 'auto' | 'scheduled'>> = {
  MANUAL: 'manual',
  AFTER_APPROVAL: 'auto',
  SCHEDULED: 'scheduled',
}

function rolloutOf(reported: NonNullable<WorldVersion['phasedRelease']>): StoreVersion['rollout'] {
  const { state: raw, percentage, day, startDate, pausedMs } = reported
  return {
    mode: 'phased',
    state: ROLLOUTS[raw] ?? 'inactive',
    raw,
    fraction: percentage / 100,
    ...(day === null ? {} : { day }),
    ...(startDate === null ? {} : { startedAt: startDate }),
    pausedDays: Math.floor(pausedMs / DAY),
  }
}

const IN_REVIEW = new Set(['WAITING_FOR_REVIEW', 'IN_REVIEW'])
const EDITABLE = new Set([
  'PREPARE_FOR_SUBMISSION',
  'REJECTED',
  'METADATA_REJECTED',
  'DEVELOPER_REJECTED',
])

function releaseTypeOf(release: Parameters<AppStore['prepare']>[0]['release']) {
  if (release === 'manual') return { releaseType: 'MANUAL' }
  if (release === 'auto') return { releaseType: 'AFTER_APPROVAL' }
  return { releaseType: 'SCHEDULED', earliestReleaseDate: release.at }
}

/** Returns the action for a phased release. Halting means pausing: a halt would be final. */
function actionOf(to: Rollout): 'start' | 'pause' | 'resume' | 'complete' {
  if ('action' in to) return to.action === 'halt' ? 'pause' : to.action
  if (to.fraction === 1) return 'complete'
  if (to.fraction > 0 && to.fraction < 1) {
    throw refusal('unsupported', 'fraction', 'Shares of a phased release follow its days')
  }
  throw refusal('invalid', 'fraction', 'A share of users is above 0 and at most 1')
}

const notShown = () =>
  new ProviderError('preconditionFailed', 'The store does not show the version yet', {
    outcome: 'notApplied',
    reason: 'preparing',
    retryAfterMs: NOT_SHOWN_RETRY_MS,
  })

const refusal = (
  code: 'notFound' | 'preconditionFailed' | 'unsupported' | 'invalid',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
