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
  /** The build number (Apple), or the version codes of all builds of the version (Google). */
  buildNumbers?: string[]
  track?: string
  /** The store's own name for the version, such as a release name. */
  name?: string
  status: Observed<StoreVersionState>
  /** Only from a store that reports the review separately from the state. */
  review?: Observed<'notSubmitted' | 'inReview' | 'approved' | 'rejected'>
  /** The store's id of the current submission, or of the last one. */
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
    /** Total days of pause, in whole days. */
    pausedDays?: number
  }
  /** Urgency of the update, which the store passes on to apps; from 0 to 5. */
  updatePriority?: number
  /** A change has no effect until a person sends it for review in the store's console. */
  waitsForSending?: boolean
  /** Why it was rejected, if the store's API reports it: most show it in their console alone. */
  rejection?: { reason: string; details?: string }
}

/** Urgency of an update, from 0 to 5, the highest. */
export type UpdatePriority = 0 | 1 | 2 | 3 | 4 | 5

/** The behaviour if another change is in review, for a store that reviews both together. */
export type OnReviewInProgress = 'fail' | 'replace'

/** The state of a build in beta testing. */
export type BetaState = 'processing' | 'inReview' | 'testing' | 'rejected' | 'expired'

/** A build that the store has processed, or is about to. */
export interface StoreBuild extends Ref {
  number: string
  version: string
  /**
   * Empty if the store does not report it; the service then uses the time it first saw the build.
   */
  uploadedAt: string
  status: Observed<'processing' | 'ready' | 'invalid' | 'expired'>
  /**
   * The state in the group where it is least advanced, if beta testing reports it. Waiting for
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

/** A file for the store's reviewers of a version. */
export interface ReviewFile extends Ref {
  name: string
  /** In bytes. */
  size: number
}

/** A review file to upload. Stores take files in parts, which are read on demand. */
export interface NewReviewFile {
  name: string
  contentType: string
  /** In bytes. */
  size: number
  sha256: string
  /** Reads bytes from an offset; fewer than `length` only at the end. */
  read(from: number, length: number): Promise<Uint8Array>
}

/** Versions of one app in a store, from their texts to their rollout. */
export interface AppStore {
  /**
   * Versions of the app, newest first. A filter of `4.2.0` includes what the store names `4.2`
   * (`spellingsOf`), here and in lists of builds.
   */
  listVersions(
    filter: { version?: string; states?: StoreVersionState[] },
    cursor?: string
  ): Promise<Page<StoreVersion>>
  /** Returns the builds that were uploaded, newest first. */
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  /**
   * Prepares a version for submission: its build, and how it is released once approved. An existing
   * version is updated with the input, whichever of its names it has (`isSameVersion`).
   */
  prepare(
    input: {
      version: string
      buildNumber: string
      phased: boolean
      /** Share of users with which a staged rollout begins, from 0 to 1. */
      fraction?: number
      release: 'manual' | 'auto' | { at: string }
      /** Urgency of the update, for stores that pass it to apps. */
      inAppUpdatePriority?: UpdatePriority
    },
    m: Mutation
  ): Promise<StoreVersion>
  /** Returns the texts of a version, in all its languages. */
  getMetadata(versionId: string): Promise<LocalizedMetadata[]>
  /**
   * Sets texts of a version in the given languages. Returns the texts as the store has them now.
   */
  setMetadata(
    versionId: string,
    entries: LocalizedMetadata[],
    m: Mutation
  ): Promise<LocalizedMetadata[]>
  /**
   * Sends a version to review. `onReviewInProgress` says whether another review under way refuses
   * it or is replaced. `phased` and `fraction` repeat the input of `prepare`, for a store that
   * keeps them only as part of a submission.
   */
  submit(
    versionId: string,
    m: Mutation & { onReviewInProgress: OnReviewInProgress; phased?: boolean; fraction?: number }
  ): Promise<StoreVersion>
  /**
   * Withdraws a version from review. If the store reviews all changes of an app together, the same
   * call submits the others again.
   */
  cancelReview(versionId: string, m: Mutation): Promise<StoreVersion>
  /**
   * Releases an approved version that waits for it. Google Play has no such call: a person
   * publishes in its console.
   */
  release?(versionId: string, m: Mutation): Promise<StoreVersion>
  /**
   * Reads and changes a rollout in one step.
   * @param m.onReviewInProgress whether a review under way refuses the change (`conflict` with the
   * reason `reviewInProgress`), or is cancelled and submitted again in the same step, so that a
   * stop never waits
   * @returns the version before and after the change
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
  /** Replies to a review publicly; an existing reply is replaced. */
  replyToReview?(reviewId: string, text: string, m: Mutation): Promise<StoreReview>
  /**
   * Returns all files for the store's reviewers of a version. A plugin has this and
   * `addReviewFile`, or neither.
   */
  listReviewFiles?(versionId: string): Promise<ReviewFile[]>
  /**
   * Uploads a file for the store's reviewers of a version. A plugin has this and `listReviewFiles`,
   * or neither.
   */
  addReviewFile?(versionId: string, file: NewReviewFile, m: Mutation): Promise<ReviewFile>
}

/** A store's builds for testers, and the groups that get them. */
export interface BetaTesting {
  /** Returns the groups of testers. `internal` ones get builds without a review. */
  listGroups(cursor?: string): Promise<Page<{ id: string; name: string; internal: boolean }>>
  /** Returns the uploaded builds, newest first, with their state in beta testing. */
  listBuilds(
    filter: { version?: string; since?: string },
    cursor?: string
  ): Promise<Page<StoreBuild>>
  /** Sets the notes that tell testers what to test in a build, by language. */
  setNotes(buildId: string, notes: { locale: string; text: string }[], m: Mutation): Promise<void>
  /** Gives a build to groups of testers, and submits it for review if they need one. */
  distribute(buildId: string, groupIds: string[], m: Mutation): Promise<Observed<BetaState>>
}

/** The progress of translating texts. */
export interface Localization {
  /** Languages of the project, with how many of its texts are translated. */
  listLocales(): Promise<{ locale: string; translated: number; reviewed?: number; total: number }[]>
}
