import { highestCode, type EditRelease, type PlayStore, type TrackStatus } from './play_store.js'
import { REFUSALS } from './refusals.js'

/*
 * Edits of an app. An account has one at a time. A new edit, a commit or a change in the console
 * ends it.
 */

interface OpenEdit {
  id: string
  account: string
  expiresAt: number
  isDeleted: boolean
  tracks: Map<string, EditRelease[]>
  listings: Map<string, Record<string, string>>
}

/** A release in the format of the API. */
export interface ApiRelease {
  name?: string
  versionCodes?: string[]
  status?: string
  userFraction?: number
  inAppUpdatePriority?: number
  releaseNotes?: { language?: string; text?: string }[]
}

const STATUSES: readonly string[] = ['draft', 'inProgress', 'halted', 'completed']

/** Maximum lengths, in characters. */
const MAX_LENGTHS: Readonly<Record<string, number>> = {
  title: 30,
  shortDescription: 80,
  fullDescription: 4000,
}
const MAX_NOTES_LENGTH = 500
const MAX_NAME_LENGTH = 50

export class PlayEdits {
  /** Lifetime of an edit, in milliseconds. */
  lifeMs = 3_600_000
  readonly #edits: OpenEdit[] = []

  constructor(
    private readonly store: PlayStore,
    private readonly now: () => number
  ) {}

