import {
  isSameVersion,
  type Page,
  type ProviderError,
  type StoreVersion,
  spellingsOf,
  type StoreVersionState,
  unless,
} from '@tarmac/plugin-kit'
import { includedOf, PAGE, PLATFORM, type AppStoreConnect, type Seen } from './api.js'
import type { Apple } from './operations.js'
import { METHODS, PAST, REMOVED, ROLLOUTS, SHARES, STATES } from './states.js'
import { submissionsOfVersions } from './submissions.js'

/** The fields of versions and their builds that are read. */
const FIELDS = {
  'fields[appStoreVersions]': [
    'versionString',
    'appStoreState',
    'appVersionState',
    'releaseType',
    'earliestReleaseDate',
    'createdDate',
    'build',
    'appStoreVersionPhasedRelease',
  ],
  'fields[builds]': ['version', 'expired', 'processingState', 'usesNonExemptEncryption'],
} satisfies Apple.AppsAppStoreVersionsGetToManyRelatedData['query']

/** Apple's version with its build and phased release. */
export interface FoundVersion {
  version: Apple.AppStoreVersion
  build: Apple.Build | null
  phased: Apple.AppStoreVersionPhasedRelease | null
  seen: Seen
}

/** Returns Apple's state of a version. Only the older field reports removals. */
export function rawStateOf({ attributes }: Apple.AppStoreVersion): string {
  const { appVersionState, appStoreState } = attributes ?? {}
  const isRemoved = REMOVED.includes(appStoreState)
  return (isRemoved ? appStoreState : (appVersionState ?? appStoreState)) ?? ''
}

/** Reads one page of versions: one call. */
export async function findVersions(
  api: AppStoreConnect,
  { version, raw }: { version?: string; raw?: readonly string[] },
  cursor?: string
): Promise<{ found: FoundVersion[]; next?: string }> {
  const appId = await api.appId()
  const seen = api.begin()
  const states = raw as Apple.AppVersionState[] | undefined
  const answer = await api.read(
    '/v1/apps/{id}/appStoreVersions',
    appId,
    {
      'filter[platform]': [PLATFORM],
      ...(version === undefined ? {} : { 'filter[versionString]': spellingsOf(version) }),
      ...(states === undefined ? {} : { 'filter[appVersionState]': states }),
      'include': ['build', 'appStoreVersionPhasedRelease'],
      ...FIELDS,
      'limit': PAGE,
    },
    cursor
  )
  const builds = includedOf(answer, 'builds') as Map<string, Apple.Build>
  const phased = includedOf(answer, 'appStoreVersionPhasedReleases') as Map<
    string,
    Apple.AppStoreVersionPhasedRelease
  >
  const found = answer.data.map((each) => ({
    version: each,
    build: builds.get(each.relationships?.build?.data?.id ?? '') ?? null,
    phased: phased.get(each.relationships?.appStoreVersionPhasedRelease?.data?.id ?? '') ?? null,
    seen,
  }))
  return { found: found.sort(newestFirst), ...api.nextOf(answer) }
}

/** Reads a version by its id, with its app: one call. @throws ProviderError */
export async function findVersion(
  api: AppStoreConnect,
  id: string
): Promise<FoundVersion & { appId: string; submission: string | null }> {
  const seen = api.begin()
  const answer = await api.read('/v1/appStoreVersions/{id}', id, {
    'include': ['app', 'build', 'appStoreVersionPhasedRelease', 'appStoreVersionSubmission'],
    ...FIELDS,
    'fields[appStoreVersions]': [
      ...FIELDS['fields[appStoreVersions]'],
      'app',
      'appStoreVersionSubmission',
    ],
    'fields[apps]': ['bundleId'],
  })
  const { app } = answer.data.relationships ?? {}
  if (app?.data) api.knowApp(app.data.id)
  const [build] = includedOf(answer, 'builds').values()
  const [phased] = includedOf(answer, 'appStoreVersionPhasedReleases').values()
  const [submission] = includedOf(answer, 'appStoreVersionSubmissions').keys()
  return {
    version: answer.data,
    build: (build as Apple.Build | undefined) ?? null,
    phased: (phased as Apple.AppStoreVersionPhasedRelease | undefined) ?? null,
    seen,
    appId: app?.data?.id ?? (await api.appId()),
    submission: submission ?? null,
  }
}

const newestFirst = (one: FoundVersion, other: FoundVersion) =>
  (other.version.attributes?.createdDate ?? '').localeCompare(
    one.version.attributes?.createdDate ?? ''
  )

