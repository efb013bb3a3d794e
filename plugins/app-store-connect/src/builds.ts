import { isSameVersion, type Page, type StoreBuild, refused, spellingsOf } from '@tarmac/plugin-kit'
import { includedOf, PAGE, PLATFORM, type AppStoreConnect, type Seen } from './api.js'
import type { Apple } from './operations.js'
import { BETA_STATES, BUILD_STATES } from './states.js'

/** The fields of builds that are read. */
const FIELDS = {
  'fields[builds]': [
    'version',
    'uploadedDate',
    'expired',
    'processingState',
    'usesNonExemptEncryption',
    'preReleaseVersion',
    'buildBetaDetail',
  ],
  'fields[preReleaseVersions]': ['version', 'platform'],
} satisfies Apple.BuildsGetCollectionData['query']

/**
 * Tolerance for Apple's order: an upload may be listed after one that is older by this, in
 * milliseconds.
 */
const MIXED_MS = 10 * 60_000

/**
 * Lists builds of the app, newest first, in pages of 200: one call. @param how.withTesting includes
 * the state of each in TestFlight
 */
export async function listBuilds(
  api: AppStoreConnect,
  { version, since }: { version?: string; since?: string },
  cursor: string | undefined,
  { withTesting }: { withTesting: boolean }
): Promise<Page<StoreBuild>> {
  const appId = await api.appId()
  const seen = api.begin()
  const answer = await api.read(
    '/v1/builds',
    null,
    {
      'filter[app]': [appId],
      'filter[preReleaseVersion.platform]': [PLATFORM],
      ...(version === undefined
        ? {}
        : { 'filter[preReleaseVersion.version]': spellingsOf(version) }),
      'sort': ['-uploadedDate'],
      'include': withTesting ? ['preReleaseVersion', 'buildBetaDetail'] : ['preReleaseVersion'],
      ...FIELDS,
      ...(withTesting
        ? { 'fields[buildBetaDetails]': ['internalBuildState', 'externalBuildState'] }
        : {}),
      'limit': PAGE,
    },
    cursor
  )
  const versions = preReleaseVersionsOf(answer)
  const details = includedOf(answer, 'buildBetaDetails') as Map<string, Apple.BuildBetaDetail>
  const all = answer.data.map((build) => {
    const { buildBetaDetail } = build.relationships ?? {}
    return buildOf(api, build, {
      seen,
      version: versionNameOf(build, versions),
      detail: details.get(buildBetaDetail?.data?.id ?? ''),
    })
  })
  const from = since === undefined ? -Infinity : Date.parse(since)
  const isOver = all.some(({ uploadedAt }) => Date.parse(uploadedAt) < from - MIXED_MS)
  const isWanted = (each: StoreBuild) =>
    (version === undefined || isSameVersion(each.version, version)) &&
    Date.parse(each.uploadedAt) >= from
  return { items: all.filter(isWanted), ...(isOver ? {} : api.nextOf(answer)) }
}

const preReleaseVersionsOf = (answer: Parameters<typeof includedOf>[0]) =>
  includedOf(answer, 'preReleaseVersions') as Map<string, Apple.PrereleaseVersion>

const versionNameOf = (
  { relationships }: Apple.Build,
  versions: ReadonlyMap<string, Apple.PrereleaseVersion>
): string =>
  versions.get(relationships?.preReleaseVersion?.data?.id ?? '')?.attributes?.version ?? ''

function buildOf(
  api: AppStoreConnect,
  { id, attributes = {} }: Apple.Build,
  { seen, version, detail }: { seen: Seen; version: string; detail?: Apple.BuildBetaDetail }
): StoreBuild {
  const raw = attributes.expired ? 'EXPIRED' : (attributes.processingState ?? '')
  const beta = detail && betaStateOf(detail)
  return {
    id,
    number: attributes.version ?? '',
    version,
    uploadedAt: attributes.uploadedDate ?? new Date(0).toISOString(),
    status: api.observed(BUILD_STATES, raw, seen),
    ...(beta === undefined ? {} : { testing: api.observed(BETA_STATES, beta, seen) }),
  }
}

/** External states in which only internal testers can have a build. */
const NOT_EXTERNAL: readonly (string | undefined)[] = [
  'READY_FOR_BETA_SUBMISSION',
  'NOT_APPLICABLE',
]

function betaStateOf({ attributes = {} }: Apple.BuildBetaDetail): string | undefined {
  const { internalBuildState: internal, externalBuildState: external } = attributes
  const isInternalOnly = NOT_EXTERNAL.includes(external) && internal === 'IN_BETA_TESTING'
  return isInternalOnly ? internal : external
}

/**
 * Finds the build with a version and number, and the version's name in the build, which Apple wants
 * for the version in the store, too: one call.
 * @throws ProviderError `notFound`
 */
export async function findBuild(
  api: AppStoreConnect,
  { version, buildNumber }: { version: string; buildNumber: string }
): Promise<{ build: Apple.Build; versionName: string }> {
  const answer = await api.read('/v1/builds', null, {
    'filter[app]': [await api.appId()],
    'filter[preReleaseVersion.platform]': [PLATFORM],
    'filter[preReleaseVersion.version]': spellingsOf(version),
    'filter[version]': [buildNumber],
    'include': ['preReleaseVersion'],
    ...FIELDS,
    'limit': PAGE,
  })
  const build = answer.data.find(({ attributes }) => attributes?.version === buildNumber)
  if (build) return { build, versionName: versionNameOf(build, preReleaseVersionsOf(answer)) }
  throw refused('notFound', {
    reason: 'buildUnknown',
    message: `App Store Connect has no build ${buildNumber} of version ${version}.`,
    action: 'Whoever releases waits until it was uploaded, or chooses another.',
  })
}

/** Refuses a build that Apple would not take. @throws ProviderError */
export function requireUsable({ attributes = {} }: Apple.Build): void {
  const { version: number, expired, processingState } = attributes
  if (expired) {
    throw refused('preconditionFailed', {
      reason: 'buildExpired',
      message: `Build ${number} has expired: Apple takes one for 90 days.`,
      action: 'Whoever releases has a new build made, and chooses that.',
    })
  }
  if (processingState === 'PROCESSING') {
    throw refused('preconditionFailed', {
      reason: 'preparing',
      message: `Apple has not processed build ${number} yet.`,
      action: 'Whoever releases waits until the build is ready.',
      retryAfterMs: 60_000,
    })
  }
  if (processingState === 'INVALID' || processingState === 'FAILED') {
    throw refused('preconditionFailed', {
      reason: 'buildInvalid',
      message: `Apple has found build ${number} to be invalid.`,
      action: 'Whoever builds the app reads the mail that Apple sent about it.',
    })
  }
}

/** Refuses a build without a declaration of export compliance. @throws ProviderError */
export function requireDeclared({ attributes = {} }: Apple.Build): void {
  if (typeof attributes.usesNonExemptEncryption === 'boolean') return
  throw refused('preconditionFailed', {
    reason: 'complianceMissing',
    message: `Nobody has said of build ${attributes.version} whether it encrypts (export compliance).`,
    action:
      'Whoever may submit answers that at the build in App Store Connect; ITSAppUsesNonExemptEncryption in Info.plist answers it for good.',
  })
}
