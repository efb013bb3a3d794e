import { DEFAULT_APP_SETTINGS } from '#apps/settings'
import { destinationWorkflow } from '#apps/standard_workflow'
import { APP_PLATFORMS, storeKindOf, type AppPlatform } from '#apps/vocabulary'
import type { Ground } from '#rollouts/policy/check_policy'
import { crashMonitorOf, observedBy } from '#rollouts/policy/observed'
import { changedConfiguration, completeConfiguration } from '../complete.js'
import type { AppConfiguration, ConfigurationFile, DestinationConfiguration } from '../model.js'
import type { YamlNode } from '../yaml/tree.js'
import {
  AUTOMATIONS_KEY,
  CADENCE_KEY,
  CHANGES_KEY,
  DESTINATIONS_KEY,
  FIXES_KEY,
  FREEZES_KEY,
  NOTIFICATIONS_KEY,
} from '../document.js'
import { checkBuckets } from './buckets.js'
import { checkChanges } from './change_approvals.js'
import { checkScheduleCadence } from './cadence.js'
import type { CheckContext } from './context.js'
import { checkDestinations, checkRemainingSteps, completeStoreSettings } from './destinations.js'
import { Inspector, type Fields, type Element } from './inspector.js'
import {
  checkIntegrations,
  type CheckedIntegrations,
  type DeclaredIntegrations,
} from './integrations.js'
import { MemberDirectory } from './member_directory.js'
import { checkFixRequests } from './fix_requests.js'
import { checkAutomations, checkFreezes, checkNotifications } from './planning.js'
import { quote, type ConfigurationProblem, type ConfigurationWarning } from './problems.js'
import {
  checkAppSettings,
  checkAppStoreReleaseSettings,
  checkAppUsers,
  checkBranchSettings,
  checkFeatureAffiliations,
  checkIcon,
  checkReference,
  checkTagSettings,
} from './settings.js'
import { checkDerivedSteps, checkStepGroups } from './steps.js'

export type Checked<Value> =
  | { ok: true; value: Value; warnings: readonly ConfigurationWarning[] }
  | { ok: false; problems: ConfigurationProblem[] }

/**
 * Keys of the file in the order of the specification, which is the order of an export. Our own keys
 * come last.
 */
const TOP_LEVEL_KEYS = [
  'name',
  'platform',
  'appGroup',
  'icon',
  'integrations',
  'buildDistro',
  'appSettings',
  'appUsers',
  'branchSettings',
  'tagSettings',
  'featureAffiliations',
  'appStoreReleaseSettings',
  'stepGroups',
  DESTINATIONS_KEY,
  CADENCE_KEY,
  FREEZES_KEY,
  AUTOMATIONS_KEY,
  NOTIFICATIONS_KEY,
  FIXES_KEY,
  CHANGES_KEY,
] as const
type TopLevelKey = (typeof TOP_LEVEL_KEYS)[number]

const MAX_NAME = 100

/** Checks a file for a new app. Missing members get defaults. */
export function checkNewApp(root: YamlNode, context: CheckContext): Checked<AppConfiguration> {
  const inspector = new Inspector()
  const { file } = new FileChecker(inspector, { ...context, current: null }).check(root)
  const { name, platform } = file
  if (inspector.problems.size > 0 || !name || !platform) {
    return { ok: false, problems: inspector.problems.list() }
  }
  const { warnings } = inspector.problems
  return { ok: true, value: completeConfiguration({ ...file, name, platform }), warnings }
}

/** Checks a file that changes `context.current`. Missing members stay as they are. */
export function checkChangedApp(
  root: YamlNode,
  context: CheckContext & { current: AppConfiguration }
): Checked<AppConfiguration> {
  const inspector = new Inspector()
  const { file } = new FileChecker(inspector, context).check(root)
  if (inspector.problems.size > 0) return { ok: false, problems: inspector.problems.list() }
  const { warnings } = inspector.problems
  return { ok: true, value: changedConfiguration(context.current, file), warnings }
}

