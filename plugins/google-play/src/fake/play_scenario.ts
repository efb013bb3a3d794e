import type { AppStoreScenario, BetaTestingScenario, Scenario } from '@tarmac/plugin-kit/testing'
import { versionNameOf } from '../releases.js'
import { highestCode, lifecycleOf, PlayStore, PRODUCTION, type StoreRelease } from './play_store.js'

/*
 * Translates scenarios into releases on tracks, and back.
 */

type Version = AppStoreScenario['versions'][number]
type Build = AppStoreScenario['builds'][number]

/** The review of an unpublished version, by its state. */
const REVIEWS: Readonly<Record<string, StoreRelease['review']>> = {
  readyForReview: 'none',
  inReview: 'inReview',
  rejected: 'rejected',
  pendingRelease: 'approved',
}

const OUT: Readonly<Record<string, StoreRelease['status']>> = {
  rolledOutPartially: 'inProgress',
  halted: 'halted',
  live: 'completed',
}

const STATES: Readonly<Record<string, string>> = {
  DRAFT: 'preparing',
  NOT_SENT_FOR_REVIEW: 'readyForReview',
  IN_REVIEW: 'inReview',
  NOT_APPROVED: 'rejected',
  APPROVED_NOT_PUBLISHED: 'pendingRelease',
}

const ROLLOUTS: Readonly<Record<string, Version['rollout']>> = {
  draft: 'inactive',
  inProgress: 'active',
  halted: 'halted',
  completed: 'complete',
}

const base = (track: string, version: string, versionCodes: number[]): StoreRelease => ({
  track,
  name: `${version} (${versionCodes[0]})`,
  versionCodes,
  status: 'draft',
  userFraction: null,
  notes: [],
  priority: null,
  ...{ review: 'none', isOut: false, unsent: null, submissions: 0, pinned: null },
})

/** Makes the store of a scenario. */
export function storeOf({ appStore, betaTesting }: Scenario): PlayStore {
  const store = new PlayStore()
  const versions = appStore?.versions ?? []
  for (const each of versions) store.releases.push(releaseOf(each, appStore!))
  store.isManaged = versions.some(({ state }) => state === 'pendingRelease')
  if (betaTesting) store.tracks = [...betaTesting.groups.map(({ id }) => id), PRODUCTION]
  const builds = [...(appStore?.builds ?? []), ...(betaTesting?.builds ?? [])]
  for (const { number } of builds) store.library.add(Number(number))
  // Every upload is at least in a draft on a track, because Google shows its version only there.
  const placed = new Set(store.releases.flatMap(({ versionCodes }) => versionCodes))
  const uploads = Map.groupBy(
    builds.filter(({ number }) => !placed.has(Number(number))),
    ({ version }: Build) => version
  )
  for (const [version, ofVersion] of uploads) {
    const codes = ofVersion.map(({ number }) => Number(number))
    store.releases.push(base('internal', version, codes))
  }
  return store
}

function releaseOf(version: Version, { metadata }: AppStoreScenario): StoreRelease {
  const { id, state, fraction } = version
  const release = base(PRODUCTION, version.version, [Number(version.buildNumber)])
  release.notes = metadata
    .filter(({ versionId }) => versionId === id)
    .map(({ locale, whatsNew }) => ({ language: locale, text: whatsNew }))
  if (state === 'preparing') return release
  const isOut = Object.hasOwn(OUT, state)
  const share = fraction ?? (isOut ? 1 : 0.01)
  return {
    ...release,
    status: isOut ? OUT[state] : 'inProgress',
    userFraction: share < 1 ? share : null,
    review: isOut ? 'approved' : (REVIEWS[state] ?? 'none'),
    isOut,
    submissions: state === 'readyForReview' ? 0 : 1,
    pinned: isOut || Object.hasOwn(REVIEWS, state) ? null : state.toUpperCase(),
  }
}

const isProduction = ({ track }: StoreRelease) => track === PRODUCTION

const nameOf = ({ name, versionCodes }: StoreRelease) => versionNameOf(name, versionCodes)

/** Returns the versions on the production track. */
export function versionsOf(store: PlayStore): AppStoreScenario['versions'] {
  return store.on(PRODUCTION).map((each) => {
    const { isOut, status, userFraction, submissions } = each
    const lifecycle = lifecycleOf(each)
    const state = isOut ? Object.keys(OUT).find((name) => OUT[name] === status) : STATES[lifecycle]
    return {
      id: `${PRODUCTION}/${highestCode(each)}`,
      version: nameOf(each),
      buildNumber: String(highestCode(each)),
      state: state ?? lifecycle,
      fraction: isOut ? (userFraction ?? 1) : null,
      rollout: isOut ? ROLLOUTS[status] : 'inactive',
      submissions,
    }
  })
}

export const metadataOf = (store: PlayStore): AppStoreScenario['metadata'] =>
  store.releases.filter(isProduction).flatMap((each) =>
    each.notes.map(({ language, text }) => ({
      versionId: `${PRODUCTION}/${highestCode(each)}`,
      locale: language,
      whatsNew: text,
    }))
  )

/** Returns the builds that testers got, and their notes. */
export function testedOf(store: PlayStore): Pick<BetaTestingScenario, 'distributed' | 'notes'> {
  const tested = store.releases.filter((each) => !isProduction(each))
  return {
    distributed: tested
      .filter(({ status }) => status !== 'draft')
      .flatMap(({ track, versionCodes }) =>
        versionCodes.map((code) => ({ buildId: String(code), groupId: track }))
      ),
    notes: tested.flatMap((each) =>
      each.notes.map(({ language, text }) => ({
        buildId: String(highestCode(each)),
        locale: language,
        text,
      }))
    ),
  }
}
