import fc from 'fast-check'
import { stringify } from 'yaml'
import { isPerDestination } from '#apps/store_workflow'
import { APP_PLATFORMS, storeKindOf, type AppPlatform } from '#apps/vocabulary'
import { EMPTY_CONTEXT, type CheckContext } from '#configuration/checks/context'
import type { KnownProvider } from '#integrations/known_provider'
import { INTEGRATION_TYPES } from '#integrations/vocabulary'
import { AUTOMATED_STORES, AUTOMATION_OF, dependencyOf } from '#planning/vocabulary'
import { DATA_FIELDS, type DataField } from '#plugin-kit/kinds'
import {
  DEFAULT_RELEASE_TYPES,
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
  type ReleaseStepType,
} from '#workflow/vocabulary'

/** A file as an author would hold it: ordered maps, lists and plain values. */
export type FileValue = string | number | boolean | null | FileValue[] | Map<string, FileValue>
export type FileMap = Map<string, FileValue>

/** One connected provider for every integration type there is. */
export const PROVIDERS: KnownProvider[] = [...INTEGRATION_TYPES].map(([type, info], index) => ({
  id: `${info.vendor}:${index}`,
  alias: `The ${type} of us`,
  vendor: info.vendor,
  types: [{ type, kind: info.kind }],
}))

export const GROUPS = ['Release Pilots', 'QA', 'Engineers', '42']
export const USERS = [
  { email: 'ann@acme.example', name: 'Ann' },
  { email: 'bob@acme.example', name: null },
]

export const CONTEXT: CheckContext = {
  ...EMPTY_CONTEXT,
  providers: PROVIDERS,
  groups: GROUPS,
  users: USERS,
}

const FORBIDDEN = ['__proto__', 'constructor', 'prototype']
const awkward = fc.constantFrom(
  '1.10',
  'yes',
  'null',
  'true',
  '0x1F',
  '~',
  '- a',
  'a: b',
  '#x',
  '&a',
  '*a',
  '1e3',
  "it's",
  '"',
  '{a}',
  'é 😀',
  '10',
  '2'
)
/** Text that a careless writer or reader of YAML would take for something else. */
export const words = fc
  .oneof(
    fc.stringMatching(/^[A-Za-z][A-Za-z0-9 _.-]{0,14}[A-Za-z0-9]$/),
    awkward,
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
  )
  .filter(
    (text) => text.trim() !== '' && !/[\p{Cc}\u2028\u2029]/u.test(text) && !FORBIDDEN.includes(text)
  )

const optional = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })

function object(
  fields: Record<string, fc.Arbitrary<FileValue | undefined>>
): fc.Arbitrary<FileMap> {
  const names = Object.keys(fields)
  return fc.tuple(...names.map((name) => fields[name])).map((values) => {
    const entries = names.map((name, index): [string, FileValue | undefined] => [
      name,
      values[index],
    ])
    return new Map(entries.filter((entry): entry is [string, FileValue] => entry[1] !== undefined))
  })
}

function mapOf(value: fc.Arbitrary<FileValue>, max = 3): fc.Arbitrary<FileMap> {
  return fc
    .uniqueArray(fc.tuple(words, value), { selector: ([key]) => key, maxLength: max })
    .map((entries) => new Map(entries))
}

const listOf = (value: fc.Arbitrary<FileValue>, max = 3): fc.Arbitrary<FileValue[]> =>
  fc.array(value, { maxLength: max })

const dataField: Record<DataField, fc.Arbitrary<FileValue>> = {
  text: words,
  texts: listOf(words),
  events: listOf(object({ eventName: words, paramName: optional(words) })),
}

const integration = fc
  .tuple(fc.constantFrom(...PROVIDERS), fc.boolean(), fc.boolean())
  .chain(([provider, byAlias, typed]) => {
    const [{ type, kind }] = provider.types
    const fields = Object.entries(DATA_FIELDS[kind]).map(
      ([name, field]) => [name, optional(dataField[field])] as const
    )
    return object({
      type: fc.constant(typed ? type : undefined),
      provider: fc.constant(byAlias ? (provider.alias ?? provider.id) : provider.id),
      data: optional(object(Object.fromEntries(fields))),
    })
  })

