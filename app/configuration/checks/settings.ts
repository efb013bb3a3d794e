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
import { whyNoUpdatePriority } from '#apps/update_priority'
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
import type { Inspector, KeyedElement, Element } from './inspector.js'
import type { DeclaredIntegrations } from './integrations.js'
import { named, quote, type Location } from './problems.js'
import { checkRollout } from './rollout.js'

const MAX_PATHS = 200
const MAX_ENTRIES = 100
const MAX_URL = 2000
const MAX_EMAIL = 254
const MAX_USERS = 2000

type SettingReader<Value> = (inspector: Inspector, element: Element) => Value | undefined

const flag: SettingReader<boolean> = (inspector, element) => inspector.flag(element)
const paths: SettingReader<string[]> = (inspector, element) =>
  inspector.texts(element, 'paths', MAX_PATHS)

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
  element: Element,
  current: AppSettings
): Patch<AppSettings> | undefined {
  const fields = inspector.fields(element, SETTING_NAMES)
  if (!fields) return undefined
  const settings = Object.fromEntries(
    SETTING_NAMES.map((name) => [
      name,
      inspector.optional(fields[name], (each) => SETTING_READERS[name](inspector, each)),
    ])
  ) as Patch<AppSettings>
  checkFixSettings(inspector, element, settings, current, fields)
  return settings
}

/** Checks version files: one whose version cannot be read would block every kickoff. */
function readVersionFiles(inspector: Inspector, element: Element): string[] {
  for (const item of inspector.items(element, 'paths', MAX_PATHS)) {
    const { value } = item.node as { value?: unknown }
    if (typeof value !== 'string' || value === '' || isVersionFile(value)) continue
    const message = `No version can be read from a file of this kind; ${VERSION_FILE_KINDS} can be`
    inspector.problems.add(item, 'not_allowed', message)
  }
  return paths(inspector, element) ?? []
}

function readDefaultReleaseType(inspector: Inspector, element: Element) {
  const { node } = element
  if (node.kind === 'scalar' && node.value === 'hotfix') {
    const message = `A hotfix cannot be the default; it is one of ${DEFAULT_RELEASE_TYPES.join(', ')}`
    inspector.problems.add(element, 'not_allowed', message)
    return undefined
  }
  return inspector.choice(element, DEFAULT_RELEASE_TYPES)
}

function checkFixSettings(
  inspector: Inspector,
  element: Element,
  input: Patch<AppSettings>,
  current: AppSettings,
  fields: Partial<Record<'requireFixApprovals' | 'enableFixStatusChecks', Element>>
): void {
  const after = (name: 'requireFixApprovals' | 'enableFixStatusChecks') =>
    fields[name] ? (input[name] ?? false) : current[name]
  // A value that is not a boolean has already been reported.
  const broken = fields.requireFixApprovals && input.requireFixApprovals === undefined
  if (broken || !after('enableFixStatusChecks') || after('requireFixApprovals')) return
  const at = fields.enableFixStatusChecks ?? fields.requireFixApprovals ?? element
  const message = 'enableFixStatusChecks: true needs requireFixApprovals: true'
  inspector.problems.add(at, 'conflict', message)
}

/** The content of `appStoreReleaseSettings`. */
interface StoreSettingsOfFile {
  settings: Patch<AppStoreReleaseSettings>
  /** The rollout policy. Null clears it, undefined leaves it unchanged. */
  rollout: RolloutPolicy | null | undefined
}

const MANAGED =
  'Google Play holds what it approved only with managed publishing, which is switched on in the Play Console alone. Without it the approval is the takeoff; with it a person publishes in the console.'

const NOT_SCHEDULED =
  'Google Play publishes at no set time: it does not take the submission of a release with a target date. Choose manual, which needs managed publishing, or automatic.'

