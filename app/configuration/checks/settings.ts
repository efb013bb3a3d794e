import { webUrlFault } from '#foundation/core/web_url'
import vine from '@vinejs/vine'
import {
  AFFILIATION_TYPES,
  RELEASE_METHODS,
  type AppSettings,
  type AppStoreReleaseSettings,
  type BranchSettings,
  type FeatureAffiliation,
  type TagSettings,
} from '#apps/settings'
import { storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { Kind } from '#plugin-kit/kinds'
import type { Ground } from '#rollouts/policy/check_policy'
import type { RolloutPolicy } from '#rollouts/policy/policy'
import { DEFAULT_RELEASE_TYPES } from '#workflow/vocabulary'
import { ROLLOUT_KEY } from '../document.js'
import type { Patch } from '../model.js'
import { readPattern } from './buckets.js'
import {
  isVersionFile,
  VERSION_FILE_KINDS,
} from '#version_control/version_files/version_file_names'
import type { Inspector, KeyedSpot, Spot } from './inspector.js'
import type { DeclaredIntegrations } from './integrations.js'
import { named, quote, type Location } from './problems.js'
import { checkRollout } from './rollout.js'

const MAX_PATHS = 200
const MAX_ENTRIES = 100
const MAX_URL = 2000
const MAX_EMAIL = 254
const MAX_USERS = 2000

type SettingReader<Value> = (inspector: Inspector, spot: Spot) => Value | undefined

const flag: SettingReader<boolean> = (inspector, spot) => inspector.flag(spot)
const paths: SettingReader<string[]> = (inspector, spot) =>
  inspector.texts(spot, 'paths', MAX_PATHS)

/** The reader of each setting, in the order of the specification. */
const SETTING_READERS: { [Name in keyof AppSettings]: SettingReader<AppSettings[Name]> } = {
  defaultReleaseType: readDefaultReleaseType,
  assumeHotfixesArePointReleases: flag,
  versionFiles: readVersionFiles,
  localizationDirectories: paths,
  requireFixApprovals: flag,
  enableFixStatusChecks: flag,
  hideNotRequiredReleaseStepsInTimeline: flag,
}
const SETTING_NAMES = Object.keys(SETTING_READERS) as (keyof AppSettings)[]

/**
 * Checks `appSettings`, together with the app's current settings. Hotfix is not allowed as the
 * default release type, and status checks of fixes require the approval of fixes.
 */
export function checkAppSettings(
  inspector: Inspector,
  spot: Spot,
  current: AppSettings
): Patch<AppSettings> | undefined {
  const fields = inspector.fields(spot, SETTING_NAMES)
  if (!fields) return undefined
  const settings = Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      inspector.optional(fields[name], (each) => SETTING_READERS[name](inspector, each)),
    ])
  ) as Patch<AppSettings>
  checkFixSettings(inspector, spot, settings, current, fields)
  return settings
}

/** Checks version files: one whose version cannot be read would block every kickoff. */
function readVersionFiles(inspector: Inspector, spot: Spot): string[] {
  for (const item of inspector.items(spot, 'paths', MAX_PATHS)) {
    const { value } = item.node as { value?: unknown }
    if (typeof value !== 'string' || value === '' || isVersionFile(value)) continue
    const message = `No version can be read in a file of this kind; ${VERSION_FILE_KINDS} can be`
    inspector.problems.add(item, 'not_allowed', message)
  }
  return paths(inspector, spot) ?? []
}

function readDefaultReleaseType(inspector: Inspector, spot: Spot) {
  const { node } = spot
  if (node.kind === 'scalar' && node.value === 'hotfix') {
    const message = `A hotfix cannot be the default; it is one of ${DEFAULT_RELEASE_TYPES.join(', ')}`
    inspector.problems.add(spot, 'not_allowed', message)
    return undefined
  }
  return inspector.choice(spot, DEFAULT_RELEASE_TYPES)
}

