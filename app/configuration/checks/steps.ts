import { lengthOf } from '#foundation/core/text'
import type { StepReleaseTypes, WorkflowStepGroup } from '#apps/settings'
import { STEP_NAMES } from '#apps/standard_workflow'
import { isPerDestination } from '#apps/store_workflow'
import { MAX_WORKFLOW_STEPS } from '#workflow/bounds'
import {
  RELEASE_STEP_TYPES,
  WORKFLOW_RELEASE_TYPES,
  type ReleaseStepType,
  type WorkflowReleaseType,
} from '#workflow/vocabulary'
import { DESTINATIONS_KEY, STEP_DESTINATION_KEY } from '../document.js'
import type { Fields, Inspector, Element } from './inspector.js'
import { quote, type Location } from './problems.js'

const MAX_GROUPS = 50
const MAX_STEPS = 100
const MAX_NAME = 100

/** A step as far as it could be read, for the rules that consider all steps. */
interface ReadStep {
  at: Location
  nameAt: Location
  typeAt: Location
  name: string | undefined
  archetype: ReleaseStepType | undefined
  releaseTypes: StepReleaseTypes | undefined
  destination: string | undefined
}

/** Steps that the app already has and keeps, for a file that adds a destination. */
interface ExistingSteps {
  names: ReadonlySet<string>
  hasKickoff: boolean
}

const NO_STEPS: ExistingSteps = { names: new Set(), hasKickoff: false }

/** The data that steps are checked against. */
interface Surroundings {
  existing?: ExistingSteps
  /** Names of the destinations that steps may name. Absent when they may name none. */
  destinations?: readonly string[]
}

/**
 * Checks `stepGroups`. Names are unique in the app. `kickoff` is the first step and appears once.
 * `submission` comes before `storeReview`, which comes before `takeoff`. `rollbackBuild` is only
 * for rollbacks. Each step has at least one release type.
 */
export function checkStepGroups(
  inspector: Inspector,
  element: Element,
  { existing = NO_STEPS, destinations }: Surroundings = {}
): WorkflowStepGroup[] {
  const groups = inspector
    .items(element, 'groups of steps', MAX_GROUPS)
    .map((item) => readGroup(inspector, item, destinations))
  const steps = groups.flat()
  checkCount(inspector, element, steps.length, existing)
  checkNames(inspector, steps, existing)
  checkKickoff(inspector, steps, existing)
  checkOrder(inspector, steps, 'submission', 'storeReview')
  checkOrder(inspector, steps, 'storeReview', 'takeoff')
  checkOrder(inspector, steps, 'submission', 'takeoff')
  return groups.map((group) => ({
    steps: group.flatMap(({ name, archetype, releaseTypes, destination }) => {
      if (name === undefined || !archetype || !releaseTypes) return []
      const step = { name, archetype, releaseTypes }
      return [destination === undefined ? step : { ...step, destination }]
    }),
  }))
}

function readGroup(
  inspector: Inspector,
  element: Element,
  destinations: readonly string[] | undefined
): ReadStep[] {
  const fields = inspector.fields(element, ['steps'])
  if (!fields) return []
  const steps = inspector.required(element, 'steps', fields.steps, (each) =>
    inspector.items(each, 'steps', MAX_STEPS)
  )
  if (fields.steps?.node.kind === 'list' && fields.steps.node.items.length === 0) {
    inspector.problems.add(fields.steps, 'required', 'A group needs at least one step')
  }
  return (steps ?? []).flatMap((item) => readStep(inspector, item, destinations) ?? [])
}

const STEP_KEYS = ['name', 'archetype', 'releaseTypes'] as const

function readStep(
  inspector: Inspector,
  element: Element,
  destinations: readonly string[] | undefined
): ReadStep | undefined {
  const keys = destinations ? ([...STEP_KEYS, STEP_DESTINATION_KEY] as const) : STEP_KEYS
  const fields: Fields<(typeof STEP_KEYS)[number] | typeof STEP_DESTINATION_KEY> | undefined =
    inspector.fields(element, keys)
  if (!fields) return undefined
  const input = inspector.optional(fields.name, (each) => inspector.text(each, MAX_NAME))
  const archetype = inspector.required(element, 'archetype', fields.archetype, (each) =>
    inspector.choice(each, RELEASE_STEP_TYPES)
  )
  const typeAt = fields.archetype ?? element
  const releaseTypes = inspector.required(element, 'releaseTypes', fields.releaseTypes, (each) =>
    readReleaseTypes(inspector, each, archetype)
  )
  const unnamed = !fields.name || input === null
  const name = unnamed && archetype ? STEP_NAMES[archetype] : (input ?? undefined)
  const destination = inspector.optional(fields[STEP_DESTINATION_KEY], (each) =>
    readDestination(inspector, each, archetype, destinations ?? [])
  )
  return {
    at: element,
    nameAt: fields.name ?? element,
    typeAt,
    name,
    archetype,
    releaseTypes,
    destination: destination ?? undefined,
  }
}