/** Checks `appStoreReleaseSettings`. A rollout is only allowed if the platform has a store. */
export function checkAppStoreReleaseSettings(
  inspector: Inspector,
  element: Element,
  platform: AppPlatform | undefined,
  ground: Ground
): StoreSettingsOfFile | undefined {
  const fields = inspector.fields(element, [
    'releaseMethod',
    'phasedReleaseEnabled',
    'inAppUpdatePriority',
    ROLLOUT_KEY,
  ])
  if (!fields) return undefined
  const phased = inspector.optional(fields.phasedReleaseEnabled, (each) => inspector.flag(each))
  const rollout = inspector.optional(fields[ROLLOUT_KEY], (each) =>
    checkRollout(inspector, each, ground)
  )
  for (const [name, input] of Object.entries({ phasedReleaseEnabled: phased, rollout })) {
    if (!input || !platform || storeKindOf(platform) !== 'ota') continue
    const message = `${name} needs a store, and ${platform} has none`
    inspector.problems.add(fields[name as 'rollout'] ?? element, 'not_allowed', message)
  }
  const isGoogle = platform && storeKindOf(platform) === 'google'
  const priority = inspector.optional(fields.inAppUpdatePriority, (each) =>
    inspector.integer(each, 0, 5)
  )
  const whyNot = typeof priority === 'number' && platform ? whyNoUpdatePriority(platform) : null
  if (whyNot !== null) {
    inspector.problems.add(fields.inAppUpdatePriority ?? element, 'not_allowed', whyNot)
  }
  const releaseMethod = inspector.optional(fields.releaseMethod, (each) =>
    inspector.choice(each, RELEASE_METHODS)
  )
  if (isGoogle && (releaseMethod === 'manual' || releaseMethod === 'scheduled')) {
    const message = releaseMethod === 'manual' ? MANAGED : NOT_SCHEDULED
    inspector.problems.warn(fields.releaseMethod ?? element, 'managed_publishing', message)
  }
  return {
    settings: {
      releaseMethod,
      phasedReleaseEnabled: phased,
      inAppUpdatePriority: priority,
    },
    rollout,
  }
}

/** Checks `branchSettings`: keys name a version-control integration, values are patterns. */
export function checkBranchSettings(
  inspector: Inspector,
  element: Element,
  declared: DeclaredIntegrations
): BranchSettings[] {
  const entries = inspector.entries(element, 'integration to its branches', MAX_ENTRIES)
  return entries.flatMap((entry) => {
    checkReference(inspector, entry.keyAt, entry.key, declared, 'versionControl')
    return readBranches(inspector, entry) ?? []
  })
}

function readBranches(inspector: Inspector, entry: KeyedElement): BranchSettings | undefined {
  const fields = inspector.fields(entry.value, ['releaseBranchPatterns', 'workingBranch'])
  if (!fields) return undefined
  const patterns =
    inspector.optional(fields.releaseBranchPatterns, (element) =>
      inspector.fields(element, ['all', 'hotfix'])
    ) ?? {}
  const pattern = (element: Element | undefined) =>
    inspector.optional(element, (each) => readNestedPattern(inspector, each)) ?? null
  const workingBranch = inspector.optional(fields.workingBranch, (element) =>
    readPattern(inspector, element, 'workingBranch')
  )
  return {
    integration: entry.key,
    allPattern: pattern(patterns.all),
    hotfixPattern: pattern(patterns.hotfix),
    workingBranch: workingBranch ?? null,
  }
}

function readNestedPattern(inspector: Inspector, element: Element): string | undefined {
  const fields = inspector.fields(element, ['pattern'])
  if (!fields) return undefined
  return inspector.required(element, 'pattern', fields.pattern, (each) =>
    readPattern(inspector, each, 'branch')
  )
}

/** Checks `tagSettings`: patterns with known tokens. */
export function checkTagSettings(inspector: Inspector, element: Element): TagSettings[] {
  return inspector.entries(element, 'name to tag pattern', MAX_ENTRIES).flatMap((entry) => {
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
  element: Element,
  declared: DeclaredIntegrations
): FeatureAffiliation[] {
  return inspector
    .entries(element, 'name to feature affiliation', MAX_ENTRIES)
    .flatMap((entry) => readAffiliation(inspector, entry, declared) ?? [])
}

function readAffiliation(
  inspector: Inspector,
  { key, value }: KeyedElement,
  declared: DeclaredIntegrations
): FeatureAffiliation | undefined {
  const fields = inspector.fields(value, ['integration', 'type', 'pattern'])
  if (!fields) return undefined
  const integration = inspector.required(value, 'integration', fields.integration, (element) => {
    const name = inspector.text(element)
    if (name !== undefined) checkReference(inspector, element, name, declared, 'issueTracking')
    return name
  })
  const type = inspector.required(value, 'type', fields.type, (element) =>
    inspector.choice(element, AFFILIATION_TYPES)
  )
  const pattern = inspector.required(value, 'pattern', fields.pattern, (element) =>
    readPattern(inspector, element, 'featureAffiliation')
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
export function checkAppUsers(inspector: Inspector, element: Element): string[] {
  const seen = new Set<string>()
  return inspector.items(element, 'e-mail addresses', MAX_USERS).flatMap((item) => {
    const text = inspector.text(item, MAX_EMAIL)
    if (text === undefined) return []
    const email = text.toLowerCase()
    if (!vine.helpers.isEmail(email)) {
      inspector.problems.add(item, 'invalid_email', `${quote(text)} is not an e-mail address`)
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
export function checkIcon(inspector: Inspector, element: Element): string | undefined {
  const text = inspector.text(element, MAX_URL)
  if (text === undefined) return undefined
  const fault = webUrlFault(text)
  if (fault === null) return text
  inspector.problems.add(element, 'invalid_url', `The address of the icon ${fault}`)
  return undefined
}