/** Checks a file that adds a destination to `context.current`. */
export function checkNewDestination(
  root: YamlNode,
  context: CheckContext & { current: AppConfiguration }
): Checked<DestinationConfiguration> {
  const inspector = new Inspector()
  const destination = readDestination(inspector, root, context)
  if (inspector.problems.size > 0 || !destination) {
    return { ok: false, problems: inspector.problems.list() }
  }
  return { ok: true, value: destination, warnings: inspector.problems.warnings }
}

class FileChecker {
  constructor(
    readonly inspector: Inspector,
    readonly context: CheckContext
  ) {}

  check(root: YamlNode): { file: ConfigurationFile } {
    const { inspector, context } = this
    const element: Element = { node: root, path: [], place: root }
    const fields = inspector.fields(element, TOP_LEVEL_KEYS) ?? {}
    const file: ConfigurationFile = { ...this.#identity(element, fields) }
    file.appGroup = inspector.optional(fields.appGroup, (each) => inspector.text(each, MAX_NAME))
    file.icon = inspector.optional(fields.icon, (each) => checkIcon(inspector, each))
    file.appUsers = inspector.optional(fields.appUsers, (each) => checkAppUsers(inspector, each))
    file.buckets = this.#buckets(fields.buildDistro, file)
    file.appSettings = inspector.optional(fields.appSettings, (each) =>
      checkAppSettings(inspector, each, context.current?.appSettings ?? DEFAULT_APP_SETTINGS)
    )
    file.tagSettings = inspector.optional(fields.tagSettings, (each) =>
      checkTagSettings(inspector, each)
    )
    this.#integrations(fields, file)
    this.#stores(fields, file)
    this.#workflow(fields, file)
    this.#plan(fields, file)
    checkChanges(inspector, { rules: fields[CHANGES_KEY], steps: fields.stepGroups }, file, context)
    return { file }
  }

  /** Reads the store settings of the first and of further destinations. */
  #stores(fields: Fields<TopLevelKey>, file: ConfigurationFile): void {
    const { inspector, context } = this
    const platform = context.current?.platform ?? file.platform ?? undefined
    const ground = groundAfter(file, context, platform)
    const first = inspector.optional(fields.appStoreReleaseSettings, (each) =>
      checkAppStoreReleaseSettings(inspector, each, platform, ground)
    )
    file.appStoreReleaseSettings = first && first.settings
    file.rollout = first && first.rollout
    const further = inspector.optional(fields[DESTINATIONS_KEY], (each) =>
      checkDestinations(inspector, each, platform, (destination) => ({
        ...ground,
        traffic: context.traffic.get(destination) ?? new Map(),
      }))
    )
    file.destinations = further && further.destinations
    file.destinationRollouts = further && further.destinationRollouts
  }