  insert(account: string): object {
    for (const each of this.#edits) if (each.account === account) each.isDeleted = true
    const edit: OpenEdit = {
      id: String(1000 + this.#edits.length),
      account,
      expiresAt: this.now() + this.lifeMs,
      isDeleted: false,
      tracks: new Map(),
      listings: new Map(),
    }
    this.#edits.push(edit)
    return answerOf(edit)
  }

  /** Ends all edits, as a change in the console does. */
  endAll(): void {
    for (const each of this.#edits) each.isDeleted = true
  }

  get open(): number {
    return this.#edits.filter(({ isDeleted, expiresAt }) => !isDeleted && this.now() < expiresAt)
      .length
  }

  delete(id: string): void {
    this.#edit(id).isDeleted = true
  }

  tracks(id: string): object {
    return { kind: 'tracks', tracks: this.store.tracks.map((track) => this.track(id, track)) }
  }

  track(id: string, track: string): { track: string; releases?: ApiRelease[] } {
    const edit = this.#edit(id)
    if (!this.store.tracks.includes(track)) throw REFUSALS.trackUnknown(track)
    const releases =
      edit.tracks.get(track) ?? this.store.on(track).map((each) => ({ ...each, ...each.unsent }))
    return { track, ...(releases.length > 0 ? { releases: releases.map(releaseJson) } : {}) }
  }

  putTrack(id: string, track: string, { releases = [] }: { releases?: ApiRelease[] }): object {
    const edit = this.#edit(id)
    if (!this.store.tracks.includes(track)) throw REFUSALS.trackUnknown(track)
    const read = releases.map((each) => this.#read(each))
    // The highest code identifies a release, because others may retain lower ones.
    const codes = read.map(highestCode)
    const duplicate = codes.find((code, index) => codes.indexOf(code) !== index)
    if (duplicate !== undefined) throw REFUSALS.codeTwice(duplicate)
    const hasSeveral = (which: TrackStatus) =>
      read.filter(({ status }) => status === which).length > 1
    if (hasSeveral('completed')) throw REFUSALS.tooMany('completed')
    for (const which of ['inProgress', 'halted'] as const) {
      if (this.store.hasOneRollout && hasSeveral(which)) throw REFUSALS.tooMany(which)
    }
    edit.tracks.set(track, read)
    return this.track(id, track)
  }

  bundles(id: string): object {
    this.#edit(id)
    const codes = [...this.store.library].filter((code) => !this.store.apks.has(code))
    const bundles = codes.map((versionCode) => ({ versionCode, sha256: hashOf(versionCode) }))
    return { kind: 'bundles', ...(bundles.length > 0 ? { bundles } : {}) }
  }

  apks(id: string): object {
    this.#edit(id)
    const apks = [...this.store.apks].map((versionCode) => ({ versionCode }))
    return { kind: 'apks', ...(apks.length > 0 ? { apks } : {}) }
  }

  listings(id: string): object {
    const edit = this.#edit(id)
    const all = new Map([...this.store.listings, ...edit.listings])
    const listings = [...all].map(([language, texts]) => ({ language, ...texts }))
    return { kind: 'listings', ...(listings.length > 0 ? { listings } : {}) }
  }

  patchListing(id: string, language: string, patch: Record<string, string>): object {
    const edit = this.#edit(id)
    const before = edit.listings.get(language) ?? this.store.listings.get(language)
    if (!before) throw REFUSALS.listingUnknown(language)
    return this.putListing(id, language, { ...before, ...patch })
  }

  putListing(id: string, language: string, listing: Record<string, string>): object {
    const edit = this.#edit(id)
    const texts = Object.fromEntries(
      Object.entries(listing).filter(([name]) => name !== 'language')
    )
    for (const [name, text] of Object.entries(texts)) {
      if ([...text].length > (MAX_LENGTHS[name] ?? Infinity)) throw REFUSALS.listingTooLong()
    }
    edit.listings.set(language, texts)
    return { language, ...texts }
  }

  commit(id: string, query: URLSearchParams): object {
    const edit = this.#edit(id)
    const behavior = query.get('changesInReviewBehavior') ?? 'CANCEL_IN_REVIEW_AND_SUBMIT'
    try {
      this.store.commit(edit.tracks, {
        changesNotSentForReview: query.get('changesNotSentForReview') === 'true',
        cancelsReview: behavior !== 'ERROR_IF_IN_REVIEW',
      })
    } catch (error) {
      // A commit with a wrong `changesNotSentForReview` ends its edit; after other refusals, the
      // edit stays.
      const isLost = /changesNotSentForReview/.test((error as Error).message)
      if (isLost) edit.isDeleted = true
      throw error
    }
    for (const [language, texts] of edit.listings) this.store.listings.set(language, texts)
    this.endAll()
    return answerOf(edit)
  }

  #edit(id: string): OpenEdit {
    const edit = this.#edits.find((each) => each.id === id)
    if (!edit) throw REFUSALS.editUnknown()
    if (edit.isDeleted) throw REFUSALS.editDeleted()
    if (this.now() >= edit.expiresAt) throw REFUSALS.editExpired()
    return edit
  }

  #read(release: ApiRelease): EditRelease {
    const { status = '', userFraction = null, releaseNotes = [], inAppUpdatePriority } = release
    const versionCodes = (release.versionCodes ?? []).map(Number)
    const unknownCode = versionCodes.find((code) => !this.store.library.has(code))
    if (unknownCode !== undefined) throw REFUSALS.codeUnknown(unknownCode)
    if (!STATUSES.includes(status) || versionCodes.length === 0) {
      throw REFUSALS.statusNotAllowed(status)
    }
    const isShare = userFraction !== null && userFraction > 0 && userFraction < 1
    const isStaged = status === 'inProgress' || status === 'halted'
    if (status === 'inProgress' && !isShare) throw REFUSALS.fractionMissing()
    if (status === 'halted' && userFraction !== null && !isShare) throw REFUSALS.fractionMissing()
    if (!isStaged && userFraction !== null) throw REFUSALS.fractionNotAllowed()
    const priority = inAppUpdatePriority ?? null
    if (priority !== null && !(priority >= 0 && priority <= 5)) throw REFUSALS.priorityOutOfRange()
    const notes = releaseNotes.map(({ language = '', text = '' }) => ({ language, text }))
    if (notes.some(({ text }) => [...text].length > MAX_NOTES_LENGTH)) throw REFUSALS.notesTooLong()
    const name = release.name ?? null
    if ([...(name ?? '')].length > MAX_NAME_LENGTH) throw REFUSALS.nameTooLong()
    return { name, versionCodes, status: status as TrackStatus, userFraction, notes, priority }
  }
}

const answerOf = ({ id, expiresAt }: OpenEdit) => ({
  id,
  expiryTimeSeconds: String(Math.floor(expiresAt / 1000)),
})

const releaseJson = (release: EditRelease): ApiRelease => ({
  ...(release.name === null ? {} : { name: release.name }),
  versionCodes: release.versionCodes.map(String),
  status: release.status,
  ...(release.userFraction === null ? {} : { userFraction: release.userFraction }),
  ...(release.priority === null ? {} : { inAppUpdatePriority: release.priority }),
  ...(release.notes.length > 0 ? { releaseNotes: [...release.notes] } : {}),
})

const hashOf = (code: number) => code.toString(16).padStart(64, '0')