/** Returns Apple's states for the kit's; null if Apple's filter cannot express one of them. */
function rawOf(states: readonly StoreVersionState[]): string[] | null {
  const isWanted = (state: StoreVersionState) =>
    states.includes(state) || (state === 'live' && states.includes('rolledOutPartially'))
  const raw = Object.entries(STATES).flatMap(([word, state]) => (isWanted(state) ? [word] : []))
  return raw.some((each) => REMOVED.includes(each)) ? null : raw
}

/**
 * Lists versions of an app, newest first, in pages of 200. One call, and another for the ids of
 * submissions if a version is submitted and not yet released.
 */
export async function listVersions(
  api: AppStoreConnect,
  { version, states }: { version?: string; states?: StoreVersionState[] },
  cursor?: string
): Promise<Page<StoreVersion>> {
  const raw = states ? rawOf(states) : null
  if (raw?.length === 0) return { items: [] }
  const { found, next } = await findVersions(
    api,
    { ...(version === undefined ? {} : { version }), ...(raw ? { raw } : {}) },
    cursor
  )
  const wanted = found.filter(
    ({ version: { attributes } }) =>
      version === undefined || isSameVersion(attributes?.versionString ?? '', version)
  )
  // A role may see versions but no submissions; then their ids are left out.
  const isSeen = ({ code }: ProviderError) => code === 'forbidden'
  const submitted = wanted.filter(isUnderWay).map((each) => each.version.id)
  const submissions =
    submitted.length > 0 ? await unless(submissionsOfVersions(api, submitted), isSeen) : null
  const items = wanted
    .map((each) => versionOf(api, each, submissions?.get(each.version.id)))
    .filter(({ status }) => isAsked(states, status.state))
  return { items, ...(next === undefined ? {} : { next }) }
}

/** Returns whether a version is submitted and not yet released. */
function isUnderWay({ version }: FoundVersion): boolean {
  const raw = rawStateOf(version)
  return !PAST.includes(raw) && raw !== 'PREPARE_FOR_SUBMISSION'
}

const isAsked = (states: StoreVersionState[] | undefined, state: string) =>
  !states || (states as string[]).includes(state)

/** Translates a version into the kit's terms. @param submissionId of its review, if known */
export function versionOf(
  api: AppStoreConnect,
  { version, build, phased, seen }: FoundVersion,
  submissionId?: string
): StoreVersion {
  const { id, attributes = {}, relationships } = version
  const { releaseType = '', earliestReleaseDate } = attributes
  const status = api.observed(STATES, rawStateOf(version), seen)
  const rollout = phased ? rolloutOf(phased, status.state) : undefined
  // A phased release starts by itself once the version is live, which reads may show later.
  const isPartly = rollout !== undefined && rollout.state !== 'complete'
  const buildId = build?.id ?? relationships?.build?.data?.id
  const number = build?.attributes?.version
  const method = METHODS[releaseType]
  return {
    id,
    version: attributes.versionString ?? '',
    ...(buildId === undefined ? {} : { buildId }),
    ...(number === undefined ? {} : { buildNumbers: [number] }),
    status:
      status.state === 'live' && isPartly ? { ...status, state: 'rolledOutPartially' } : status,
    ...(submissionId === undefined ? {} : { submissionId }),
    ...(method === undefined
      ? {}
      : { release: { method, ...(earliestReleaseDate ? { at: earliestReleaseDate } : {}) } }),
    ...(rollout === undefined ? {} : { rollout }),
  }
}

function rolloutOf(
  { attributes = {} }: Apple.AppStoreVersionPhasedRelease,
  state: string
): NonNullable<StoreVersion['rollout']> {
  const { phasedReleaseState: raw = '', currentDayNumber: day, startDate } = attributes
  const reported = Object.hasOwn(ROLLOUTS, raw) ? ROLLOUTS[raw as string] : undefined
  return {
    mode: 'phased',
    // An unknown state counts as inactive, without a share.
    state: reported ?? 'inactive',
    raw,
    ...(reported === undefined ? {} : { fraction: shareOf(reported, day, state) }),
    ...(day === undefined || day === 0 ? {} : { day }),
    ...(startDate === undefined ? {} : { startedAt: startDate }),
    // Apple reports whole days.
    pausedDays: attributes.totalPauseDuration ?? 0,
  }
}

/**
 * Returns the share that a phased release has reached. If a newer version ended it, the last share
 * stays.
 */
function shareOf(rollout: string, day: number | undefined, state: string): number {
  if (rollout === 'inactive') return 0
  if (rollout === 'complete' && state !== 'replaced') return 1
  if (day === undefined || day < 1) return rollout === 'complete' ? 1 : 0
  return SHARES[Math.min(day, SHARES.length) - 1]
}
