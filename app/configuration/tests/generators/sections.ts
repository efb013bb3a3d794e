import fc from 'fast-check'
import { CHANGE_KINDS } from '#comparison/vocabulary'
import { DATA_FIELDS, type DataField } from '#plugin-kit/kinds'
import {
  DEFAULT_RELEASE_TYPES,
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
} from '#workflow/vocabulary'
import { GROUPS, PROVIDERS } from './known.js'
import { rollout } from './rollout.js'
import { listOf, mapOf, object, optional, words, type FileMap, type FileValue } from './values.js'

const dataField: Record<DataField, fc.Arbitrary<FileValue>> = {
  text: words,
  texts: listOf(words),
  events: listOf(object({ eventName: words, paramName: optional(words) })),
}

export const integration = fc
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

export const buckets = mapOf(bucket, 4).map((all) => {
  const types = ['rc', 'dev', 'custom']
  return new Map(
    [...all].map(([name, value], index): [string, FileValue] => [
      name,
      new Map<string, FileValue>([['type', types[Math.min(index, 2)]], ...(value as FileMap)]),
    ])
  )
})

export const settings = object({
  defaultReleaseType: optional(fc.constantFrom(...DEFAULT_RELEASE_TYPES)),
  assumeHotfixesArePointReleases: optional(fc.boolean()),
  versionFiles: optional(listOf(words.map((each) => `${each}.properties`))),
  localizationDirectories: optional(listOf(words)),
  requireFixApprovals: fc.constant(true),
  enableFixStatusChecks: optional(fc.boolean()),
  hideNotRequiredReleaseStepsInTimeline: optional(fc.boolean()),
})

export const branches = object({
  releaseBranchPatterns: optional(
    object({
      all: optional(object({ pattern: branchPatterns })),
      hotfix: optional(object({ pattern: branchPatterns })),
    })
  ),
  workingBranch: optional(fc.constantFrom('main', 'develop')),
})

export const affiliation = object({
  integration: fc.constant(''),
  type: fc.constantFrom('fixVersion', 'label'),
  pattern: fc.constantFrom('{version}', 'iOS {versionConcise}[2]', '{releaseName}'),
})

/** Generates steps in the archetypes' own order, which is valid, with unique names. */
export const stepGroups = fc
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

// The order of a map is irrelevant: a changed map keeps its current order.
export const destinations = fc
  .subarray(['42', 'Second', 'White label'])
  .chain((names) =>
    fc.tuple(
      ...names.map((name) =>
        object({
          appStoreReleaseSettings: optional(
            object({
              releaseMethod: optional(fc.constantFrom('manual', 'automatic')),
              phasedReleaseEnabled: optional(fc.boolean()),
              inAppUpdatePriority: optional(fc.nat(5)),
              rollout: optional(rollout),
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

export const cadence = object({
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
  exceptions: optional(
    listOf(
      object({
        date: fc.constant('2026-11-02'),
        skipped: optional(fc.boolean()),
        releasePilot: fc.constant('ann@acme.example'),
      }),
      1
    )
  ),
  absences: optional(
    listOf(
      object({
        user: fc.constantFrom('ann@acme.example', 'Ann@Acme.example'),
        from: fc.constantFrom('2026-12-21', '2027-01-03'),
        to: fc.constant('2027-01-03'),
      }),
      2
    )
  ),
})

const automation = object({
  enabled: optional(fc.boolean()),
  runAfterFreeze: optional(fc.boolean()),
})

export const automations = object({
  kickoffOnTargetDate: optional(automation),
  submitOnTargetDate: optional(automation),
  releaseOnTargetDate: optional(automation),
  bumpVersionAfterSubmission: optional(object({ enabled: optional(fc.boolean()) })),
  tagOnRelease: optional(object({ enabled: optional(fc.boolean()) })),
  createChatChannel: optional(object({ enabled: optional(fc.boolean()) })),
  addLabelsAndFixVersions: optional(object({ enabled: optional(fc.boolean()) })),
  selectLatestBuild: optional(object({ enabled: optional(fc.boolean()) })),
})

export const freezes = listOf(
  object({
    name: words,
    startAt: fc.constantFrom('2026-12-21T00:00:00Z', '2026-12-24T12:00:00.5+01:00'),
    endAt: fc.constantFrom('2027-01-04T00:00:00.000Z', '2027-01-02T23:59:00-05:00'),
    phases: fc.subarray(['release', 'kickoff', 'submit'], { minLength: 1 }),
  }),
  4
)

const reported = { enabled: optional(fc.boolean()), channelOverride: optional(words) }
export const notifications = object({
  'release.submitReminder': optional(
    object({ ...reported, leadTimeMinutes: optional(fc.constantFrom(0, 60, 1440)) })
  ),
  'release.created': optional(object(reported)),
  'releaseStep.statusChanged': optional(object(reported)),
})

const formField = {
  label: words,
  required: optional(fc.boolean()),
  helpText: optional(words),
}
export const fixRequests = object({
  requiredApprovals: optional(fc.integer({ min: 1, max: 5 })),
  fourEyes: optional(fc.boolean()),
  fields: optional(
    fc
      .subarray([
        ['one', 'text'],
        ['two', 'select'],
        ['3', 'multiselect'],
        ['four', 'user'],
      ] as const)
      .chain((kinds) =>
        fc.tuple(
          ...kinds.map(([id, type]) =>
            object({
              id: fc.constant(id),
              type: fc.constant(type),
              ...formField,
              ...(type.endsWith('select') ? { options: fc.constant(['low', 'high']) } : {}),
            })
          )
        )
      )
  ),
})

export const changeApprovals = fc
  .uniqueArray(fc.tuple(fc.constantFrom(...CHANGE_KINDS), fc.subarray([...GROUPS])), {
    selector: ([change, groups]) => `${change} ${groups.join()}`,
    maxLength: 4,
  })
  .map((rules) =>
    rules.map(
      ([change, groups]): FileMap =>
        new Map<string, FileValue>([
          ['change', change],
          ['groups', groups],
        ])
    )
  )
