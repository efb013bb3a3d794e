import type { ReleaseStepType } from '#workflow/vocabulary'
import { formatPath, type Path } from './checks/path.js'
import {
  AUTOMATIONS_KEY,
  CADENCE_KEY,
  CHANGES_KEY,
  DESTINATIONS_KEY,
  FIXES_KEY,
  FREEZES_KEY,
  NOTIFICATIONS_KEY,
  ROLLOUT_KEY,
  destinationDocument,
  stepDocument,
  toDocument,
  toJson,
  type ConfigurationDocument,
  type DocumentValue,
} from './document.js'
import { matchSteps } from '#apps/match_steps'
import { matchBuckets } from '#distribution/store_buckets'
import type { BucketConfiguration } from '#distribution/settings'
import type { AppConfiguration, DestinationConfiguration } from './model.js'
import type { ConfigurationWarning } from './checks/problems.js'

/** Warnings about a valid file. */
export type Warnings = readonly ConfigurationWarning[]

/** One change that a file would make, with its effect. */
export interface PlannedChange {
  op: 'add' | 'change' | 'remove'
  /**
   * The path in the file for additions and changes, and in the current configuration for removals.
   * `releases[<id>]` for a release that follows.
   */
  path: string
  from: unknown
  to: unknown
  effect: string
  /** The id of a release that follows the change. */
  releaseId?: string
  /** Types of the webhook events then sent for the release, in order. */
  events?: string[]
}

/**
 * Lists the changes needed for an app to match a configuration, in the order of the file. Empty
 * when it already matches. The order of a map's keys is irrelevant.
 */
export function planChange(
  current: AppConfiguration | null,
  wanted: AppConfiguration
): PlannedChange[] {
  const before = current ? toDocument(current) : new Map<string, DocumentValue>()
  const after = toDocument(wanted)
  const plan = new Planner()
  plan.maps([], withoutSteps(before), withoutSteps(after))
  plan.steps(current, wanted)
  return current ? withRenamedBuckets(plan.changes, current.buckets, wanted.buckets) : plan.changes
}

/** Describes a renamed bucket, at its old and its new name, as one that keeps its builds. */
function withRenamedBuckets(
  changes: readonly PlannedChange[],
  before: readonly BucketConfiguration[],
  after: readonly BucketConfiguration[]
): PlannedChange[] {
  const effects = new Map<string, string>()
  const pathOf = (name: string) => formatPath(['buildDistro', 'buckets', name])
  for (const [{ name }, { name: known }] of matchBuckets(before, after)) {
    if (name === known) continue
    effects.set(`remove ${pathOf(known)}`, `The bucket is renamed to ${name}, and keeps its builds`)
    effects.set(`add ${pathOf(name)}`, `The bucket ${known} is renamed to this, with its builds`)
  }
  return changes.map((each) => ({
    ...each,
    effect: effects.get(`${each.op} ${each.path}`) ?? each.effect,
  }))
}

/** Lists the additions of a further destination to an app. */
export function planDestination(destination: DestinationConfiguration): PlannedChange[] {
  return [...destinationDocument(destination)].map(([key, value]) => ({
    op: 'add',
    path: key,
    from: null,
    to: toJson(value),
    effect: key === 'name' ? 'Releases go to this destination too' : effectOf('add', [key]),
  }))
}

/**
 * Adds warnings to a plan, each to the first change in its part of the file. A warning about a part
 * without changes is left out.
 */
export function withWarnings(
  changes: readonly PlannedChange[],
  warnings: Warnings
): PlannedChange[] {
  const staying = changes.filter(({ op }) => op !== 'remove')
  const bySection = Map.groupBy(staying, ({ path }) => sectionOf(path))
  const messages = new Map<PlannedChange, string[]>()
  for (const { path, message } of warnings) {
    const part = path.slice(0, path.lastIndexOf('.'))
    const isOf = (change: PlannedChange) =>
      `${path}.`.startsWith(`${change.path}.`) || change.path.startsWith(`${part}.`)
    const change = bySection.get(sectionOf(path))?.find(isOf)
    if (change) messages.set(change, [...(messages.get(change) ?? []), message])
  }
  return changes.map((change) => ({
    ...change,
    effect: [change.effect, ...(messages.get(change) ?? [])].join('. '),
  }))
}

