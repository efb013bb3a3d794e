import type { StoreVersionState } from '#plugin-kit/capabilities/stores'
import type { PluginContext } from '#plugin-kit/context'
import { isProviderError, ProviderError } from '#plugin-kit/provider_error'

/*
 * Google Play is changed by edits. One that somebody else's edit has deleted was never true, so it
 * is made anew.
 */

/** A release as an edit has it. */
export interface EditRelease {
  id?: string
  name: string | null
  versionCodes: string[]
  status: 'draft' | 'inProgress' | 'halted' | 'completed'
  userFraction: number | null
  releaseNotes: { language: string; text: string }[]
}

/** A release as lists of tracks show it. */
export interface WorldRelease extends EditRelease {
  id: string
  track: string
  versionName: string
  bundleId?: string
  releaseLifecycleState: string
  submissionId: string | null
  managedPublishing: boolean
}

export interface Committing {
  /** Waits until somebody sends it. */
  isKeptBack?: boolean
  /** A review that is under way is called off, and all is sent anew. */
  replacesReview?: boolean
  /** Whether what is approved waits until it is published; as it was unless given. */
  isManaged?: boolean
}

export const packageOf = ({ data }: PluginContext) => String(data.bundleId ?? '')

/** An edit that is open. */
export class Edit {
  constructor(
    private readonly ctx: PluginContext,
    private readonly id: string
  ) {}

  async releases(track: string): Promise<EditRelease[]> {
    const { body } = await this.ctx.http.send<{ releases: EditRelease[] }>({
      method: 'GET',
      ...this.#at('/tracks/{track}', { track }),
    })
    return body.releases
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

  /** Without being told to, a review that is under way is not called off. */
  async commit(how: Committing): Promise<WorldRelease[]> {
    const { isKeptBack = false, replacesReview = false, isManaged } = how
    const { body } = await this.ctx.http.send<{ releases: WorldRelease[] }>({
      method: 'POST',
      ...this.#at('/commit'),
      query: {
        changesNotSentForReview: isKeptBack,
        changesInReviewBehavior: replacesReview
          ? 'CANCEL_IN_REVIEW_AND_SUBMIT'
          : 'ERROR_IF_IN_REVIEW',
        managedPublishing: isManaged,
      },
    })
    return body.releases
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

/** What lists say of releases that no commit sends along. */
const KEPT = new Set(['IN_REVIEW', 'NOT_APPROVED', 'APPROVED_NOT_PUBLISHED', 'PUBLISHED'])

/**
 * What was prepared in a track and not sent yet is a draft again: a commit that sends something
 * would send it along, and nobody asked for that.
 * @param listed the releases of the track as lists show them
 */
export function withDrafts<Release extends EditRelease>(
  releases: readonly Release[],
  listed: readonly WorldRelease[]
): Release[] {
  const kept = new Set(
    listed.flatMap((each) => (KEPT.has(each.releaseLifecycleState) ? [each.id] : []))
  )
  return releases.map((each) =>
    each.status === 'draft' || kept.has(each.id ?? '')
      ? each
      : { ...each, status: 'draft', userFraction: null }
  )
}

/** The same in an edit of other tracks. */
export async function keepUnsent(
  edit: Edit,
  track: string,
  listed: readonly WorldRelease[]
): Promise<void> {
  const present = await edit.releases(track)
  const drafts = withDrafts(present, listed)
  if (drafts.some((each, index) => each !== present[index])) await edit.place(track, drafts)
}

const ATTEMPTS = 3

/** Who works with edits of an app in this process, by whose world and which app it is. */
const turns = new Map<string, Promise<unknown>>()

/**
 * Does something with an edit, one after the other in this process; again where an edit of
 * somebody else was in the way.
 */
export async function withEdit<Answer>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Answer>
): Promise<Answer> {
  const [whose] = String(ctx.secret('token')).split('.')
  const key = JSON.stringify([whose, packageOf(ctx)])
  const mine = (turns.get(key) ?? Promise.resolve()).then(() => attempt(ctx, work))
  const settled = mine.catch(() => undefined)
  turns.set(key, settled)
  try {
    return await mine
  } finally {
    if (turns.get(key) === settled) turns.delete(key)
  }
}

async function attempt<Answer>(
  ctx: PluginContext,
  work: (edit: Edit) => Promise<Answer>
): Promise<Answer> {
  for (let count = 1; ; count++) {
    const { body } = await ctx.http.send<{ id: string }>({
      method: 'POST',
      path: '/v1/google/{package}/edits',
      params: { package: packageOf(ctx) },
    })
    try {
      return await work(new Edit(ctx, body.id))
    } catch (error) {
      if (count === ATTEMPTS || !isInTheWay(error)) throw error
    }
  }
}

const isInTheWay = (error: unknown) =>
  isProviderError(error) && ['editDeleted', 'editExpired'].includes(error.detail.reason ?? '')

/** `releaseLifecycleState` of Google Play in our words, and of what is published its status. */
export const STATES: Readonly<Record<string, StoreVersionState>> = {
  DRAFT: 'preparing',
  NOT_SENT_FOR_REVIEW: 'readyForReview',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'pendingRelease',
  inProgress: 'rolledOutPartially',
  halted: 'halted',
  completed: 'live',
}

/** The same as far as the review goes. */
export const REVIEWS = {
  DRAFT: 'notSubmitted',
  NOT_SENT_FOR_REVIEW: 'notSubmitted',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'approved',
  PUBLISHED: 'approved',
} as const

/** The word of the store for where a release is. */
export const rawOf = ({ releaseLifecycleState, status }: WorldRelease) =>
  releaseLifecycleState === 'PUBLISHED' ? status : releaseLifecycleState

export const refusal = (
  code: 'notFound' | 'conflict' | 'preconditionFailed' | 'unsupported' | 'invalid',
  reason: string,
  message: string
) => new ProviderError(code, message, { outcome: 'notApplied', reason })