function checkFixSettings(
  inspector: Inspector,
  spot: Spot,
  given: Patch<AppSettings>,
  current: AppSettings,
  fields: Partial<Record<'requireFixApprovals' | 'enableFixStatusChecks', Spot>>
): void {
  const after = (name: 'requireFixApprovals' | 'enableFixStatusChecks') =>
    fields[name] ? (given[name] ?? false) : current[name]
  // A value that is not a boolean has already been reported.
  const broken = fields.requireFixApprovals && given.requireFixApprovals === undefined
  if (broken || !after('enableFixStatusChecks') || after('requireFixApprovals')) return
  const at = fields.enableFixStatusChecks ?? fields.requireFixApprovals ?? spot
  const message = 'enableFixStatusChecks: true needs requireFixApprovals: true'
  inspector.problems.add(at, 'conflict', message)
}

/** The content of `appStoreReleaseSettings`. */
interface StoreSettingsOfFile {
  settings: Patch<AppStoreReleaseSettings>
  /** The rollout policy. Null clears it, undefined leaves it unchanged. */
  rollout: RolloutPolicy | null | undefined
}

/** Checks `appStoreReleaseSettings`. A rollout is only allowed if the platform has a store. */
export function checkAppStoreReleaseSettings(
  inspector: Inspector,
  spot: Spot,
  platform: AppPlatform | undefined,
  ground: Ground
): StoreSettingsOfFile | undefined {
  const fields = inspector.fields(spot, ['releaseMethod', 'phasedReleaseEnabled', ROLLOUT_KEY])
  if (!fields) return undefined
  const phased = inspector.optional(fields.phasedReleaseEnabled, (each) => inspector.flag(each))
  const rollout = inspector.optional(fields[ROLLOUT_KEY], (each) =>
    checkRollout(inspector, each, ground)
  )
  for (const [name, given] of Object.entries({ phasedReleaseEnabled: phased, rollout })) {
    if (!given || !platform || storeKindOf(platform) !== 'ota') continue
    const message = `${name} needs a store, and ${platform} has none`
    inspector.problems.add(fields[name as 'rollout'] ?? spot, 'not_allowed', message)
  }
  return {
    settings: {
      releaseMethod: inspector.optional(fields.releaseMethod, (each) =>
        inspector.choice(each, RELEASE_METHODS)
      ),
      phasedReleaseEnabled: phased,
    },
    rollout,
  }
}

/** Checks `branchSettings`: keys name a version-control integration, values are patterns. */
export function checkBranchSettings(
  inspector: Inspector,
  spot: Spot,
  declared: DeclaredIntegrations
): BranchSettings[] {
  const entries = inspector.entries(spot, 'integration to its branches', MAX_ENTRIES)
  return entries.flatMap((entry) => {
    checkReference(inspector, entry.keyAt, entry.key, declared, 'versionControl')
    return readBranches(inspector, entry) ?? []
  })
}

function readBranches(inspector: Inspector, entry: KeyedSpot): BranchSettings | undefined {
  const fields = inspector.fields(entry.value, ['releaseBranchPatterns', 'workingBranch'])
  if (!fields) return undefined
  const patterns =
    inspector.optional(fields.releaseBranchPatterns, (spot) =>
      inspector.fields(spot, ['all', 'hotfix'])
    ) ?? {}
  const pattern = (spot: Spot | undefined) =>
    inspector.optional(spot, (each) => readNestedPattern(inspector, each)) ?? null
  const workingBranch = inspector.optional(fields.workingBranch, (spot) =>
    readPattern(inspector, spot, 'workingBranch')
  )
  return {
    integration: entry.key,
    allPattern: pattern(patterns.all),
    hotfixPattern: pattern(patterns.hotfix),
    workingBranch: workingBranch ?? null,
  }
}

function readNestedPattern(inspector: Inspector, spot: Spot): string | undefined {
  const fields = inspector.fields(spot, ['pattern'])
  if (!fields) return undefined
  return inspector.required(spot, 'pattern', fields.pattern, (each) =>
    readPattern(inspector, each, 'branch')
  )
}

