import type { PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'
import { keepUnsent, type EditRelease, type WorldRelease } from './releases.js'

/*
 * Google Play is changed by edits. One that somebody else's edit has deleted was never true, so it
 * is made anew.
 */

export interface Committing {
  /** A review that is under way is called off, and all is sent anew. */
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
    /** Its commit sends nothing for review: a person does that in the console. */
    private readonly isKeptBack: boolean
  ) {}

  async releases(track: string): Promise<EditRelease[]> {
    const { body } = await this.ctx.http.send<{ releases: EditRelease[] }>({
      method: 'GET',
      ...this.#at('/tracks/{track}', { track }),
    })
    return body.releases
  }

  /** The same without anything that the commit would send and nobody asked for. */
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

  /** By default, a review that is under way is not called off. */
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

/** So often an edit is made that others delete; a stop gives up last, and so wins. */
const ATTEMPTS = 3
const ATTEMPTS_TO_STOP = 10

/** Serializes edits and stops of an app in this process. */
const turns = new Map<string, Promise<unknown>>()
const stops = new Map<string, Promise<unknown>>()

/**
 * The apps of which a person sends changes for review. Google reveals it only by refusing a commit,
 * so a process learns it anew.
 */
const sentByHand = new Set<string>()

/**
 * Does something with an edit, one after the other in this process; again where an edit of
 * somebody else was in the way. A stop waits for other stops alone: their edits are made anew.
 */
export async function withEdit<Answer>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Answer>,
  { isStop = false }: { isStop?: boolean } = {}
): Promise<Answer> {
  const [whose] = String(ctx.secret('token')).split('.')
  const key = JSON.stringify([whose, packageOf(ctx)])
  const line = isStop ? stops : turns
  const before = line.get(key) ?? Promise.resolve()
  const mine = before.then(() => attempt(ctx, work, { key, isStop }))
  const settled = mine.catch(() => undefined)
  line.set(key, settled)
  try {
    return await mine
  } finally {
    if (line.get(key) === settled) line.delete(key)
  }
}

async function attempt<Answer>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Answer>,
  { key, isStop }: { key: string; isStop: boolean }
): Promise<Answer> {
  const most = isStop ? ATTEMPTS_TO_STOP : ATTEMPTS
  let hasLearnt = false
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
      const isNews: boolean = !hasLearnt && learns(key, error)
      hasLearnt ||= isNews
      if (!isNews && (count >= most || !isInTheWay(error))) throw error
    }
  }
}

/** Remembers who sends changes of an app for review, where that is what a refusal is about. */
function learns(key: string, error: unknown): boolean {
  const isByHand = isRefusedFor(error, 'notSentAutomatically')
  if (isByHand) sentByHand.add(key)
  const isByItself = isRefusedFor(error, 'sentAutomatically')
  if (isByItself) sentByHand.delete(key)
  return isByHand || isByItself
}

const isInTheWay = (error: unknown) => isRefusedFor(error, 'editDeleted', 'editExpired')

export const isRefusedFor = (error: unknown, ...reasons: string[]) =>
  isProviderError(error) && reasons.includes(error.detail.reason ?? '')

export const refusal = (
  code: 'notFound' | 'conflict' | 'preconditionFailed' | 'unsupported' | 'invalid',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