/** Reads the destination of a step. Only a step whose work is done per destination may have one. */
function readDestination(
  inspector: Inspector,
  element: Element,
  archetype: ReleaseStepType | undefined,
  destinations: readonly string[]
): string | undefined {
  const name = inspector.text(element, MAX_NAME)
  if (name === undefined) return undefined
  if (archetype && !isPerDestination(archetype)) {
    const message = `A ${archetype} step serves every destination and can name none`
    inspector.problems.add(element, 'not_allowed', message)
  } else if (!destinations.includes(name)) {
    const message = `${quote(name)} is not among ${DESTINATIONS_KEY}`
    inspector.problems.addUnknown(element, 'unknown_destination', message, name, destinations)
  }
  return name
}

function readReleaseTypes(
  inspector: Inspector,
  element: Element,
  archetype: ReleaseStepType | undefined
): StepReleaseTypes | undefined {
  const fields = inspector.fields(element, WORKFLOW_RELEASE_TYPES)
  if (!fields) return undefined
  const types: StepReleaseTypes = {}
  for (const type of WORKFLOW_RELEASE_TYPES) {
    const field = fields[type]
    if (!field) continue
    const required = inspector.required(element, type, field, (each) =>
      readRequired(inspector, each)
    )
    if (required !== undefined) types[type] = { required }
    if (archetype === 'rollbackBuild' && type !== 'rollback') {
      const message = `A rollbackBuild step belongs to the release type rollback, not to ${type}`
      inspector.problems.add(field, 'not_allowed', message)
    }
  }
  if (element.node.kind === 'map' && element.node.entries.length === 0) {
    const message = `A step needs at least one release type: ${WORKFLOW_RELEASE_TYPES.join(', ')}`
    inspector.problems.add(element, 'required', message)
  }
  return types
}

function readRequired(inspector: Inspector, element: Element): boolean | undefined {
  const fields = inspector.fields(element, ['required'])
  if (!fields) return undefined
  return inspector.required(element, 'required', fields.required, (each) => inspector.flag(each))
}

/** Checks the total number of steps, including those that the app keeps. */
function checkCount(inspector: Inspector, at: Location, added: number, { names }: ExistingSteps) {
  const count = names.size + added
  if (count <= MAX_WORKFLOW_STEPS) return
  const message = `The workflow would hold ${count} steps, at most ${MAX_WORKFLOW_STEPS} are allowed`
  inspector.problems.add(at, 'too_many', message)
}

function checkNames(
  inspector: Inspector,
  steps: readonly ReadStep[],
  existing: ExistingSteps
): void {
  const seen = new Set<string>()
  for (const { name, nameAt } of steps) {
    if (name === undefined) continue
    if (seen.has(name) || existing.names.has(name)) {
      const whose = seen.has(name) ? 'given to two steps' : 'the name of a step the app has'
      const message = `${quote(name)} is ${whose}; a step's name is unique in its app`
      inspector.problems.add(nameAt, 'duplicate', message)
    }
    seen.add(name)
  }
}

/**
 * Checks steps derived from a destination's name. Problems are reported at that name: the first
 * name that is taken, or names that are too long.
 */
export function checkDerivedSteps(
  inspector: Inspector,
  at: Location,
  groups: readonly WorkflowStepGroup[],
  existing: ExistingSteps
): void {
  const names = groups.flatMap(({ steps }) => steps.map(({ name }) => name))
  checkCount(inspector, at, names.length, existing)
  const longest = Math.max(...names.map(lengthOf))
  const taken = names.find((name) => existing.names.has(name))
  if (longest > MAX_NAME) {
    const message = `The steps named after it would hold ${longest} characters, at most ${MAX_NAME} are allowed; shorten it, or give stepGroups`
    inspector.problems.add(at, 'too_long', message)
  } else if (taken !== undefined) {
    const message = `${quote(taken)} is the name of a step the app has; give another name, or stepGroups`
    inspector.problems.add(at, 'duplicate', message)
  }
}

function checkKickoff(
  inspector: Inspector,
  steps: readonly ReadStep[],
  existing: ExistingSteps
): void {
  let { hasKickoff } = existing
  for (const [index, { archetype, typeAt }] of steps.entries()) {
    if (archetype !== 'kickoff') continue
    if (hasKickoff) {
      inspector.problems.add(typeAt, 'duplicate', 'A workflow has at most one kickoff step')
    } else if (index > 0) {
      inspector.problems.add(typeAt, 'wrong_order', 'The kickoff step has to be the first of all')
    }
    hasKickoff = true
  }
}

/**
 * Checks that the first step of one archetype comes before the first of another, the second before
 * the second, and so on: each destination of an app has its own sequence. Release types are checked
 * separately.
 */
function checkOrder(
  inspector: Inspector,
  steps: readonly ReadStep[],
  before: ReleaseStepType,
  after: ReleaseStepType
): void {
  const reported = new Set<ReadStep>()
  for (const type of WORKFLOW_RELEASE_TYPES) {
    const of = (archetype: ReleaseStepType) => positionsOf(steps, archetype, type)
    const earlier = of(before)
    for (const [turn, position] of of(after).entries()) {
      const step = steps[position]
      const other = earlier[turn]
      if (other === undefined || other < position || reported.has(step)) continue
      reported.add(step)
      const message = `A ${after} step comes after the ${before} step, not before it`
      inspector.problems.add(step.typeAt, 'wrong_order', message)
    }
  }
}

function positionsOf(
  steps: readonly ReadStep[],
  archetype: ReleaseStepType,
  type: WorkflowReleaseType
): number[] {
  return steps.flatMap((step, position) =>
    step.archetype === archetype && step.releaseTypes?.[type] ? [position] : []
  )
}
