import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import { isProviderError, ProviderError } from '@tarmac/plugin-kit'
import { REVIEW_RUNS } from './errors.js'
import { keyOf, says, type GooglePlay } from './google.js'
import { highestOfEach, type Track, type TrackRelease } from './releases.js'

/*
 * Google Play is changed by edits, and read by them for its shares. An account has one edit of an
 * app: the next one, a commit and the console end it. The changes of an ended edit never took
 * effect, so it is made anew.
 */

export type Listing = androidpublisher_v3.Schema$Listing

export interface Committing {
  /** A review that is under way is cancelled, and all of it is sent anew. */
  replacesReview?: boolean
}

/** An edit that is open. */
export class Edit {
  constructor(
    private readonly play: GooglePlay,
    private readonly id: string,
    /** Its commit sends nothing for review: a person does that in the console. */
    readonly isKeptBack: boolean
  ) {}

  async tracks(): Promise<Track[]> {
    const { tracks } = await this.play.call((publisher, options) =>
      publisher.edits.tracks.list(this.#at, options)
    )
    return tracks ?? []
  }

  async releases(track: string): Promise<TrackRelease[]> {
    const { releases } = await this.play.call((publisher, options) =>
      publisher.edits.tracks.get({ ...this.#at, track }, options)
    )
    return releases ?? []
  }

  /**
   * Puts releases on a track; where Google takes one of a status alone, the highest of each.
   * @param changed the release that is never left out: Google's refusal stands instead
   */
  async place(track: string, releases: TrackRelease[], changed?: TrackRelease): Promise<void> {
    try {
      await this.#place(track, releases)
    } catch (error) {
      const highest = highestOfEach(releases)
      const isOther = highest.length < releases.length
      const isKept = changed === undefined || highest.includes(changed)
      if (!isOther || !isKept || !says(error, TOO_MANY)) throw error
      await this.#place(track, highest)
    }
  }

  async #place(track: string, releases: TrackRelease[]): Promise<void> {
    await beforeCommit(
      this.play.call(
        (publisher, options) =>
          publisher.edits.tracks.update(
            { ...this.#at, track, requestBody: { track, releases } },
            options
          ),
        { idempotent: true }
      )
    )
  }

  /** The version codes of all that was uploaded. */
  async codes(): Promise<Set<string>> {
    const { bundles = [] } = await this.play.call((publisher, options) =>
      publisher.edits.bundles.list(this.#at, options)
    )
    return new Set(bundles.map(({ versionCode }) => String(versionCode)))
  }

  /** The same of apps that are older than bundles. */
  async codesOfApks(): Promise<Set<string>> {
    const { apks = [] } = await this.play.call((publisher, options) =>
      publisher.edits.apks.list(this.#at, options)
    )
    return new Set(apks.map(({ versionCode }) => String(versionCode)))
  }

  async listings(): Promise<Listing[]> {
    const { listings } = await this.play.call((publisher, options) =>
      publisher.edits.listings.list(this.#at, options)
    )
    return listings ?? []
  }

  /** Changes the members that are given, in one language; Google patches no language that is new. */
  async putListing(listing: Listing, { isNew }: { isNew: boolean }): Promise<Listing> {
    const language = listing.language ?? ''
    const given = { ...this.#at, language, requestBody: listing }
    return beforeCommit(
      this.play.call(
        ({ edits: { listings } }, options) =>
          isNew ? listings.update(given, options) : listings.patch(given, options),
        { idempotent: true }
      )
    )
  }

  /**
   * Makes the edit true.
   * @throws ProviderError `conflict` with the reason `reviewInProgress`, unless it replaces that
   */
  async commit({ replacesReview = false }: Committing = {}): Promise<void> {
    // Google's own default cancels a review.
    const changesInReviewBehavior = replacesReview
      ? 'CANCEL_IN_REVIEW_AND_SUBMIT'
      : 'ERROR_IF_IN_REVIEW'
    // Google refuses `false`, as it refuses an absent value where one is required.
    const sending = this.isKeptBack ? { changesNotSentForReview: true } : {}
    try {
      await this.play.call((publisher, options) =>
        publisher.edits.commit({ ...this.#at, changesInReviewBehavior, ...sending }, options)
      )
    } catch (error) {
      if (isProviderError(error) && error.detail.reason === REVIEW_RUNS) {
        const detail = { ...error.detail, reason: 'reviewInProgress' }
        throw new ProviderError('conflict', error.message, detail)
      }
      throw error
    }
  }

  /** Throws it away. One that is gone already is no matter. */
  async drop(): Promise<void> {
    const dropping = this.play.call(
      (publisher, options) => publisher.edits.delete(this.#at, options),
      { idempotent: true }
    )
    // One that stays open expires, and changes nothing before.
    await dropping.catch((error: unknown) => {
      if (!isProviderError(error)) throw error
    })
  }

  get #at() {
    return { packageName: this.play.packageName, editId: this.id }
  }
}

/** Nothing of an edit is true before its commit, whether a call was answered or not. */
async function beforeCommit<Answer>(call: Promise<Answer>): Promise<Answer> {
  try {
    return await call
  } catch (error) {
    if (!isProviderError(error)) throw error
    throw new ProviderError(error.code, error.message, { ...error.detail, outcome: 'notApplied' })
  }
}

const TOO_MANY = /too many \w+ releases/i
const IN_THE_WAY =
  /edit has (been deleted|expired)|editDeleted|editExpired|editAlreadyCommitted|edit not found/i
const BY_HAND = /cannot be sent for review automatically/i
const BY_ITSELF = /changesNotSentForReview must not be set/i

/** So often an edit is made that others end; a stop gives up last, and so wins. */
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
 * Does something with an edit, one after the other in this process; again where something was in
 * the way. A stop waits for other stops alone: the edits of others are made anew.
 */
export async function withEdit<Answer>(
  play: GooglePlay,
  work: (edit: Edit) => Promise<Answer>,
  { isStop = false }: { isStop?: boolean } = {}
): Promise<Answer> {
  const key = keyOf(play)
  const line = isStop ? stops : turns
  const before = line.get(key) ?? Promise.resolve()
  const mine = before.then(() => attempt(play, work, { key, isStop }))
  const settled = mine.catch(() => undefined)
  line.set(key, settled)
  try {
    return await mine
  } finally {
    if (line.get(key) === settled) line.delete(key)
  }
}

/** Reads by an edit, which is thrown away. */
export const readEdit = <Answer>(
  play: GooglePlay,
  read: (edit: Edit) => Promise<Answer>
): Promise<Answer> =>
  withEdit(play, async (edit) => {
    const answer = await read(edit)
    await edit.drop()
    return answer
  })

async function attempt<Answer>(
  play: GooglePlay,
  work: (edit: Edit) => Promise<Answer>,
  { key, isStop }: { key: string; isStop: boolean }
): Promise<Answer> {
  const most = isStop ? ATTEMPTS_TO_STOP : ATTEMPTS
  const { packageName } = play
  let hasLearnt = false
  for (let count = 1; ; count++) {
    if (!isStop) await stops.get(key)
    const { id } = await beforeCommit(
      play.call(
        (publisher, options) => publisher.edits.insert({ packageName, requestBody: {} }, options),
        { idempotent: true }
      )
    )
    try {
      return await work(new Edit(play, id ?? '', sentByHand.has(key)))
    } catch (error) {
      const isNews: boolean = !hasLearnt && learns(key, error)
      hasLearnt ||= isNews
      if (!isNews && (count >= most || !isInTheWay(error))) throw error
    }
  }
}

/** Remembers who sends changes of an app for review, where that is what a refusal is about. */
function learns(key: string, error: unknown): boolean {
  const isByHand = says(error, BY_HAND)
  if (isByHand) sentByHand.add(key)
  const isByItself = says(error, BY_ITSELF)
  if (isByItself) sentByHand.delete(key)
  return isByHand || isByItself
}

/** An edit that is gone was not applied; one whose commit was not answered may have been. */
const isInTheWay = (error: unknown) =>
  isProviderError(error) && error.detail.outcome === 'notApplied' && says(error, IN_THE_WAY)
