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
 * Polls of stores, one kind for each; the subject is the integration. An app whose releases are all
 * over, or not yet kicked off, has no jobs for them but those of its reviews and of the version
 * that users have.
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

/** Past versions are to be read from a store; the subject is the integration. */
export const pastVersionsKind = commandKind('store.pastVersions', place, 'appStore')

/** A build is to be given to testers; the subject is its id. */
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

/** A review is to be answered; the subject is its id. */
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
 * People are called where a store has not confirmed for long that a rollout is stopped; the
 * subject is the release's internal id and the integration.
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

/** A store is reconciled with its decisions; the subject is the id of its record. */
export const reconcileKind = commandKind('store.reconcile', store, 'appStore')

/** The same for stops alone, which stand in no line. */
export const stopKind = commandKind('store.stop', store, 'appStore')