/** Returns the top-level key of a path in the file. */
export const sectionOf = (path: string) => path.split(/[.[]/, 1)[0]

function withoutSteps(document: ConfigurationDocument): ConfigurationDocument {
  return new Map([...document].filter(([key]) => key !== 'stepGroups'))
}

/** Archetypes that are complete when all their items are. */
const WITH_ITEMS: ReadonlySet<ReleaseStepType> = new Set(['regressionTesting', 'approvals'])
const NO_ITEMS =
  '. It has no items yet: where it is required it counts as complete from the kickoff on until it has some'

class Planner {
  readonly changes: PlannedChange[] = []

  maps(path: Path, before: ConfigurationDocument, after: ConfigurationDocument): void {
    for (const key of orderedKeys(before, after)) {
      this.#values([...path, key], before.get(key), after.get(key))
    }
  }

  steps(current: AppConfiguration | null, wanted: AppConfiguration): void {
    const before = placedSteps(current)
    const after = placedSteps(wanted)
    const matched = matchSteps(before, after)
    const kept = new Set(matched.values())
    for (const step of before) {
      if (!kept.has(step)) this.#addChange('remove', step.path, step.document, undefined)
    }
    for (const step of after) {
      const known = matched.get(step)
      if (!known) {
        this.#addChange('add', step.path, undefined, step.document)
        if (WITH_ITEMS.has(step.archetype)) this.changes.at(-1)!.effect += NO_ITEMS
      } else this.maps(step.path, known.document, step.document)
    }
    // A renamed step has its new name on both sides.
    const newNames = new Map([...matched].map(([step, known]) => [known, step.name]))
    const was = arrangement(before, (step) => newNames.get(step))
    const is = arrangement(after, (step) => (matched.has(step) ? step.name : undefined))
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      const effect = `The steps are rearranged; ${WORKFLOW_REACH}`
      this.changes.push({ op: 'change', path: 'stepGroups', from: was, to: is, effect })
    }
  }

  #values(path: Path, before: DocumentValue | undefined, after: DocumentValue | undefined): void {
    if (before === undefined || after === undefined) {
      if (before !== after)
        this.#addChange(before === undefined ? 'add' : 'remove', path, before, after)
    } else if (isMap(before) && isMap(after)) {
      this.maps(path, before, after)
    } else if (JSON.stringify(toJson(before)) !== JSON.stringify(toJson(after))) {
      this.#addChange('change', path, before, after)
    }
  }

  #addChange(
    op: PlannedChange['op'],
    path: Path,
    before: DocumentValue | undefined,
    after: DocumentValue | undefined
  ): void {
    this.changes.push({
      op,
      path: formatPath(path),
      from: before === undefined ? null : toJson(before),
      to: after === undefined ? null : toJson(after),
      effect: effectOf(op, path),
    })
  }
}

/** Returns the removed keys in their old order, then the keys of the wanted document. */
function orderedKeys(before: ConfigurationDocument, after: ConfigurationDocument): string[] {
  const removed = [...before.keys()].filter((key) => !after.has(key))
  return [...removed, ...after.keys()]
}

function isMap(value: DocumentValue): value is ConfigurationDocument {
  return value instanceof Map
}

interface PlacedStep {
  name: string
  archetype: ReleaseStepType
  group: number
  path: Path
  document: ConfigurationDocument
}

function placedSteps(app: AppConfiguration | null): PlacedStep[] {
  return (app?.stepGroups ?? []).flatMap(({ steps }, group) =>
    steps.map((step, index) => ({
      name: step.name,
      archetype: step.archetype,
      group,
      path: ['stepGroups', group, 'steps', index],
      document: stepDocument(step),
    }))
  )
}