const branchPatterns = fc.constantFrom(
  'main',
  'release/{version}',
  '{releaseName}',
  'r/{version}[0,0,2]'
)
const rule = fc.oneof(
  object({
    branch: fc.constantFrom('develop', 'release/{version}', 'feature/{*}'),
    type: fc.constant('Branch'),
    workflow: optional(words),
    fileFilterPatterns: optional(listOf(fc.constantFrom('*.ipa', '*.apk', 'out/**'))),
  }),
  object({
    baseBranch: fc.constantFrom('develop', 'main'),
    type: fc.constant('PR'),
    workflow: optional(words),
    fileFilterPatterns: optional(listOf(words)),
  })
)

const members = fc
  .uniqueArray(fc.constantFrom(...GROUPS, 'Ann', 'bob@acme.example'), { maxLength: 3 })
  .chain((names) =>
    fc
      .tuple(...names.map(() => fc.constantFrom('admin', 'uploader', 'tester')))
      .map(
        (levels) => new Map(names.map((name, index): [string, FileValue] => [name, levels[index]]))
      )
  )

const bucket = object({
  'orgWideAccessEnabled': optional(fc.boolean()),
  'notificationsEnabled': optional(fc.boolean()),
  'members': optional(members),
  'rules': optional(listOf(rule)),
  'x-expireOldBuilds': optional(
    object({
      enabled: optional(fc.boolean()),
      maxAgeDays: fc.integer({ min: 1, max: 3650 }),
      maxBuilds: optional(fc.integer({ min: 1, max: 10_000 })),
    })
  ),
})

const buckets = mapOf(bucket, 4).map((all) => {
  const types = ['rc', 'dev', 'custom']
  return new Map(
    [...all].map(([name, value], index): [string, FileValue] => [
      name,
      new Map<string, FileValue>([['type', types[Math.min(index, 2)]], ...(value as FileMap)]),
    ])
  )
})

const settings = object({
  defaultReleaseType: optional(fc.constantFrom(...DEFAULT_RELEASE_TYPES)),
  assumeHotfixesArePointReleases: optional(fc.boolean()),
  versionFiles: optional(listOf(words)),
  localizationDirectories: optional(listOf(words)),
  requireFixApprovals: fc.constant(true),
  enableFixStatusChecks: optional(fc.boolean()),
  hideNotRequiredReleaseStepsInTimeline: optional(fc.boolean()),
})

const branches = object({
  releaseBranchPatterns: optional(
    object({
      all: optional(object({ pattern: branchPatterns })),
      hotfix: optional(object({ pattern: branchPatterns })),
    })
  ),
  workingBranch: optional(fc.constantFrom('main', 'develop')),
})

const affiliation = object({
  integration: fc.constant(''),
  type: fc.constantFrom('fixVersion', 'label'),
  pattern: fc.constantFrom('{version}', 'iOS {versionConcise}[2]', '{releaseName}'),
})

/** Steps in the archetypes' own order, which is a valid one, under names of their own. */
const stepGroups = fc
  .uniqueArray(fc.tuple(words, fc.constantFrom(...RELEASE_STEP_TYPES), fc.boolean(), fc.nat(6)), {
    selector: ([name]) => name,
    maxLength: 10,
  })
  .map((steps) => {
    const kickoffs = steps.filter(([, archetype]) => archetype === 'kickoff')
    const kept = steps.filter((step) => step[1] !== 'kickoff' || step === kickoffs[0])
    return kept.toSorted(
      (a, b) => RELEASE_STEP_TYPES.indexOf(a[1]) - RELEASE_STEP_TYPES.indexOf(b[1])
    )
  })
  .map((steps): FileValue[] => {
    const groups: FileValue[][] = []
    for (const [name, archetype, required, choice] of steps) {
      const step = new Map<string, FileValue>([
        ['name', name],
        ['archetype', archetype],
        ['releaseTypes', releaseTypes(archetype, required, choice)],
      ])
      if (groups.length === 0 || choice % 2 === 0) groups.push([])
      groups.at(-1)?.push(step)
    }
    return groups.map((group) => new Map([['steps', group]]))
  })

