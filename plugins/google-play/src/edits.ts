import { randomInt } from 'node:crypto'
import type { androidpublisher_v3 } from '@googleapis/androidpublisher'
import { isProviderError, ProviderError } from '@tarmac/plugin-kit'
import { REVIEW_RUNS } from './errors.js'
import { editKeyOf, matchesError, type GooglePlay } from './google.js'
import { highestOfEach, type Track, type TrackRelease } from './releases.js'
import { isSentByHand, keepSentByHand } from './sent_by_hand.js'

/*
 * Changes of Google Play, and reads of shares, need an edit. An account has one edit of an app at a
 * time: a new edit, a commit or a change in the console ends it. An ended edit has had no effect,
 * so it can be repeated.
 */

export type Listing = androidpublisher_v3.Schema$Listing

export interface Committing {
  /** Cancels a review under way, and submits everything again. */
  replacesReview?: boolean
}

/** An open edit. */
export class Edit {
  constructor(
    private readonly play: GooglePlay,
    private readonly id: string,
    /** Its commit submits nothing for review, because a person does that in the console. */
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
   * Puts releases on a track. If Google accepts only one per status, the highest of each remain.
   * @param changed the release that must not be left out; otherwise Google's refusal is thrown
   */
  async place(track: string, releases: TrackRelease[], changed?: TrackRelease): Promise<void> {
    try {
      await this.#place(track, releases)
    } catch (error) {
      const highest = highestOfEach(releases)
      const isOther = highest.length < releases.length
      const isKept = changed === undefined || highest.includes(changed)
      if (!isOther || !isKept || !matchesError(error, TOO_MANY)) throw error
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

  /** Returns the version codes of all uploaded bundles. */
  async codes(): Promise<Set<string>> {
    const { bundles = [] } = await this.play.call((publisher, options) =>
      publisher.edits.bundles.list(this.#at, options)
    )
    return new Set(bundles.map(({ versionCode }) => String(versionCode)))
  }

  /** Returns the version codes of all uploaded APKs, for apps without bundles. */
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

  /** Changes the given members in one language; Google cannot patch a new language. */
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
   * Commits the edit.
   * @throws ProviderError `conflict` with the reason `reviewInProgress`, unless it replaces that
   */
  async commit({ replacesReview = false }: Committing = {}): Promise<void> {
    // Google's default would cancel a review.
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

  /** Deletes the edit. Errors do not matter. */
  async drop(): Promise<void> {
    const dropping = this.play.call(
      (publisher, options) => publisher.edits.delete(this.#at, options),
      { idempotent: true }
    )
    // An edit that stays open expires without effect.
    await dropping.catch((error: unknown) => {
      if (!isProviderError(error)) throw error
    })
  }

  get #at() {
    return { packageName: this.play.packageName, editId: this.id }
  }
}

/** Marks errors before the commit as `notApplied`, because an edit has no effect until then. */
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

/**
 * Most attempts of an edit that others end. A stop has more, so that it wins against other changes.
 */
const ATTEMPTS = 3
const ATTEMPTS_TO_STOP = 10

/**
 * Serializes edits and stops of an app in this process. Edits of other processes may end them, and
 * they are made again.
 */
const turns = new Map<string, Promise<unknown>>()
const stops = new Map<string, Promise<unknown>>()

/** The pause after an edit that others ended, in milliseconds, so that theirs comes to its end. */
const PAUSE = { least: 300, most: 1500 }

/** The wait until a change is worth another try after all attempts, in milliseconds. */
const WAIT_MS = 30_000

/**
 * Runs work with an edit, one at a time per app in this process, and repeats it if the edit was
 * ended. A stop waits only for other stops; edits that it ends are repeated.
 */
export async function withEdit<Answer>(
  play: GooglePlay,
  work: (edit: Edit) => Promise<Answer>,
  { isStop = false }: { isStop?: boolean } = {}
): Promise<Answer> {
  const key = editKeyOf(play)
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

/** Reads by an edit, which is deleted afterwards. */
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
  let isKeptBack = await isSentByHand(play)
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
      return await work(new Edit(play, id ?? '', isKeptBack))
    } catch (error) {
      const learnt = hasLearnt ? null : sentByHandSince(error)
      if (learnt !== null) {
        hasLearnt = true
        isKeptBack = learnt
        await keepSentByHand(play, learnt)
        continue
      }
      if (!isInTheWay(error)) throw error
      if (count >= most) throw passing(error)
      if (!isStop) await play.ctx.pause(randomInt(PAUSE.least, PAUSE.most))
    }
  }
}

/**
 * Returns who submits changes of an app for review, as a refusal reveals it: true for a person,
 * false for Google. Null if the error is about something else.
 */
function sentByHandSince(error: unknown): boolean | null {
  if (matchesError(error, BY_HAND)) return true
  return matchesError(error, BY_ITSELF) ? false : null
}

/** Marks the conflict with edits of others as one that passes by itself. */
const passing = ({ code, message, detail }: ProviderError) =>
  new ProviderError(code, message, { ...detail, retryAfterMs: WAIT_MS })

/**
 * Returns whether the edit was ended before it had an effect. A commit without an answer may have
 * had one.
 */
const isInTheWay = (error: unknown): error is ProviderError =>
  isProviderError(error) && error.detail.outcome === 'notApplied' && matchesError(error, IN_THE_WAY)
