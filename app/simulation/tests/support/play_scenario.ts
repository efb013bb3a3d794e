import type { AppStoreScenario, BetaTestingScenario } from '#plugin-kit/fake/scenario'
import { DAY, HOUR } from '#foundation/core/durations'
import {
  bundleState,
  highestCode,
  lifecycleOf,
  releasesOf,
} from '#simulated-providers/play_releases'
import {
  PRODUCTION,
  USUAL_PLAY,
  type PlayBundle,
  type PlayRelease,
  type PlaySubmission,
  type SimulatedPlay,
  type TrackStatus,
} from '#simulated-providers/play_state'

/*
 * Converts between scenarios of the kit's conformance suite and the state of Google Play.
 */

const PACKAGE = 'com.example.app'

/** A store whose lists have no lag, and which rejects nothing. */
const EMPTY: SimulatedPlay = {
  ...USUAL_PLAY,
  settings: { ...USUAL_PLAY.settings, lagMs: 0, rejected: 0, reviewEveryMs: null },
}

const BUNDLE_STATES: Readonly<Record<string, string>> = {
  processing: 'PROCESSING',
  ready: 'VALID',
  invalid: 'INVALID',
  expired: 'EXPIRED',
}

function bundleOf(given: AppStoreScenario['builds'][number]): PlayBundle {
  const at = Date.parse(given.uploadedAt)
  return {
    id: given.id,
    versionCode: Number(given.number),
    versionName: given.version,
    uploadedAt: at,
    processedAt: at,
    pinned: BUNDLE_STATES[given.state] ?? given.state,
  }
}

type Path = (now: number) => {
  status: TrackStatus
  submission: PlaySubmission | null
  isManaged?: boolean
}
const sent = (endsAt: number, isApproved = true) => ({ at: endsAt - HOUR, endsAt, isApproved })

/** The history of a release by its present state. */
const PATHS: Readonly<Record<string, Path>> = {
  preparing: () => ({ status: 'draft', submission: null }),
  inReview: (now) => ({ status: 'inProgress', submission: sent(now + HOUR) }),
  rejected: (now) => ({ status: 'inProgress', submission: sent(now - HOUR, false) }),
  pendingRelease: (now) => ({
    status: 'inProgress',
    submission: sent(now - HOUR),
    isManaged: true,
  }),
  rolledOutPartially: (now) => ({ status: 'inProgress', submission: sent(now - DAY) }),
  live: (now) => ({ status: 'completed', submission: sent(now - DAY) }),
}

function releaseOf(
  given: AppStoreScenario['versions'][number],
  { metadata }: AppStoreScenario,
  now: number
): PlayRelease {
  const { id, buildNumber, state, fraction } = given
  const isKnown = Object.hasOwn(PATHS, state)
  const { status, submission, isManaged = false } = (isKnown ? PATHS[state] : PATHS.live)(now)
  const userFraction = status === 'inProgress' ? (fraction ?? 0.01) : null
  return {
    ...{ id, track: PRODUCTION, name: given.version, versionCodes: [Number(buildNumber)] },
    ...{ status, userFraction, submission, isManaged, attempts: submission ? 1 : 0 },
    notes: metadata
      .filter(({ versionId }) => versionId === id)
      .map(({ locale, whatsNew }) => ({ language: locale, text: whatsNew })),
    history: [{ at: now - 2 * DAY, status, userFraction }],
    publishedByHandAt: null,
    pinned: isKnown ? null : state,
  }
}

const worldOf = (store: SimulatedPlay) => ({ [PACKAGE]: store })

/** Makes stores with the content of a scenario of versions. */
export function playsOf(given: AppStoreScenario, now: number) {
  return worldOf({
    ...EMPTY,
    bundles: given.builds.map(bundleOf),
    releases: given.versions.map((each) => releaseOf(each, given, now)),
    reviews: given.reviews.map(({ id, rating, text, at }) => ({
      ...{ id, rating, text, at: Date.parse(at) },
      ...{ title: '', author: 'somebody', territory: 'USA', version: '1.2.3' },
    })),
  })
}

/** Makes stores with the content of a scenario of beta tests. */
export const testingPlaysOf = ({ groups, builds }: BetaTestingScenario) =>
  worldOf({ ...EMPTY, tracks: groups, bundles: builds.map(bundleOf) })

const STATES: Readonly<Record<string, string>> = {
  DRAFT: 'preparing',
  NOT_SENT_FOR_REVIEW: 'readyForReview',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'pendingRelease',
}
const ROLLOUTS = {
  draft: 'inactive',
  inProgress: 'active',
  halted: 'halted',
  completed: 'complete',
} as const

/** Returns the content of the store as scenarios of the suite. */
export function playScenarioOf(
  plays: Readonly<Record<string, SimulatedPlay>>,
  now: number
): { appStore: AppStoreScenario; betaTesting: BetaTestingScenario } {
  const store = plays[PACKAGE] ?? EMPTY
  const bundleFor = (release: PlayRelease) =>
    store.bundles.find(({ versionCode }) => versionCode === highestCode(release))
  const builds = store.bundles.map((bundle) => ({
    id: bundle.id,
    number: String(bundle.versionCode),
    version: bundle.versionName,
    uploadedAt: new Date(bundle.uploadedAt).toISOString(),
    state: bundleState(bundle, now),
  }))
  const production = releasesOf(store, PRODUCTION, now)
  const versions = production.map((release) => {
    const lifecycle = lifecycleOf(release, now)
    const isOut = lifecycle === 'PUBLISHED'
    return {
      id: release.id,
      version: bundleFor(release)?.versionName ?? '',
      buildNumber: String(highestCode(release)),
      state: STATES[lifecycle] ?? (release.userFraction === null ? 'live' : 'rolledOutPartially'),
      fraction: isOut ? (release.userFraction ?? 1) : null,
      rollout: isOut ? ROLLOUTS[release.status] : ('inactive' as const),
      submissions: release.attempts,
    }
  })
  const metadata = production.flatMap(({ id, notes }) =>
    notes.map(({ language, text }) => ({ versionId: id, locale: language, whatsNew: text }))
  )
  const reviews = store.reviews.map(({ id, rating, text, at }) => {
    const reply = store.replies.find(({ reviewId }) => reviewId === id)?.text ?? null
    return { id, rating, text, at: new Date(at).toISOString(), reply }
  })
  const testing = store.releases.filter(({ track }) => track !== PRODUCTION)
  return {
    appStore: { builds, versions, metadata, reviews },
    betaTesting: {
      groups: [...store.tracks],
      builds,
      distributed: testing
        .filter(({ status }) => status !== 'draft')
        .map((each) => ({ buildId: bundleFor(each)!.id, groupId: each.track })),
      notes: testing.flatMap((each) =>
        each.notes.map(({ language, text }) => ({
          ...{ buildId: bundleFor(each)!.id, locale: language, text },
        }))
      ),
    },
  }
}
