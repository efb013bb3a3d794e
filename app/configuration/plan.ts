import type { WorkflowStep } from '#apps/settings'
import { formatPath, type Path } from './checks/path.js'
import { toDocument, toJson, type ConfigurationDocument, type DocumentValue } from './document.js'
import type { AppConfiguration } from './model.js'

/** One thing that a file would do, and what follows from it. */
export interface PlannedChange {
  op: 'add' | 'change' | 'remove'
  /** Of the file for what is added or changed, of the present configuration for what is removed. */
  path: string
  from: unknown
  to: unknown
  effect: string
}

/**
 * What has to happen for an app to match a configuration, in the order of the file; empty when it
 * does already. The order of a map's keys means nothing.
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
  return plan.changes
}

/** What removing an app takes with it. */
export function planRemoval(current: AppConfiguration): PlannedChange[] {
  const removal = toDocument(current)
  return [...removal].map(([key, value]) => ({
    op: 'remove',
    path: key,
    from: toJson(value),
    to: null,
    effect:
      key === 'name'
        ? 'The app is removed with its releases, buckets, builds and history'
        : effectOf('remove', [key]),
  }))
}

function withoutSteps(document: ConfigurationDocument): ConfigurationDocument {
  return new Map([...document].filter(([key]) => key !== 'stepGroups'))
}

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
    for (const [name, { path, document }] of before) {
      if (!after.has(name)) this.#record('remove', path, document, undefined)
    }
    for (const [name, { path, document }] of after) {
      const known = before.get(name)
      if (!known) this.#record('add', path, undefined, document)
      else this.maps(path, known.document, document)
    }
    const [was, is] = [arrangement(current, after), arrangement(wanted, before)]
    if (JSON.stringify(was) !== JSON.stringify(is)) {
      const effect = `The steps are arranged anew; ${WORKFLOW_REACH}`
      this.changes.push({ op: 'change', path: 'stepGroups', from: was, to: is, effect })
    }
  }

  #values(path: Path, before: DocumentValue | undefined, after: DocumentValue | undefined): void {
    if (before === undefined || after === undefined) {
      if (before !== after)
        this.#record(before === undefined ? 'add' : 'remove', path, before, after)
    } else if (isMap(before) && isMap(after)) {
      this.maps(path, before, after)
    } else if (JSON.stringify(toJson(before)) !== JSON.stringify(toJson(after))) {
      this.#record('change', path, before, after)
    }
  }

  #record(
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

/** Keys of the wanted document, each removed one where it stood before. */
function orderedKeys(before: ConfigurationDocument, after: ConfigurationDocument): string[] {
  const removed = [...before.keys()].filter((key) => !after.has(key))
  return [...removed, ...after.keys()]
}

function isMap(value: DocumentValue): value is ConfigurationDocument {
  return value instanceof Map
}

interface PlacedStep {
  path: Path
  document: ConfigurationDocument
}

function placedSteps(app: AppConfiguration | null): Map<string, PlacedStep> {
  const steps = new Map<string, PlacedStep>()
  const groups = app ? (toDocument(app).get('stepGroups') as readonly DocumentValue[]) : []
  for (const [group, { steps: list }] of (app?.stepGroups ?? []).entries()) {
    for (const [index, { name }] of list.entries()) {
      const documents = (groups[group] as ConfigurationDocument).get('steps')
      const document = (documents as readonly ConfigurationDocument[])[index]
      steps.set(name, { path: ['stepGroups', group, 'steps', index], document })
    }
  }
  return steps
}

/** Names of the steps, group by group, as far as the other side has them too. */
function arrangement(
  app: AppConfiguration | null,
  other: ReadonlyMap<WorkflowStep['name'], unknown>
): string[][] {
  return (app?.stepGroups ?? [])
    .map((group) => group.steps.map((step) => step.name).filter((name) => other.has(name)))
    .filter((names) => names.length > 0)
}

const WORKFLOW_REACH =
  'reaches upcoming releases and the untouched parts of active ones, never completed ones'
const NEW_RELEASES = 'holds for releases made from now on'

const EFFECTS: Record<string, string> = {
  name: 'The app is called so; its id stays',
  platform: 'Decides the store, the standard workflow and which events are sent',
  appGroup: 'Label of the app in lists',
  icon: 'The image is fetched in the background',
  integrations: 'Connects the app through a provider the organization has',
  appSettings: `Settings of the app; ${NEW_RELEASES}`,
  appUsers: 'Users of the app; an address the organization does not know is invited',
  branchSettings: `Branches of releases; ${NEW_RELEASES}`,
  tagSettings: `Tags of releases; ${NEW_RELEASES}`,
  featureAffiliations: 'Decides which work items belong to a release',
  appStoreReleaseSettings: `What a release starts with in the store; ${NEW_RELEASES}`,
  stepGroups: `A step of the workflow; ${WORKFLOW_REACH}`,
}

const REMOVAL_EFFECTS: Record<string, string> = {
  integrations: 'The app is no longer connected through it; the provider stays',
  buildDistro: 'The bucket goes with its builds',
  appUsers: 'They stay users of the organization',
}

function effectOf(op: PlannedChange['op'], path: Path): string {
  const section = String(path[0])
  const wholeBucket = section === 'buildDistro' && path.length <= 3
  if (op === 'remove' && (section !== 'buildDistro' || wholeBucket)) {
    const removal = REMOVAL_EFFECTS[section]
    if (removal) return removal
  }
  if (section === 'buildDistro') {
    return wholeBucket && op === 'add'
      ? 'A bucket is made; builds that its rules name come in from now on'
      : 'Who may use the bucket, and which builds come in from now on'
  }
  return EFFECTS[section] ?? 'Part of the configuration'
}
