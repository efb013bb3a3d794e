import { randomUUID } from 'node:crypto'
import type { AppStoreScenario, BetaTestingScenario, Scenario } from '@tarmac/plugin-kit/testing'
import {
  dayOf,
  HOSTILE,
  type FakeBuild,
  type FakePhased,
  type FakeSubmission,
  type FakeVersion,
  type World,
} from './world.js'

type Version = AppStoreScenario['versions'][number]

const STATES: Readonly<Record<string, string>> = {
  preparing: 'PREPARE_FOR_SUBMISSION',
  processing: 'PROCESSING_FOR_DISTRIBUTION',
  readyForReview: 'READY_FOR_REVIEW',
  waitingForReview: 'WAITING_FOR_REVIEW',
  inReview: 'IN_REVIEW',
  rejected: 'REJECTED',
  metadataRejected: 'METADATA_REJECTED',
  developerRejected: 'DEVELOPER_REJECTED',
  invalidBinary: 'INVALID_BINARY',
  pendingRelease: 'PENDING_DEVELOPER_RELEASE',
  rolledOutPartially: 'READY_FOR_DISTRIBUTION',
  live: 'READY_FOR_DISTRIBUTION',
  replaced: 'REPLACED_WITH_NEW_VERSION',
  removed: 'READY_FOR_DISTRIBUTION',
}

/** The states of submissions by the states of their versions. */
const SUBMISSIONS: Readonly<Record<string, string>> = {
  READY_FOR_REVIEW: 'READY_FOR_REVIEW',
  WAITING_FOR_REVIEW: 'WAITING_FOR_REVIEW',
  IN_REVIEW: 'IN_REVIEW',
  REJECTED: 'UNRESOLVED_ISSUES',
  METADATA_REJECTED: 'UNRESOLVED_ISSUES',
  PENDING_DEVELOPER_RELEASE: 'COMPLETE',
}

const BUILD_STATES: Readonly<Record<string, string>> = {
  processing: 'PROCESSING',
  ready: 'VALID',
  invalid: 'INVALID',
  expired: 'VALID',
}

const HOUR_MS = 3_600_000
const SHARES = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1]

/** Spells a word such as `somethingNew` in Apple's style: `SOMETHING_NEW`. */
const inUpperSnakeCase = (word: string) =>
  word.replaceAll(/[A-Z]/g, (each) => `_${each}`).toUpperCase()
const nameIn = (names: Readonly<Record<string, string>>, word: string) =>
  Object.hasOwn(names, word) ? names[word] : inUpperSnakeCase(word)

/** Translates a scenario into Apple's terms. */
export function worldOf({ appStore, betaTesting }: Scenario, now: number): World {
  const versions = (appStore?.versions ?? []).map((each, index) =>
    versionOf(each, appStore!, { now, createdAt: now - HOUR_MS + index })
  )
  const all = [...(appStore?.builds ?? []), ...(betaTesting?.builds ?? [])]
  const builds = all.map((each) => buildOf(each, betaTesting))
  const world: World = {
    appId: '1234567890',
    bundleId: 'com.acme.app',
    isThere: true,
    settings: { ...HOSTILE },
    versions,
    submissions: [itemsOnly(now), ...versions.flatMap((each) => submissionFor(each, now))],
    builds: [...new Map(builds.map((each) => [each.id, each])).values()],
    groups: (betaTesting?.groups ?? []).map((each) => ({ ...each, hasAllBuilds: false })),
    reviews: (appStore?.reviews ?? []).map((each) => ({
      ...each,
      reply: each.reply === null ? null : { text: each.reply, at: now },
    })),
    hooks: [],
    titles: [{ id: 'title-en', locale: 'en-US', texts: { name: 'Acme' } }],
  }
  linkBuilds(world)
  return world
}

/** Makes a submission of an in-app event, which may be in review beside any version. */
const itemsOnly = (now: number): FakeSubmission => ({
  id: 'of-an-event',
  state: 'WAITING_FOR_REVIEW',
  versionId: null,
  others: 1,
  createdAt: now,
  shownAt: now,
  cancelledAt: null,
})

function submissionFor({ id, state }: FakeVersion, now: number): FakeSubmission[] {
  if (!Object.hasOwn(SUBMISSIONS, state)) return []
  const of = { versionId: id, others: 0, createdAt: now, shownAt: now, cancelledAt: null }
  return [{ id: randomUUID(), state: SUBMISSIONS[state], ...of }]
}

