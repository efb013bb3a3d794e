import type { Mutation, Observed, Page, Ref } from '../context.js'

export type StoreVersionState =
  | 'preparing'
  | 'processing'
  | 'readyForReview'
  | 'waitingForReview'
  | 'inReview'
  | 'rejected'
  | 'metadataRejected'
  | 'developerRejected'
  | 'invalidBinary'
  | 'pendingRelease'
  | 'rolledOutPartially'
  | 'halted'
  | 'live'
  | 'replaced'
  | 'removed'

/** A version of an app in a store, and how far it is. */
export interface StoreVersion extends Ref {
  version: string
  buildId?: string
  /** The number (Apple) of that build, or the codes (Google) of all that the version holds. */
  buildNumbers?: string[]
  track?: string
  /** The store's name for it beside its version. */
  name?: string
  status: Observed<StoreVersionState>
  /** For a store that reports the review separately from the state. */
  review?: Observed<'notSubmitted' | 'inReview' | 'approved' | 'rejected'>
  /** Id the store gave the submission that is under way, or was last. */
  submissionId?: string
  /** The way it is released after approval. */
  release?: { method: 'manual' | 'auto' | 'scheduled'; at?: string }
  rollout?: {
    mode: 'phased' | 'staged'
    state: 'inactive' | 'active' | 'paused' | 'halted' | 'complete'
    /** The state in the words of the store. */
    raw?: string
    /** Share of users, from 0 to 1. */
    fraction?: number
    day?: number
    startedAt?: string
    /** Whole days it was held in all. */
    pausedDays?: number
  }
  /** Urgency of the update for apps, from 0 to 5. */
  updatePriority?: number
  /** A change of it has no effect until a person sends it for review in the console of the store. */
  waitsForSending?: boolean
  /** Why it was rejected, of a store that says it: most do in their console alone. */
  rejection?: { reason: string; details?: string }
}

/** Urgency of an update, from 0 to 5, the highest. */
export type UpdatePriority = 0 | 1 | 2 | 3 | 4 | 5

/** Something else that is in review while a change is made: the store decides on both together. */
export type OnReviewInProgress = 'fail' | 'replace'

/** The state of a build in beta testing. */
export type BetaState = 'processing' | 'inReview' | 'testing' | 'rejected' | 'expired'

/** A build that the store has processed, or is about to. */
export interface StoreBuild extends Ref {
  number: string
  version: string
  /**
   * Empty if the store does not report it: then the service takes the time when it first saw it.
   */
  uploadedAt: string
  status: Observed<'processing' | 'ready' | 'invalid' | 'expired'>
  /**
   * The state with the group that has it least far, if beta testing reports it. Waiting for its
   * review is `inReview`.
   */
  testing?: Observed<BetaState>
  /** The commit it was built from, if the store knows. */
  commitHash?: string
}

/** Texts of a version in one language; a member is absent if it is not set. */
export interface LocalizedMetadata {
  locale: string
  title?: string
  whatsNew?: string
  description?: string
  shortDescription?: string
  keywords?: string
  promotionalText?: string
  supportUrl?: string
  marketingUrl?: string
}

/** A user's review of the app in the store. `rating` is 1 to 5. */
export interface StoreReview extends Ref {
  rating: number
  title?: string
  text: string
  author?: string
  at: string
  locale?: string
  territory?: string
  version?: string
  device?: string
  osVersion?: string
  versionCode?: number
  reply?: { text: string; state: 'published' | 'pending'; at?: string }
}

/** A file for whoever reviews a version, as the store has it. */
export interface ReviewFile extends Ref {
  name: string
  /** In bytes. */
  size: number
}

/** One that is sent there: stores take files in parts, which are read as they are asked for. */
export interface NewReviewFile {
  name: string
  contentType: string
  /** In bytes. */
  size: number
  sha256: string
  /** Bytes from a place on; fewer only at the end. */
  read(from: number, length: number): Promise<Uint8Array>
}

