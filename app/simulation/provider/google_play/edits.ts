import type { PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { keepUnsent, type EditRelease, type WorldRelease } from './releases.js'

/*
 * Edits change Google Play. An edit that somebody else's edit deleted had no effect, so it is
 * retried.
 */

export interface Committing {
  /** A running review is cancelled, and everything is sent again. */
  replacesReview?: boolean
  /** True if approved changes wait until they are published; unchanged by default. */
  isManaged?: boolean
}

export const packageOf = ({ data }: PluginContext) => String(data.bundleId ?? '')

/** An edit that is open. */
export class Edit {
  constructor(
    private readonly ctx: PluginContext,
    private readonly id: string,
    /** Its commit sends nothing for review, because a person does so in the console. */
    private readonly isKeptBack: boolean
  ) {}

  async releases(track: string): Promise<EditRelease[]> {
    const { body } = await this.ctx.http.send<{ releases: EditRelease[] }>({
      method: 'GET',
      ...this.#at('/tracks/{track}', { track }),
    })
    return body.releases
  }

  /**
   * Returns the releases of a track, with changes turned into drafts that the commit would send
   * without a request.
   */
  async sendable(track: string, listed: readonly WorldRelease[]): Promise<EditRelease[]> {
    const releases = await this.releases(track)
    return this.isKeptBack ? releases : keepUnsent(releases, listed)
  }

  async place(track: string, releases: EditRelease[]): Promise<void> {
    await this.ctx.http.send({
      method: 'PUT',
      ...this.#at('/tracks/{track}', { track }),
      json: { releases },
      idempotent: true,
    })
  }

  async putListings(items: object[]): Promise<void> {
    await this.ctx.http.send({
      method: 'PUT',
      ...this.#at('/listings'),
      json: { items },
      idempotent: true,
    })
  }

  /** Commits the edit; by default, a running review is not cancelled. */
  async commit({ replacesReview = false, isManaged }: Committing = {}): Promise<Committed> {
    const { body } = await this.ctx.http.send<{ releases: WorldRelease[] }>({
      method: 'POST',
      ...this.#at('/commit'),
      query: {
        // Google refuses `false`, as it refuses an absent value where one is required.
        changesNotSentForReview: this.isKeptBack || undefined,
        changesInReviewBehavior: replacesReview
          ? 'CANCEL_IN_REVIEW_AND_SUBMIT'
          : 'ERROR_IF_IN_REVIEW',
        managedPublishing: isManaged,
      },
    })
    return { releases: body.releases, isKeptBack: this.isKeptBack }
  }

  async drop(): Promise<void> {
    await this.ctx.http.send({ method: 'DELETE', ...this.#at(''), idempotent: true })
  }

  #at(path: string, params: Record<string, string> = {}) {
    return {
      path: `/v1/google/{package}/edits/{edit}${path}`,
      params: { package: packageOf(this.ctx), edit: this.id, ...params },
    }
  }
}

export interface Committed {
  releases: WorldRelease[]
  isKeptBack: boolean
}

/**
 * Maximum attempts if others delete the edit. A stop has more, so that it outlasts other changes.
 */
const ATTEMPTS = 3
const ATTEMPTS_TO_STOP = 10

/** Serializes edits and stops of an app in this process. */
const edits = new Map<string, Promise<unknown>>()
const stops = new Map<string, Promise<unknown>>()

/**
 * The apps whose changes a person sends for review. Google reveals that only by refusing a commit,
 * so each process has to learn it.
 */
const sentByHand = new Set<string>()

/**
 * Opens an edit for some work, one at a time per app in this process, and retries if somebody
 * else's edit deleted it. A stop waits only for other stops; the edits that it deletes are retried.
 */
export async function withEdit<Result>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Result>,
  { isStop = false }: { isStop?: boolean } = {}
): Promise<Result> {
  const [organizationId] = String(ctx.secret('token')).split('.')
  const key = JSON.stringify([organizationId, packageOf(ctx)])
  const queue = isStop ? stops : edits
  const before = queue.get(key) ?? Promise.resolve()
  const result = before.then(() => attempt(ctx, work, { key, isStop }))
  const settled = result.catch(() => undefined)
  queue.set(key, settled)
  try {
    return await result
  } finally {
    if (queue.get(key) === settled) queue.delete(key)
  }
}

async function attempt<Result>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Result>,
  { key, isStop }: { key: string; isStop: boolean }
): Promise<Result> {
  const most = isStop ? ATTEMPTS_TO_STOP : ATTEMPTS
  let hasRetried = false
  for (let count = 1; ; count++) {
    if (!isStop) await stops.get(key)
    const { body } = await ctx.http.send<{ id: string }>({
      method: 'POST',
      path: '/v1/google/{package}/edits',
      params: { package: packageOf(ctx) },
    })
    try {
      return await work(new Edit(ctx, body.id, sentByHand.has(key)))
    } catch (error) {
      const isLearnt: boolean = !hasRetried && learns(key, error)
      hasRetried ||= isLearnt
      if (!isLearnt && (count >= most || !isLostEdit(error))) throw error
    }
  }
}

/**
 * Remembers who sends changes of an app for review, if a refusal reveals it.
 * @returns whether it does
 */
function learns(key: string, error: unknown): boolean {
  const isByHand = isRefusedFor(error, 'notSentAutomatically')
  if (isByHand) sentByHand.add(key)
  const isByItself = isRefusedFor(error, 'sentAutomatically')
  if (isByItself) sentByHand.delete(key)
  return isByHand || isByItself
}

const isLostEdit = (error: unknown) => isRefusedFor(error, 'editDeleted', 'editExpired')

export const isRefusedFor = (error: unknown, ...reasons: string[]) =>
  isProviderError(error) && reasons.includes(error.detail.reason ?? '')

export const refusal = (
  code: 'notFound' | 'conflict' | 'preconditionFailed' | 'unsupported' | 'invalid',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
