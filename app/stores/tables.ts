import type { AppStoreReleaseSettings } from '#apps/settings'
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
import type { BuildMatch, ReviewData, StoreType, Watched } from './vocabulary.js'

/** Builds as stores know them; one is known by its version and number. */
export const appStoreBuilds = table('app_store_builds', {
  id: text(),
  organizationId: text(),
  appId: text(),
  destinationId: optional(text()),
  /** Where it was first seen. */
  integrationId: text(),
  /** Internal id; null while there is no release of its version. */
  releaseId: optional(text()),
  storeType: text<StoreType>(),
  buildNumber: text(),
  /** In normal form where it is a version of ours. */
  version: text(),
  /** The newest look at it in the store; null for one that was seen in beta alone. */
  seen: optional(json<SeenBuild>()),
  /** The newest of those whose state is a known one. */
  known: optional(json<SeenBuild>()),
  /** The newest look at it in beta. */
  beta: optional(json<SeenBuild>()),
  commitHash: optional(text()),
  ciBuildId: optional(text()),
  matchedBy: optional(text<BuildMatch>()),
  uploadedAt: instant(),
  createdAt: instant(),
  updatedAt: instant(),
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
  /** The newest look whose state is a known one; what others say changes nothing. */
  known: optional(json<SeenVersion>()),
  /** When it was first seen to be submitted, approved and with users, since it was last asked for. */
  submittedAt: optional(instant()),
  approvedAt: optional(instant()),
  releasedAt: optional(instant()),
  createdAt: instant(),
  updatedAt: instant(),
})

/** What is wanted of the version, and what came of asking the store for it. */
export interface Wanted {
  what: 'submitted' | 'withdrawn' | 'released'
  by: Actor
  at: Instant
  /** What the store showed then, of what goes there once more; absent for what does not. */
  saw?: string
  is: 'underWay' | 'done' | 'failed'
  /** When the store confirmed it to us; absent for what was done elsewhere. */
  doneAt?: Instant
  /** When it was stopped while its call may have been on its way; absent for what was not. */
  stoppedAt?: Instant
  /** Why it failed. */
  reason: string | null
}

/** What is wanted of the rollout. */
export interface WantedRollout {
  to: RolloutChange
  by: Actor
  at: Instant
  /** How the rollout stood then. */
  saw: { state: string; percentage: number } | null
  /** It stands in no line; absent for what does. */
  isUrgent?: boolean
  /** When it was stopped while a call that lets it grow was on its way; absent without one. */
  overtook?: Instant
  is: 'underWay' | 'done' | 'failed'
  /** When the store confirmed it to us; absent for what was done elsewhere. */
  doneAt?: Instant
  reason: string | null
}

export type RolloutChange =
  { action: 'pause' | 'resume' | 'halt' | 'complete' } | { action: 'set'; percentage: number }

/** Where store and service both moved: a person says which of the two is meant. */
export interface Question {
  about: 'submission' | 'release' | 'rollout'
  message: string
  since: Instant
}

/** What a release wants of one store, beside what the store shows. */
export const storePlans = table('store_plans', {
  id: text(),
  organizationId: text(),
  appId: text(),
  releaseId: text(),
  integrationId: text(),
  /** The build that ships. */
  buildId: optional(text()),
  /** A person chose it: then it stays. */
  byHand: flag(),
  wanted: optional(json<Wanted>()),
  rollout: optional(json<WantedRollout>()),
  /** When the service raises the rollout by itself. */
  nextStage: optional(json<{ at: Instant; percentage: number }>()),
  question: optional(json<Question>()),
  /** How it goes to users, as the app had it when the release was made; null for hotfixes. */
  settings: optional(json<AppStoreReleaseSettings>()),
  updatedAt: instant(),
})

/** What is looked at in which store. */
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
  /** The words that it is grouped by. */
  terms: json<{ stem: string; word: string }[]>(),
  writtenAt: instant(),
  seenAt: instant(),
})

/** Files for whoever reviews the app in its store. */
export const reviewAttachments = table('app_store_review_attachments', {
  id: text(),
  organizationId: text(),
  appId: text(),
  /** Internal id; null for one of no release. */
  releaseId: optional(text()),
  fileName: text(),
  contentType: text(),
  /** In bytes. */
  size: integer(),
  sha256: text(),
  /** Null once the file was let go of. */
  fileId: optional(text()),
  createdBy: json<Actor>(),
  createdAt: instant(),
})

declare module '#foundation/core/database/table' {
  interface Tables {
    app_store_builds: typeof appStoreBuilds
    app_store_versions: typeof appStoreVersions
    store_plans: typeof storePlans
    store_watches: typeof storeWatches
    app_store_reviews: typeof appStoreReviews
    app_store_review_attachments: typeof reviewAttachments
  }
}
