import type { AppStoreScenario, BetaTestingScenario } from '#plugin-kit/fake/scenario'
import { DAY, HOUR } from '#foundation/core/durations'
import { phasedRelease, versionState } from '#simulated-providers/version_states'
import { buildState } from '#simulated-providers/app_store_builds'
import {
  USUAL_APP_STORE,
  type AppStoreBuild,
  type AppStoreVersion,
  type SimulatedAppStore,
  type Submission,
  type Verdict,
} from '#simulated-providers/app_store_state'

/*
 * Converts between scenarios of the kit's conformance suite and the state of an App Store.
 */

const BUNDLE = 'com.example.app'

/** A store without delays, so that the suite need not wait. */
const EMPTY: SimulatedAppStore = {
  ...USUAL_APP_STORE,
  settings: {
    ...USUAL_APP_STORE.settings,
    cancelingMs: 0,
    lagMs: 0,
    distributingMs: HOUR,
    rejected: 0,
    reviewEveryMs: null,
  },
  groups: [],
}

const BUILD_STATES: Readonly<Record<string, string>> = {
  processing: 'PROCESSING',
  ready: 'VALID',
  invalid: 'INVALID',
  expired: 'EXPIRED',
}

function buildOf(given: AppStoreScenario['builds'][number]): AppStoreBuild {
  const { id, number, version, uploadedAt, state } = given
  const at = Date.parse(uploadedAt)
  const times = { uploadedAt: at, processedAt: at, isInvalid: false }
  return { id, number, version, ...times, pinned: BUILD_STATES[state] ?? state }
}

const submissionAt = (at: number, verdict: Verdict, canceledAt: number | null = null) =>
  ({ at, beginsAt: at + HOUR, endsAt: at + 2 * HOUR, verdict, canceledAt }) satisfies Submission

/** The history of a version by its present state. */
const PATHS: Readonly<
  Record<string, (now: number) => { submission: Submission | null; releasedAt: number | null }>
> = {
  preparing: () => ({ submission: null, releasedAt: null }),
  waitingForReview: (now) => ({ submission: submissionAt(now, 'approved'), releasedAt: null }),
  inReview: (now) => ({ submission: submissionAt(now - 1.5 * HOUR, 'approved'), releasedAt: null }),
  rejected: (now) => ({ submission: submissionAt(now - DAY, 'rejected'), releasedAt: null }),
  metadataRejected: (now) => ({
    submission: submissionAt(now - DAY, 'metadataRejected'),
    releasedAt: null,
  }),
  pendingRelease: (now) => ({ submission: submissionAt(now - DAY, 'approved'), releasedAt: null }),
  rolledOutPartially: (now) => ({
    submission: submissionAt(now - 4 * DAY, 'approved'),
    // The third day, on which 5 % have it.
    releasedAt: now - 2 * DAY - HOUR,
  }),
  live: (now) => ({
    submission: submissionAt(now - 20 * DAY, 'approved'),
    releasedAt: now - 10 * DAY,
  }),
}

function versionOf(
  given: AppStoreScenario['versions'][number],
  { metadata, builds }: AppStoreScenario,
  now: number
): AppStoreVersion {
  const { id, version, buildNumber, state } = given
  const isKnown = Object.hasOwn(PATHS, state)
  const { submission, releasedAt } = (isKnown ? PATHS[state] : PATHS.preparing)(now)
  const build = builds.find((each) => each.number === buildNumber && each.version === version)
  return {
    id,
    version,
    buildId: build?.id ?? null,
    release: { type: 'MANUAL' },
    phasing: { pauses: [], completedAt: null },
    submissions: submission ? [submission] : [],
    releasedByHandAt: releasedAt,
    texts: metadata
      .filter(({ versionId }) => versionId === id)
      .map(({ locale, whatsNew }) => ({ locale, whatsNew })),
    pinned: isKnown ? null : state,
  }
}

const worldOf = (store: SimulatedAppStore) => ({ [BUNDLE]: store })

/** Makes stores with the content of a scenario of versions. */
export function storesOf(given: AppStoreScenario, now: number) {
  return worldOf({
    ...EMPTY,
    builds: given.builds.map(buildOf),
    versions: given.versions.map((each) => versionOf(each, given, now)),
    reviews: given.reviews.map(({ id, rating, text, at }) => ({
      ...{ id, rating, text, at: Date.parse(at) },
      ...{ title: '', author: 'somebody', territory: 'USA', version: '1.2.3' },
    })),
  })
}

/** Makes stores with the content of a scenario of beta tests. */
export const testingStoresOf = ({ groups, builds }: BetaTestingScenario) =>
  worldOf({ ...EMPTY, groups, builds: builds.map(buildOf) })

const STATES: Readonly<Record<string, string>> = {
  PREPARE_FOR_SUBMISSION: 'preparing',
  WAITING_FOR_REVIEW: 'waitingForReview',
  IN_REVIEW: 'inReview',
  DEVELOPER_REJECTED: 'developerRejected',
  REJECTED: 'rejected',
  PENDING_DEVELOPER_RELEASE: 'pendingRelease',
  PROCESSING_FOR_DISTRIBUTION: 'processing',
  READY_FOR_DISTRIBUTION: 'live',
}

/** Returns the content of the store as scenarios of the suite. */
export function scenarioOf(
  stores: Readonly<Record<string, SimulatedAppStore>>,
  now: number
): { appStore: AppStoreScenario; betaTesting: BetaTestingScenario } {
  const store = stores[BUNDLE] ?? EMPTY
  const builds = store.builds.map((build) => ({
    id: build.id,
    number: build.number,
    version: build.version,
    uploadedAt: new Date(build.uploadedAt).toISOString(),
    state: buildState(build, now),
  }))
  const versions = store.versions.map((version) => {
    const { state, percentage } = phasedRelease(store, version, now)
    const raw = versionState(store, version, now)
    return {
      id: version.id,
      version: version.version,
      buildNumber: store.builds.find(({ id }) => id === version.buildId)?.number ?? null,
      state: STATES[raw] ?? raw,
      fraction: state === 'INACTIVE' ? null : percentage / 100,
      rollout: state.toLowerCase() as 'inactive' | 'active' | 'paused' | 'complete',
      submissions: version.submissions.length,
    }
  })
  const metadata = store.versions.flatMap(({ id, texts }) =>
    texts.map(({ locale, whatsNew = '' }) => ({ versionId: id, locale, whatsNew }))
  )
  const reviews = store.reviews.map(({ id, rating, text, at }) => {
    const reply = store.replies.find(({ reviewId }) => reviewId === id)?.text ?? null
    return { id, rating, text, at: new Date(at).toISOString(), reply }
  })
  const reviewFiles = store.versions.flatMap(({ id: versionId, reviewFiles: files = [] }) =>
    files.map(({ name, size }) => ({ versionId, name, size }))
  )
  return {
    appStore: { builds, versions, metadata, reviews, reviewFiles },
    betaTesting: {
      groups: [...store.groups],
      builds,
      distributed: [...store.distributed],
      notes: [...store.notes],
    },
  }
}