/** Versions of one app in a store, from their texts to their rollout. */
export interface AppStore {
  /** Versions of the app, newest first. */
  listVersions(
    filter: { version?: string; states?: StoreVersionState[] },
    cursor?: string
  ): Promise<Page<StoreVersion>>
  /** Builds that were uploaded, newest first. */
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  /**
   * Makes a version ready for its submission: with a build, and how it goes to users once it is
   * approved. One that is there takes what is given.
   */
  prepare(
    input: {
      version: string
      buildNumber: string
      phased: boolean
      /** Share of users, from 0 to 1: where a staged rollout begins. */
      fraction?: number
      release: 'manual' | 'auto' | { at: string }
      /** Urgency of the update, for stores that pass it to apps. */
      inAppUpdatePriority?: UpdatePriority
    },
    m: Mutation
  ): Promise<StoreVersion>
  /** The texts of a version, in all its languages. */
  getMetadata(versionId: string): Promise<LocalizedMetadata[]>
  /**
   * Sets texts of a version, in the languages that are given. @returns the texts as the store has
   * them now
   */
  setMetadata(
    versionId: string,
    entries: LocalizedMetadata[],
    m: Mutation
  ): Promise<LocalizedMetadata[]>
  /**
   * Sends a version to review. @param m.onReviewInProgress whether another review under way refuses
   * it, or is replaced; `phased` and `fraction` are those that `prepare` was given, for a store that
   * keeps them of nothing but a submission
   */
  submit(
    versionId: string,
    m: Mutation & { onReviewInProgress: OnReviewInProgress; phased?: boolean; fraction?: number }
  ): Promise<StoreVersion>
  /**
   * Takes a version out of its review. Where the store reviews all changes of an app together, the
   * others are sent again by the same call.
   */
  cancelReview(versionId: string, m: Mutation): Promise<StoreVersion>
  /**
   * Lets a version go to users that is approved and waits for it. Google Play has no call for it:
   * a person publishes in its console.
   */
  release?(versionId: string, m: Mutation): Promise<StoreVersion>
  /**
   * Changes a rollout in one step that reads it, too.
   * @param m.onReviewInProgress whether a review that is under way refuses the change (`conflict`
   *   with the reason `reviewInProgress`), or is cancelled and begun again in the same step, so
   *   that a stop never waits
   * @returns the version as the store had it before, and has it now
   */
  setRollout(
    versionId: string,
    to: { action: 'start' | 'pause' | 'resume' | 'halt' | 'complete' } | { fraction: number },
    m: Mutation & { onReviewInProgress: OnReviewInProgress }
  ): Promise<{ before: StoreVersion; after: StoreVersion }>
  /** Reviews of users, newest first. */
  listReviews(
    filter: { since?: string; minRating?: number; maxRating?: number },
    cursor?: string
  ): Promise<Page<StoreReview>>
  /** Answers a review in public; an answer that is there is replaced. */
  replyToReview?(reviewId: string, text: string, m: Mutation): Promise<StoreReview>
  /** Files for whoever reviews the version, all of them; with `addReviewFile`. */
  listReviewFiles?(versionId: string): Promise<ReviewFile[]>
  /** Sends a file for whoever reviews the version; with `listReviewFiles`. */
  addReviewFile?(versionId: string, file: NewReviewFile, m: Mutation): Promise<ReviewFile>
}

/** Builds for testers of a store, and the groups that get them. */
export interface BetaTesting {
  /** Groups of testers. Those who are `internal` get builds without a review. */
  listGroups(cursor?: string): Promise<Page<{ id: string; name: string; internal: boolean }>>
  /** Builds that were uploaded, newest first, with how far they are with testers. */
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  /** Says to testers what to test in a build, by language. */
  setNotes(buildId: string, notes: { locale: string; text: string }[], m: Mutation): Promise<void>
  /** Gives a build to groups of testers; where that needs a review it is sent there. */
  distribute(buildId: string, groupIds: string[], m: Mutation): Promise<Observed<BetaState>>
}

/** The progress of translating texts. */
export interface Localization {
  /** Languages of the project, with how many of its texts are translated. */
  listLocales(): Promise<{ locale: string; translated: number; reviewed?: number; total: number }[]>
}