  /** Reads the cadence, freezes, automations and notifications. */
  #plan(fields: Fields<TopLevelKey>, file: ConfigurationFile): void {
    const { inspector, context } = this
    const platform = context.current?.platform ?? file.platform
    file.scheduleCadence = inspector.optional(fields[CADENCE_KEY], (each) =>
      checkScheduleCadence(inspector, each, {
        followable: context.followable,
        emails: new Set([
          ...context.users.map(({ email }) => lowered(email)),
          ...(file.appUsers ?? []),
        ]),
      })
    )
    file.lifecycleFreezes = inspector.optional(fields[FREEZES_KEY], (each) =>
      checkFreezes(inspector, each)
    )
    file.automations = inspector.optional(fields[AUTOMATIONS_KEY], (each) =>
      checkAutomations(inspector, each, platform ? storeKindOf(platform) : undefined)
    )
    file.notifications = inspector.optional(fields[NOTIFICATIONS_KEY], (each) =>
      checkNotifications(inspector, each)
    )
    file.fixForm = inspector.optional(fields[FIXES_KEY], (each) =>
      checkFixRequests(inspector, each)
    )
  }

  /** Reads the steps, and checks the destinations they name. */
  #workflow(fields: Fields<TopLevelKey>, file: ConfigurationFile): void {
    const { inspector, context } = this
    const { current } = context
    const input = fields[DESTINATIONS_KEY]
    const known = file.destinations ?? (file.destinations === null ? [] : current?.destinations)
    const names = (known ?? []).map(({ name }) => name)
    file.stepGroups = inspector.optional(fields.stepGroups, (each) =>
      checkStepGroups(inspector, each, { destinations: names })
    )
    if (input && file.stepGroups === undefined && current) {
      checkRemainingSteps(inspector, input, current.stepGroups, names)
    }
  }

  /**
   * Reads `name` and `platform`. A new app requires them, they cannot be cleared, and the platform
   * cannot change.
   */
  #identity(
    element: Element,
    fields: Fields<TopLevelKey>
  ): Pick<ConfigurationFile, 'name' | 'platform'> {
    const { inspector } = this
    const current = this.context.current
    const needed = (key: 'name' | 'platform') => current === null || fields[key] !== undefined
    const name = needed('name')
      ? inspector.required(element, 'name', fields.name, (each) => inspector.text(each, MAX_NAME))
      : undefined
    const platform = needed('platform')
      ? inspector.required(element, 'platform', fields.platform, (each) =>
          inspector.choice(each, APP_PLATFORMS)
        )
      : undefined
    if (current && platform && platform !== current.platform) {
      const message = `The platform of an app cannot change; this one is on ${current.platform}`
      inspector.problems.add(fields.platform ?? element, 'unchangeable', message)
    }
    return { name, platform }
  }

  #buckets(element: Element | undefined, file: ConfigurationFile): ConfigurationFile['buckets'] {
    const { inspector, context } = this
    const invited = file.appUsers ?? (file.appUsers === null ? [] : context.current?.appUsers)
    const members = new MemberDirectory(context.groups, context.users, invited ?? [])
    const fields = inspector.optional(element, (each) => inspector.fields(each, ['buckets']))
    if (!fields) return fields
    return inspector.optional(fields.buckets, (each) => checkBuckets(inspector, each, members))
  }

  /**
   * Reads integrations and the members that refer to them, in their state after the file is
   * applied.
   */
  #integrations(fields: Fields<TopLevelKey>, file: ConfigurationFile): void {
    const { inspector, context } = this
    const checked = inspector.optional(fields.integrations, (each) =>
      checkIntegrations(
        inspector,
        each,
        context,
        context.current?.platform ?? file.platform ?? undefined
      )
    )
    file.integrations = checked && checked.integrations
    const declared = declaredAfter(checked, context.current)
    file.branchSettings = inspector.optional(fields.branchSettings, (each) =>
      checkBranchSettings(inspector, each, declared)
    )
    file.featureAffiliations = inspector.optional(fields.featureAffiliations, (each) =>
      checkFeatureAffiliations(inspector, each, declared)
    )
    if (fields.integrations) this.#remainingReferences(fields.integrations, fields, declared)
  }

  /**
   * Checks members that the file leaves unchanged: they may still name an integration it removes.
   */
  #remainingReferences(
    element: Element,
    fields: Fields<TopLevelKey>,
    declared: DeclaredIntegrations
  ): void {
    const { current } = this.context
    const branches = fields.branchSettings ? [] : (current?.branchSettings ?? [])
    const affiliations = fields.featureAffiliations ? [] : (current?.featureAffiliations ?? [])
    for (const { integration } of branches) {
      checkReference(this.inspector, element, integration, declared, 'versionControl')
    }
    for (const { integration } of affiliations) {
      checkReference(this.inspector, element, integration, declared, 'issueTracking')
    }
  }
}

function declaredAfter(
  checked: CheckedIntegrations | null | undefined,
  current: AppConfiguration | null
): DeclaredIntegrations {
  if (checked) return checked.declared
  const kept = checked === null ? [] : (current?.integrations ?? [])
  return new Map(kept.map(({ key, kind }) => [key, kind]))
}

