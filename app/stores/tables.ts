import type { AppStoreReleaseSettings } from '#apps/settings'
import type { AppPlatform } from '#apps/vocabulary'
import type { Instant } from '#foundation/core/clock'
import {
  flag,
  instant,
  integer,
  json,
  optional,
  table,
  text,
} from '#foundation/core/database/table'
import type { Actor } from '#foundation/core/principal'
import type { SeenBuild, SeenVersion } from './derive/seen.js'
import type {
  CallRecord,
  PollFailure,
  PastState,
  Question,
  Staging,
  VersionRecord,
  Wanted,
  WantedRollout,
} from './reconciler/record.js'
import type {
  BuildMatch,
  Distribution,
  ReviewData,
  ReviewReply,
  StoreType,
  Watched,
} from './vocabulary.js'

/** Builds in stores, identified by version and number. */
export const appStoreBuilds = table('app_store_builds', {
  id: text(),
  organizationId: text(),
  appId: text(),
  destinationId: optional(text()),
  /** The integration it was first observed through. */
  integrationId: text(),
  /** Internal id; null while there is no release of its version. */
  releaseId: optional(text()),
  storeType: text<StoreType>(),
  buildNumber: text(),
  /** Normalized if Tarmac can parse it. */
  version: text(),
  /** The newest observation in the store; null if the build was seen only in beta. */
  seen: optional(json<SeenBuild>()),
  /** The newest observation with a state that Tarmac knows. */
  known: optional(json<SeenBuild>()),
  /** The newest observation in beta. */
  beta: optional(json<SeenBuild>()),
  /** The last request to give it to groups of testers. */
  distribution: optional(json<Distribution>()),
  commitHash: optional(text()),
  ciBuildId: optional(text()),
  matchedBy: optional(text<BuildMatch>()),
  uploadedAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
})

/**
 * One store: a package on Google Play, or an app and platform at Apple, whichever apps use it.
 * Decisions about its versions are in `store_plans`, observations of them in `app_store_versions`;
 * this table has the rest of its record.
 */
export const storeRecords = table('store_records', {
  id: text(),
  organizationId: text(),
  pluginId: text(),
  bundleId: text(),
  /**
   * The platform; `android` for Google Play, where one package has one store on all form factors.
   */
  platform: text<AppPlatform>(),
  /** Generation of the newest decision. */
  generation: integer(),
  /** The longest lag of a read, in seconds. */
  lagSeconds: integer(),
  polledAt: optional(instant()),
  pollFailure: optional(json<PollFailure>()),
  calls: json<CallRecord[]>(),
  /** Versions without a release, or on other tracks. */
  others: json<VersionRecord[]>(),
  updatedAt: instant(),
})

/** The integrations that reach a store. */
export const storeMembers = table('store_members', {
  organizationId: text(),
  integrationId: text(),
  storeId: text(),
})

/** The version of a release in a store, as it was last seen. */
export const appStoreVersions = table('app_store_versions', {
  id: text(),
  organizationId: text(),
  appId: text(),
  integrationId: text(),
  destinationId: optional(text()),
  /** Internal id. */
  releaseId: text(),
  storeType: text<StoreType>(),
  seen: json<SeenVersion>(),
  /** The newest observation with a known state; one with an unknown state changes nothing. */
  known: optional(json<SeenVersion>()),
  /** Earlier states that a lagging read may still show. */
  past: json<PastState[]>(),
  /** The store never changes it again: it was replaced, or removed. */
  isOver: flag(),
  /** First observation of its submission, approval and release since it was last requested. */
  submittedAt: optional(instant()),
  approvedAt: optional(instant()),
  releasedAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** Plans of releases for stores, beside what the stores show. */
export const storePlans = table('store_plans', {
  id: text(),
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  integrationId: text(),
  /** The build that ships. */
  buildId: optional(text()),
  /** A person chose the build, so the service does not replace it. */
  byHand: flag(),
  wanted: optional(json<Wanted>()),
  rollout: optional(json<WantedRollout>()),
  /** The next increase of the rollout by the service. */
  nextStage: optional(json<{ at: Instant; percentage: number }>()),
  question: optional(json<Question>()),
  /** The last submission by Tarmac; null before one, or if it was submitted outside of Tarmac. */
  submittedAs: optional(json<Staging>()),
  /** The app's settings for the rollout when the release was made; null for hotfixes. */
  settings: optional(json<AppStoreReleaseSettings>()),
  updatedAt: instant(),
})

/** The takeoff of both releases of a pair. */
export interface PairTakeoff {
  by: Actor
  at: Instant
  /** The release that it was decided for. */
  of: StoreType
  /** Both go out at the shares that they were submitted with. */
  isForced: boolean
  /** Generation of each store at that time, by integration; later decisions have a higher one. */
  generations: Readonly<Record<string, number>>
  /** The releases whose stores were asked for it. */
  asked: readonly StoreType[]
  /** Why a person ended it; absent while it stands. */
  endedFor?: string
}

/** A release for iOS and one for Android that go out together. Ids of releases are internal. */
export const releasePairs = table('release_pairs', {
  id: text(),
  organizationId: text(),
  appleAppId: text(),
  appleReleaseId: text(),
  googleAppId: text(),
  googleReleaseId: text(),
  joinedBy: json<Actor>(),
  joinedAt: instant(),
  takeoff: optional(json<PairTakeoff>()),
  /** People were told that one of them is out without the other. */
  isReported: flag(),
})

/** The polls of stores. */
export const storeWatches = table('store_watches', {
  organizationId: text(),
  appId: text(),
  integrationId: text(),
  what: text<Watched>(),
})

/** Reviews that users wrote in stores. */
export const appStoreReviews = table('app_store_reviews', {
  id: text(),
  organizationId: text(),
  appId: text(),
  integrationId: text(),
  destinationId: optional(text()),
  storeType: text<StoreType>(),
  storeRef: text(),
  rating: integer(),
  title: optional(text()),
  body: text(),
  author: text(),
  locale: text(),
  territory: optional(text()),
  version: optional(text()),
  data: json<ReviewData>(),
  reply: optional(json<ReviewReply>()),
  /** The words that it is grouped by. */
  terms: json<{ stem: string; word: string }[]>(),
  writtenAt: instant(),
  seenAt: instant(),
})

/** Files for the store's reviewers of the app. */
export const reviewAttachments = table('app_store_review_attachments', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Internal id; null for a file without a release. */
  releaseId: optional(text()),
  fileName: text(),
  contentType: text(),
  /** In bytes. */
  size: integer(),
  sha256: text(),
  /** Null once the file was deleted. */
  fileId: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
})

export type { Question, RolloutChange, Wanted, WantedRollout } from './reconciler/record.js'

declare module '#foundation/core/database/table' {
  interface Tables {
    store_records: typeof storeRecords
    store_members: typeof storeMembers
    app_store_builds: typeof appStoreBuilds
    app_store_versions: typeof appStoreVersions
    store_plans: typeof storePlans
    release_pairs: typeof releasePairs
    store_watches: typeof storeWatches
    app_store_reviews: typeof appStoreReviews
    app_store_review_attachments: typeof reviewAttachments
  }
}
