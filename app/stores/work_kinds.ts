import { Type } from '@sinclair/typebox'
import { Asker } from '#foundation/core/jobs/asker'
import { observationKind, timerKind, commandKind } from '#foundation/core/jobs/kinds'

const members = {
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
}
const place = Type.Object(members)

/*
 * Polls of stores, one kind for each; the subject is the integration. An app without a release
 * under way is polled only for its reviews and for the version that users have.
 */
export const versionsKind = observationKind('store.versions', place)
const liveVersionsKind = observationKind('store.liveVersions', place)
export const buildsKind = observationKind('store.builds', place)
export const betaBuildsKind = observationKind('store.betaBuilds', place)
export const reviewsKind = observationKind('store.reviews', place)

export const WATCH_KINDS = {
  versions: versionsKind,
  liveVersions: liveVersionsKind,
  builds: buildsKind,
  betaBuilds: betaBuildsKind,
  reviews: reviewsKind,
} as const

/** Reads past versions from a store; the subject is the integration. */
export const pastVersionsKind = commandKind('store.pastVersions', place, 'appStore')

/** Gives a build to testers; the subject is the build's id. */
export const testersKind = commandKind(
  'store.giveToTesters',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    integrationId: Type.String(),
    distributionId: Type.String(),
    askedBy: Asker,
  }),
  'betaTesting'
)

/** Replies to a review; the subject is the review's id. */
export const replyKind = commandKind(
  'store.replyToReview',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    replyId: Type.String(),
    askedBy: Asker,
  }),
  'appStore'
)

/**
 * Calls people if a store has not confirmed for a long time that a rollout is stopped; the subject
 * is the release's internal id and the integration.
 */
export const checkStopKind = timerKind(
  'store.confirmStop',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    integrationId: Type.String(),
    generation: Type.Integer(),
    /** The day on which people were called last, and why; absent before the first call. */
    reported: Type.Optional(Type.String()),
  })
)

const store = Type.Object({ storeId: Type.String() })

/** Reconciles a store with its decisions; the subject is the id of its record. */
export const reconcileKind = commandKind('store.reconcile', store, 'appStore')

/** Reconciles the stops of a store alone, which never queue behind its other calls. */
export const stopKind = commandKind('store.stop', store, 'appStore')