/** Returns the data that rollout policies are checked against once the file is applied. */
function groundAfter(
  file: ConfigurationFile,
  context: CheckContext,
  platform: AppPlatform | undefined
): Ground {
  const kept = file.integrations === null ? [] : (context.current?.integrations ?? [])
  return groundOf(context, platform, file.integrations ?? kept, file.appUsers ?? [])
}

function groundOf(
  { users, traffic }: CheckContext,
  platform: AppPlatform | undefined,
  integrations: Parameters<typeof observedBy>[0],
  invited: readonly string[] = []
): Ground {
  return {
    observed: observedBy(integrations),
    crashMonitor: crashMonitorOf(integrations),
    people: new Set([...users.map(({ email }) => email), ...invited].map(lowered)),
    isApple: platform !== undefined && storeKindOf(platform) === 'apple',
    traffic: traffic.get(null) ?? new Map(),
  }
}

const lowered = (email: string) => email.toLowerCase()

const DESTINATION_KEYS = ['name', 'integrations', 'appStoreReleaseSettings', 'stepGroups'] as const

function readDestination(
  inspector: Inspector,
  root: YamlNode,
  context: CheckContext & { current: AppConfiguration }
): DestinationConfiguration | undefined {
  const element: Element = { node: root, path: [], place: root }
  const fields = inspector.fields(element, DESTINATION_KEYS) ?? {}
  const { current } = context
  const name = inspector.required(element, 'name', fields.name, (each) =>
    inspector.text(each, MAX_NAME)
  )
  const checked = inspector.optional(fields.integrations, (each) =>
    checkStoreIntegrations(inspector, each, context)
  )
  const integrations = [...current.integrations, ...(checked ?? [])]
  // The traffic of a new store is unknown.
  const known = { ...context, traffic: new Map() }
  const ground = groundOf(known, current.platform, integrations)
  const store = inspector.optional(fields.appStoreReleaseSettings, (each) =>
    checkAppStoreReleaseSettings(inspector, each, current.platform, ground)
  )
  const existing = {
    names: new Set(current.stepGroups.flatMap((group) => group.steps.map((step) => step.name))),
    hasKickoff: true,
  }
  const input = inspector.optional(fields.stepGroups, (each) =>
    checkStepGroups(inspector, each, { existing })
  )
  if (name === undefined) return undefined
  const stepGroups = input?.length
    ? input
    : destinationWorkflow(storeKindOf(current.platform satisfies AppPlatform), name)
  if (stepGroups !== input) {
    checkDerivedSteps(inspector, fields.name ?? element, stepGroups, existing)
  }
  return {
    name,
    integrations: checked ?? [],
    appStoreReleaseSettings: completeStoreSettings(store?.settings),
    rollout: store?.rollout ?? null,
    stepGroups,
  }
}

/** Checks that a destination adds only store integrations, under keys that the app does not use. */
function checkStoreIntegrations(
  inspector: Inspector,
  element: Element,
  context: CheckContext & { current: AppConfiguration }
): DestinationConfiguration['integrations'] {
  const { platform } = context.current
  const { integrations, declared } = checkIntegrations(inspector, element, context, platform)
  const taken = new Set(context.current.integrations.map((integration) => integration.key))
  for (const entry of element.node.kind === 'map' ? element.node.entries : []) {
    const at = { path: [...element.path, entry.key], place: entry }
    const kind = declared.get(entry.key)
    if (kind && kind !== 'appStore' && kind !== 'betaTesting') {
      const message = 'A destination takes integrations of app stores and beta testing only'
      inspector.problems.add(at, 'integration_mismatch', message)
    }
    if (taken.has(entry.key)) {
      const message = `The app has an integration ${quote(entry.key)} already`
      inspector.problems.add(at, 'duplicate', message)
    }
  }
  return integrations
}