function versionOf(
  reported: Version,
  { metadata }: AppStoreScenario,
  { now, createdAt }: { now: number; createdAt: number }
): FakeVersion {
  const own = metadata.filter(({ versionId }) => versionId === reported.id)
  return {
    id: reported.id,
    version: reported.version,
    state: nameIn(STATES, reported.state),
    isOffSale: reported.state === 'removed',
    buildId: reported.buildNumber,
    releaseType: 'MANUAL',
    earliestReleaseDate: null,
    createdAt,
    shownAt: 0,
    distributedAt: null,
    phased: phasedOf(reported, now),
    texts: own.map(({ locale, whatsNew }) => ({ id: randomUUID(), locale, texts: { whatsNew } })),
    detail: null,
    submissions: reported.submissions ?? 0,
  }
}

function phasedOf({ rollout, fraction }: Version, now: number): FakePhased | null {
  if (rollout === 'inactive') return null
  const day = fraction === null ? 1 : SHARES.findIndex((each) => each >= fraction) + 1
  const state = rollout === 'halted' ? 'PAUSED' : rollout.toUpperCase()
  return { id: randomUUID(), state, startedAt: now, day, since: now, pausedMs: 0 }
}

function buildOf(
  { id, number, version, uploadedAt, state }: AppStoreScenario['builds'][number],
  beta: BetaTestingScenario | undefined
): FakeBuild {
  const given = (beta?.distributed ?? []).filter(({ buildId }) => buildId === id)
  const notes = (beta?.notes ?? []).filter(({ buildId }) => buildId === id)
  return {
    id,
    number,
    version,
    uploadedAt: Date.parse(uploadedAt),
    processing: nameIn(BUILD_STATES, state),
    isExpired: state === 'expired',
    encrypts: false,
    groupIds: given.map(({ groupId }) => groupId),
    notes: notes.map(({ locale, text }) => ({ id: randomUUID(), locale, text })),
    betaReview: null,
  }
}

/** Links versions to builds by id, as Apple does; a scenario links them by number. */
function linkBuilds({ versions, builds }: World): void {
  for (const version of versions) {
    const found = builds.find(
      (each) => each.number === version.buildId && each.version === version.version
    )
    version.buildId = found?.id ?? null
  }
}

const ourWord = (names: Readonly<Record<string, string>>, raw: string) =>
  Object.entries(names).find(([, each]) => each === raw)?.[0] ?? raw

/** Translates the state into a scenario. */
export function scenarioOf(world: World, now: number): Scenario {
  const builds = world.builds.map(({ id, number, version, uploadedAt, processing, isExpired }) => ({
    id,
    number,
    version,
    uploadedAt: new Date(uploadedAt).toISOString(),
    state: isExpired ? 'expired' : ourWord(BUILD_STATES, processing),
  }))
  return {
    appStore: {
      builds,
      versions: world.versions.map((each) => reportedOf(world, each, now)),
      metadata: world.versions.flatMap(({ id, texts }) =>
        texts.map(({ locale, texts: own }) => ({
          versionId: id,
          locale,
          whatsNew: own.whatsNew ?? '',
        }))
      ),
      reviews: world.reviews.map(({ reply, ...each }) => ({ ...each, reply: reply?.text ?? null })),
      reviewFiles: world.versions.flatMap(({ id, detail }) =>
        (detail?.attachments ?? [])
          .filter(({ state }) => state === 'UPLOAD_COMPLETE')
          .map(({ name, size }) => ({ versionId: id, name, size }))
      ),
    },
    betaTesting: {
      groups: world.groups.map(({ id, name, internal }) => ({ id, name, internal })),
      builds,
      distributed: world.builds.flatMap(({ id, groupIds }) =>
        groupIds.map((groupId) => ({ buildId: id, groupId }))
      ),
      notes: world.builds.flatMap(({ id, notes }) =>
        notes.map(({ locale, text }) => ({ buildId: id, locale, text }))
      ),
    },
  }
}

function reportedOf({ builds }: World, version: FakeVersion, now: number): Version {
  const { id, state, phased, isOffSale, submissions } = version
  const isPartly = phased?.state === 'ACTIVE' || phased?.state === 'PAUSED'
  const ours = isOffSale ? 'removed' : ourWord(STATES, state)
  const isLive = state === 'READY_FOR_DISTRIBUTION' && !isOffSale
  const isAll = isLive && (!phased || phased.state === 'COMPLETE')
  const share = phased && phased.state !== 'INACTIVE' ? SHARES[dayOf(phased, now) - 1] : null
  return {
    id,
    version: version.version,
    buildNumber: builds.find((each) => each.id === version.buildId)?.number ?? null,
    state: isLive ? (isPartly ? 'rolledOutPartially' : 'live') : ours,
    fraction: isAll ? 1 : share,
    rollout: (phased?.state.toLowerCase() ?? 'inactive') as Version['rollout'],
    submissions,
  }
}
