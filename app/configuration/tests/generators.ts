import fc from 'fast-check'
import { stringify } from 'yaml'
import { isPerDestination } from '#apps/store_workflow'
import { APP_PLATFORMS, storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { AUTOMATED_STORES, AUTOMATION_OF, dependencyOf } from '#planning/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { PROVIDERS } from './generators/known.js'
import { rollout } from './generators/rollout.js'
import {
  integration,
  buckets,
  settings,
  branches,
  affiliation,
  stepGroups,
  destinations,
  cadence,
  automations,
  freezes,
  notifications,
  fixRequests,
  changeApprovals,
} from './generators/sections.js'
import {
  listOf,
  mapOf,
  object,
  optional,
  words,
  type FileMap,
  type FileValue,
} from './generators/values.js'

/**
 * Generates valid files for an organization like that of `CONTEXT`, with or without integrations.
 */
export function validFiles(options: { integrations: boolean }): fc.Arbitrary<FileMap> {
  const nothing = fc.constant<undefined>(undefined)
  return object({
    'name': words,
    'platform': fc.constantFrom(...APP_PLATFORMS),
    'appGroup': optional(words),
    'icon': optional(fc.constantFrom('https://acme.example/icon.png', 'http://acme.example/a?b=1')),
    'integrations': options.integrations ? optional(mapOf(integration, 4)) : nothing,
    'buildDistro': optional(object({ buckets: optional(buckets) })),
    'appSettings': optional(settings),
    'appUsers': optional(
      fc.subarray(['ann@acme.example', 'new@acme.example', 'Carl@Acme.example'])
    ),
    'branchSettings': options.integrations ? optional(listOf(branches, 4)) : nothing,
    'tagSettings': optional(
      mapOf(object({ pattern: fc.constantFrom('v{version}', '{versionConcise}-{ciBuildNumber}') }))
    ),
    'featureAffiliations': options.integrations ? optional(listOf(affiliation, 4)) : nothing,
    'appStoreReleaseSettings': optional(
      object({
        releaseMethod: optional(fc.constantFrom('manual', 'automatic', 'scheduled')),
        phasedReleaseEnabled: optional(fc.boolean()),
        inAppUpdatePriority: optional(fc.nat(5)),
        rollout: optional(rollout),
      })
    ),
    'stepGroups': optional(stepGroups),
    'x-destinations': optional(destinations),
    'x-scheduleCadence': optional(cadence),
    'x-lifecycleFreezes': optional(freezes),
    'x-automations': optional(automations),
    'x-notifications': optional(notifications),
    'x-fixRequests': optional(fixRequests),
    'changeApprovals': optional(changeApprovals),
  }).map(consistent)
}

/** Makes references match what the file declares, and removes what its platform does not allow. */
function consistent(file: FileMap): FileMap {
  const kinds = new Map<string, string>()
  for (const [key, value] of (file.get('integrations') as FileMap | undefined) ?? []) {
    const name = (value as FileMap).get('provider')
    const provider = PROVIDERS.find(({ id, alias }) => id === name || alias === name)
    kinds.set(key, provider?.types[0].kind ?? '')
  }
  const keysOf = (kind: string) => [...kinds].flatMap(([key, its]) => (its === kind ? [key] : []))
  bind(file, 'branchSettings', keysOf('versionControl'), (value, key) => [key, value])
  const trackers = keysOf('issueTracking')
  bind(file, 'featureAffiliations', trackers, (value, key) => [
    `of ${key}`,
    new Map<string, FileValue>([...value, ['integration', key]]),
  ])
  bindStores(file)
  bindDestinations(file)
  bindAutomations(file)
  bindExceptions(file)
  bindChanges(file)
  return file
}

/** Leaves approvals of changes out where no step would wait for them. */
function bindChanges(file: FileMap): void {
  const groups = (file.get('stepGroups') as FileMap[] | undefined) ?? []
  const steps = groups.flatMap((group) => group.get('steps') as FileMap[])
  const typesOf = (step: FileMap) => step.get('releaseTypes') as FileMap
  const isHeld = ['standard', 'hotfix'].every((type) => {
    const own = steps.filter((step) => typesOf(step).has(type))
    const waits = own.some(
      (step) =>
        step.get('archetype') === 'approvals' &&
        (typesOf(step).get(type) as FileMap).get('required') === true
    )
    return own.length === 0 || waits
  })
  if (!isHeld) file.delete('changeApprovals')
}

/** Moves exceptions to an existing train: the first one. */
function bindExceptions(file: FileMap): void {
  const given = file.get('x-scheduleCadence') as FileMap | undefined
  for (const each of (given?.get('exceptions') as FileMap[] | undefined) ?? []) {
    each.set('date', given!.get('startDate')!)
  }
}

/** Turns off automations that do nothing on the platform, or that need another one that is off. */
export function bindAutomations(file: FileMap): void {
  const store = storeKindOf(file.get('platform') as AppPlatform)
  const given = file.get('x-automations') as FileMap | undefined
  for (const phase of ['kickoff', 'submit', 'release'] as const) {
    const set = given?.get(AUTOMATION_OF[phase]) as FileMap | undefined
    const needed = dependencyOf(phase, store)
    const before = needed && (given?.get(AUTOMATION_OF[needed]) as FileMap | undefined)
    const isPossible =
      AUTOMATED_STORES[phase].includes(store) &&
      (needed === null || before?.get('enabled') === true)
    if (!isPossible) set?.delete('enabled')
  }
  if (store !== 'ota') return
  const bump = given?.get('bumpVersionAfterSubmission') as FileMap | undefined
  bump?.delete('enabled')
  given?.delete('selectLatestBuild')
}

/** Assigns steps in turn to the first and to the further destinations. */
function bindDestinations(file: FileMap): void {
  const given = (file.get('x-destinations') as FileMap | undefined) ?? new Map<string, FileMap>()
  const names = [undefined, ...given.keys()]
  const groups = (file.get('stepGroups') as FileMap[] | undefined) ?? []
  const steps = groups.flatMap((group) => group.get('steps') as FileMap[])
  const bound = steps.filter((step) => isPerDestination(step.get('archetype') as ReleaseStepType))
  for (const [index, step] of bound.entries()) {
    const name = names[index % names.length]
    if (name !== undefined) step.set('x-destination', name)
  }
}

/** Removes settings that need another store than the platform has. */
export function bindStores(file: FileMap): void {
  const store = storeKindOf(file.get('platform') as AppPlatform)
  const further = (file.get('x-destinations') as FileMap | undefined)?.values() ?? []
  for (const each of [file, ...further]) {
    const stored = (each as FileMap).get('appStoreReleaseSettings') as FileMap | undefined
    if (store !== 'google') stored?.delete('inAppUpdatePriority')
    if (store !== 'ota') continue
    stored?.delete('phasedReleaseEnabled')
    stored?.delete('rollout')
  }
}

function bind(
  file: FileMap,
  section: string,
  keys: string[],
  entry: (value: FileMap, key: string) => [string, FileValue]
): void {
  const values = file.get(section) as FileMap[] | undefined
  if (!values) return
  file.set(
    section,
    new Map(values.slice(0, keys.length).map((value, at) => entry(value, keys[at])))
  )
}

export function write(file: FileMap): string {
  return stringify(file, { lineWidth: 0, aliasDuplicateObjects: false })
}