function releaseTypes(archetype: string, required: boolean, choice: number): FileMap {
  const chosen = WORKFLOW_RELEASE_TYPES.filter((_, index) => ((choice + 1) >> index) & 1)
  const types = archetype === 'rollbackBuild' ? ['rollback'] : chosen
  return new Map(types.map((type) => [type, new Map([['required', required]])]))
}

// The order of a map means nothing: one that is changed keeps the order there is.
const destinations = fc
  .subarray(['42', 'Second', 'White label'])
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        object({
          appStoreReleaseSettings: optional(
            object({
              releaseMethod: optional(fc.constantFrom('manual', 'automatic')),
              phasedReleaseEnabled: optional(fc.boolean()),
            })
          ),
        }).map((value): [string, FileValue] => [name, value])
      )
    )
  )
  .map((entries): FileMap => new Map(entries))

const moment = (day: number) =>
  object({
    dayOffset: fc.integer({ min: day, max: day + 2 }),
    time: fc.constantFrom('00:00', '09:30', '23:59'),
  })

const cadence = object({
  enabled: optional(fc.boolean()),
  paused: optional(fc.boolean()),
  intervalWeeks: optional(fc.integer({ min: 1, max: 52 })),
  startDate: fc.constantFrom('2026-11-02', '2028-02-29'),
  timezone: optional(fc.constantFrom('UTC', 'Europe/Berlin', 'America/Argentina/Buenos_Aires')),
  targets: object({
    kickoff: moment(0),
    submit: optional(moment(3)),
    release: optional(moment(6)),
  }),
  skipFrozenDates: optional(fc.boolean()),
  draftWeeksAhead: optional(fc.integer({ min: 1, max: 26 })),
})

const automation = object({
  enabled: optional(fc.boolean()),
  runAfterFreeze: optional(fc.boolean()),
})

const automations = object({
  kickoffOnTargetDate: optional(automation),
  submitOnTargetDate: optional(automation),
  releaseOnTargetDate: optional(automation),
  bumpVersionAfterSubmission: optional(object({ enabled: optional(fc.boolean()) })),
  tagOnRelease: optional(object({ enabled: optional(fc.boolean()) })),
})

const freezes = listOf(
  object({
    name: words,
    startAt: fc.constantFrom('2026-12-21T00:00:00Z', '2026-12-24T12:00:00.5+01:00'),
    endAt: fc.constantFrom('2027-01-04T00:00:00.000Z', '2027-01-02T23:59:00-05:00'),
    phases: fc.subarray(['release', 'kickoff', 'submit'], { minLength: 1 }),
  }),
  4
)

const told = { enabled: optional(fc.boolean()), channelOverride: optional(words) }
const notifications = object({
  'release.submitReminder': optional(
    object({ ...told, leadTimeMinutes: optional(fc.constantFrom(0, 60, 1440)) })
  ),
  'release.created': optional(object(told)),
  'releaseStep.statusChanged': optional(object(told)),
})

/** Valid files for an organization like that of `CONTEXT`; without providers, no integrations. */
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
      })
    ),
    'stepGroups': optional(stepGroups),
    'x-destinations': optional(destinations),
    'x-scheduleCadence': optional(cadence),
    'x-lifecycleFreezes': optional(freezes),
    'x-automations': optional(automations),
    'x-notifications': optional(notifications),
  }).map(consistent)
}

/** Ties references to what the file declares, and drops what its platform cannot have. */
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
  if (storeKindOf(file.get('platform') as AppPlatform) === 'ota') {
    ;(file.get('appStoreReleaseSettings') as FileMap | undefined)?.delete('phasedReleaseEnabled')
  }
  bindDestinations(file)
  bindAutomations(file)
  return file
}

/** Switches off what has nothing to do on the platform, or needs another that is off. */
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
}

/** Steps in turn are of the first and of the further destinations. */
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
  if (storeKindOf(file.get('platform') as AppPlatform) !== 'ota') return
  for (const value of given.values()) {
    const storeSettings = (value as FileMap).get('appStoreReleaseSettings') as FileMap | undefined
    storeSettings?.delete('phasedReleaseEnabled')
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