/** Checks `tagSettings`: patterns with known tokens. */
export function checkTagSettings(inspector: Inspector, spot: Spot): TagSettings[] {
  return inspector.entries(spot, 'name to tag pattern', MAX_ENTRIES).flatMap((entry) => {
    const fields = inspector.fields(entry.value, ['pattern'])
    const pattern =
      fields &&
      inspector.required(entry.value, 'pattern', fields.pattern, (each) =>
        readPattern(inspector, each, 'tag')
      )
    return pattern === undefined ? [] : [{ name: entry.key, pattern }]
  })
}

/** Checks `featureAffiliations`: each names an issue-tracking integration, and has a pattern. */
export function checkFeatureAffiliations(
  inspector: Inspector,
  spot: Spot,
  declared: DeclaredIntegrations
): FeatureAffiliation[] {
  return inspector
    .entries(spot, 'name to feature affiliation', MAX_ENTRIES)
    .flatMap((entry) => readAffiliation(inspector, entry, declared) ?? [])
}

function readAffiliation(
  inspector: Inspector,
  { key, value }: KeyedSpot,
  declared: DeclaredIntegrations
): FeatureAffiliation | undefined {
  const fields = inspector.fields(value, ['integration', 'type', 'pattern'])
  if (!fields) return undefined
  const integration = inspector.required(value, 'integration', fields.integration, (spot) => {
    const name = inspector.text(spot)
    if (name !== undefined) checkReference(inspector, spot, name, declared, 'issueTracking')
    return name
  })
  const type = inspector.required(value, 'type', fields.type, (spot) =>
    inspector.choice(spot, AFFILIATION_TYPES)
  )
  const pattern = inspector.required(value, 'pattern', fields.pattern, (spot) =>
    readPattern(inspector, spot, 'featureAffiliation')
  )
  if (integration === undefined || type === undefined || pattern === undefined) return undefined
  return { name: key, integration, type, pattern }
}

const KIND_WORDS = { versionControl: 'version-control', issueTracking: 'issue-tracking' } as const

/** Checks that an integration named by its key is in the file and of the right kind. */
export function checkReference(
  inspector: Inspector,
  at: Location,
  name: string,
  declared: DeclaredIntegrations,
  kind: 'versionControl' | 'issueTracking'
): void {
  const found: Kind | null | undefined = declared.get(name)
  const words = KIND_WORDS[kind]
  if (found === undefined) {
    const known = [...declared].flatMap(([key, its]) => (its === kind || its === null ? [key] : []))
    const there =
      known.length > 0 ? `there is ${named(known.map(quote))}` : 'the file declares none'
    const message = `${quote(name)} names no ${words} integration of this file; ${there}`
    const sure = known.filter((key) => declared.get(key) === kind)
    inspector.problems.addUnknown(at, 'integration_unknown', message, name, sure)
  } else if (found !== null && found !== kind) {
    const message = `${quote(name)} is an integration of another kind; it has to be a ${words} one`
    inspector.problems.add(at, 'integration_mismatch', message)
  }
}

/** Checks `appUsers`: e-mail addresses, compared and stored in lower case. */
export function checkAppUsers(inspector: Inspector, spot: Spot): string[] {
  const seen = new Set<string>()
  return inspector.items(spot, 'e-mail addresses', MAX_USERS).flatMap((item) => {
    const text = inspector.text(item, MAX_EMAIL)
    if (text === undefined) return []
    const email = text.toLowerCase()
    if (!vine.helpers.isEmail(email)) {
      inspector.problems.add(item, 'invalid_email', `${quote(text)} is no e-mail address`)
      return []
    }
    if (seen.has(email)) {
      inspector.problems.add(item, 'duplicate', `${quote(text)} is listed twice`)
      return []
    }
    seen.add(email)
    return [email]
  })
}

/** Checks the form of `icon`, an http(s) URL that is fetched later. */
export function checkIcon(inspector: Inspector, spot: Spot): string | undefined {
  const text = inspector.text(spot, MAX_URL)
  if (text === undefined) return undefined
  const fault = webUrlFault(text)
  if (fault === null) return text
  inspector.problems.add(spot, 'invalid_url', `The address of the icon ${fault}`)
  return undefined
}
