import { Type } from '@sinclair/typebox'
import { Asker } from '#releases/version_control/asker'
import { observationKind, timerKind, wishKind } from '#foundation/core/agenda/kinds'

const members = {
  appId: Type.String(),
  integrationId: Type.String(),
  connectionId: Type.String(),
}
const place = Type.Object(members)

/*
 * What is looked at in stores, one kind for each; the subject is the integration. An app whose
 * releases are all over, or not yet kicked off, has no entry of them but that of its reviews.
 */
export const versionsKind = observationKind('store.versions', place)
export const buildsKind = observationKind('store.builds', place)
export const betaBuildsKind = observationKind('store.betaBuilds', place)
export const reviewsKind = observationKind('store.reviews', place)

export const WATCH_KINDS = {
  versions: versionsKind,
  builds: buildsKind,
  betaBuilds: betaBuildsKind,
  reviews: reviewsKind,
} as const

/**
 * It is seen whether a store has confirmed that a rollout is stopped; the subject is the release's
 * internal id and the integration.
 */
export const checkStopKind = timerKind(
  'store.checkStop',
  Type.Object({
    appId: Type.String(),
    releaseId: Type.String(),
    integrationId: Type.String(),
    askedAt: Type.String(),
  })
)

/**
 * A store is to be brought to where a release wants it; the subject is the release's internal id.
 * What is wanted stands in the release's plan of the store, and `at` says which wish it was.
 */
export const bringKind = wishKind(
  'store.bring',
  Type.Object({
    ...members,
    what: Type.Union([
      Type.Literal('submitted'),
      Type.Literal('withdrawn'),
      Type.Literal('released'),
      Type.Literal('rollout'),
    ]),
    at: Type.String(),
    askedBy: Asker,
    /** It stands in no line, and is tried until the store has confirmed it. */
    isUrgent: Type.Boolean(),
  })
)