/** Returns the names of the steps by group, for steps that both sides have. */
function arrangement(
  steps: readonly PlacedStep[],
  nameOf: (step: PlacedStep) => string | undefined
): string[][] {
  const groups = new Map<number, string[]>()
  for (const step of steps) {
    const name = nameOf(step)
    if (name !== undefined) groups.set(step.group, [...(groups.get(step.group) ?? []), name])
  }
  return [...groups.values()]
}

const WORKFLOW_REACH =
  'reaches upcoming releases and the untouched parts of active ones, never completed ones'
const NEW_RELEASES = 'applies to releases created from now on'

const EFFECTS: Record<string, string> = {
  name: 'The app is renamed; its id stays',
  platform: 'Decides the store, the standard workflow and which events are sent',
  appGroup: 'Label of the app in lists',
  icon: 'The image is fetched in the background',
  integrations: 'Connects the app through a provider the organization has',
  appSettings:
    'Settings of the app; they reach upcoming releases, active ones keep their own, but for `versionFiles` until they are kicked off',
  appUsers: 'Users of the app; an address the organization does not know is invited',
  branchSettings: `Branches of releases; ${NEW_RELEASES}`,
  tagSettings: `Tags of releases; ${NEW_RELEASES}`,
  featureAffiliations: 'Decides which work items belong to a release',
  appStoreReleaseSettings: `What a release starts with in the store; ${NEW_RELEASES}`,
  stepGroups: `A step of the workflow; ${WORKFLOW_REACH}`,
  [DESTINATIONS_KEY]: 'Where releases go in addition to the first destination; its steps name it',
  [CADENCE_KEY]: 'Releases are drafted by it from now on; drafts that nobody edited follow it',
  [FREEZES_KEY]: 'Automations of its phases do not run during the freeze',
  [AUTOMATIONS_KEY]: 'Acts automatically on future target dates',
  [NOTIFICATIONS_KEY]: 'What people are notified of, where and when',
  [FIXES_KEY]: 'How fixes are requested from now on; existing requests keep their form',
  [CHANGES_KEY]:
    'Changes of a build against the live version that need an approval, in releases under way too',
}

const REMOVAL_EFFECTS: Record<string, string> = {
  integrations: 'The app is no longer connected through it; the provider stays',
  buildDistro: 'The bucket is removed; one that has builds is archived with them',
  appUsers: 'They stay users of the organization',
  [DESTINATIONS_KEY]: 'Releases no longer go to this destination',
  [CADENCE_KEY]: 'It drafts no more releases; those already drafted stay',
  [FREEZES_KEY]: 'Automations that it held back run, unless they are set to skip dates',
  [AUTOMATIONS_KEY]: 'No longer acts automatically',
  [NOTIFICATIONS_KEY]: 'Notifications of it return to the default',
  [FIXES_KEY]: 'The form for fix requests returns to the default; existing requests keep theirs',
  [CHANGES_KEY]: 'No longer needs an approval; open approvals for it are removed',
}

const ROLLOUT = 'How rollouts grow when nobody intervenes, including those under way'
const HARM = 'How many of all users a version may harm'
const NO_ROLLOUT = 'People steer rollouts from now on, including those under way'

function effectOf(op: PlannedChange['op'], path: Path): string {
  const section = String(path[0])
  const rollout = path.indexOf(ROLLOUT_KEY, path.indexOf('appStoreReleaseSettings'))
  if (path.includes('appStoreReleaseSettings') && rollout > 0) {
    if (path.at(-1) === 'harmBudget') return HARM
    return op === 'remove' && rollout === path.length - 1 ? NO_ROLLOUT : ROLLOUT
  }
  const wholeBucket = section === 'buildDistro' && path.length <= 3
  if (op === 'remove' && (section !== 'buildDistro' || wholeBucket)) {
    const removal = REMOVAL_EFFECTS[section]
    if (removal) return removal
  }
  if (section === 'buildDistro') {
    return wholeBucket && op === 'add'
      ? 'The bucket is created; builds that match its rules are added from now on'
      : 'Who may use the bucket, and which builds are added from now on'
  }
  return EFFECTS[section] ?? 'Part of the configuration'
}
