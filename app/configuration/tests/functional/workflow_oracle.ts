import type { ReleaseStepType } from '#workflow/vocabulary'

/** A step of a workflow as written in a test. */
export interface WrittenStep {
  name: string
  archetype: ReleaseStepType
  required: boolean
}

/** A workflow: groups of steps. Submission and takeoff are named like their archetypes. */
export type WrittenWorkflow = readonly (readonly WrittenStep[])[]

/** A step of a release as the API shows it. */
export interface ShownStep {
  id: string
  stepRunId: string
  name: string
  type: ReleaseStepType
  status: string
  required: boolean
  groupIndex: number
  position: number
}

/** An item of a release: the name of its step, and whether somebody has touched it. */
export interface ShownItem {
  step: string
  isTouched: boolean
}

/** A release before an edit, with the steps that somebody has worked on. */
export interface Before {
  steps: readonly ShownStep[]
  items: ReadonlyMap<string, ShownItem>
  touched: ReadonlySet<string>
  isActive: boolean
  isKickedOff: boolean
}

/** Archetypes that take a release through the store. A submission does not wait for their work. */
const STORE = ['submission', 'storeReview', 'takeoff', 'rollout']
/** Steps that require earlier work to be complete. */
export const GATES = ['submission', 'takeoff']

/**
 * Lists the problems of a release after a workflow is edited. It uses only the rules, and none of
 * the code that applies the edit. Empty when everything is correct.
 */
export function errorsOfEdit(
  before: Before,
  workflow: WrittenWorkflow,
  after: readonly ShownStep[],
  readyToSubmit: boolean
): string[] {
  const errors: string[] = []
  const wanted = workflow.flat().map(({ name }) => name)
  const was = before.steps.map(({ name }) => name)
  const left = was.filter((name) => !wanted.includes(name))
  const staying = left.filter((name) => before.isActive && before.touched.has(name))
  const is = after.map(({ name }) => name)
  const comes = (name: string, other: string) => is.indexOf(name) < is.indexOf(other)
  const came = (name: string, other: string) => was.indexOf(name) < was.indexOf(other)
  const both = (...names: string[]) => names.every((name) => was.includes(name))

  if (`${[...is].sort()}` !== `${[...wanted, ...staying].sort()}`) {
    return [`the steps are ${is}, not ${wanted} and ${staying}`]
  }
  for (const [index, step] of after.entries()) {
    const next = after[index + 1]
    const ascends =
      !next ||
      step.groupIndex < next.groupIndex ||
      (step.groupIndex === next.groupIndex && step.position < next.position)
    if (!ascends) errors.push(`${step.name} and ${next.name} have places that do not ascend`)
    const known = before.steps.find(({ name }) => name === step.name)
    if (known && (known.id !== step.id || known.stepRunId !== step.stepRunId)) {
      errors.push(`${step.name} is another step than before`)
    }
  }
  const placed = is.filter((name) => wanted.includes(name))
  if (`${placed}` !== `${wanted}`) errors.push(`the order is ${placed}, not ${wanted}`)
  const groupOf = new Map(after.map(({ name, groupIndex }) => [name, groupIndex]))
  for (const [index, group] of workflow.entries()) {
    const indexes = new Set(group.map(({ name }) => groupOf.get(name)))
    if (indexes.size !== 1 || !indexes.has(index)) errors.push(`group ${index} is torn`)
  }

  for (const name of staying) errors.push(...misplaced(name))
  if (readyToSubmit !== (before.isKickedOff && undone().length === 0)) {
    errors.push(`readyToSubmit is ${readyToSubmit}, and ${undone()} is to be done; steps ${is}`)
  }
  return errors

  /** Checks a step that the workflow lost: its side of each gate, and its neighbors. */
  function misplaced(name: string): string[] {
    const wrong: string[] = []
    const isGate = GATES.includes(name)
    for (const gate of GATES) {
      if (isGate || gate === name || !is.includes(gate) || !both(name, gate)) continue
      if (came(name, gate) && !comes(name, gate)) wrong.push(`${name} is not before ${gate}`)
    }
    for (const gate of isGate ? [] : newGates()) {
      const isBehindAnother = GATES.some(
        (other) => both(name, other) && came(other, name) && comes(gate, other)
      )
      if (!isBehindAnother && !comes(name, gate)) wrong.push(`${name} is behind the new ${gate}`)
    }
    if (name === 'submission') {
      for (const other of is.filter((each) => !STORE.includes(each) && both(each))) {
        if (came(other, name) && !comes(other, name)) wrong.push(`${other} is not before ${name}`)
      }
    }
    const neighbours = was.filter((each) => is.includes(each))
    const at = neighbours.indexOf(name)
    const [previous, next] = [neighbours[at - 1], neighbours[at + 1]]
    if (isGate || !previous || !next || !comes(previous, next)) return wrong
    const keepsSides = GATES.every(
      (gate) =>
        gate === previous ||
        !both(gate) ||
        !is.includes(gate) ||
        came(name, gate) === comes(previous, gate)
    )
    const sameSide = keepsSides && newGates().every((gate) => comes(previous, gate))
    if (sameSide && !(comes(previous, name) && comes(name, next))) {
      wrong.push(`${name} is not between ${previous} and ${next}: ${is}`)
    }
    return wrong
  }

  function newGates(): string[] {
    return GATES.filter((gate) => is.includes(gate) && !was.includes(gate))
  }

  /** Returns the required work before the submission that is not complete. */
  function undone(): string[] {
    const open = after.filter(
      ({ required, status, type }) => required && status !== 'complete' && !STORE.includes(type)
    )
    return open.map(({ name }) => name).filter((name) => isBeforeSubmission(name))
  }

  function isBeforeSubmission(name: string): boolean {
    if (!is.includes('submission')) return true
    if (wanted.includes('submission') && wanted.includes(name)) {
      return wanted.indexOf(name) < wanted.indexOf('submission')
    }
    // The release's previous order decides if the workflow does not.
    if (both(name, 'submission')) return came(name, 'submission') || comes(name, 'submission')
    // A new step is placed by the workflow, relative to the steps around the submission.
    if (was.includes('submission') && !was.includes(name)) return comes(name, 'submission')
    // Nothing was after a new submission, except steps that came after the takeoff.
    return !(both(name, 'takeoff') && came('takeoff', name)) || comes(name, 'submission')
  }
}

/**
 * Lists the items on the wrong step after an edit. Items that were begun stay where they are. The
 * others go to the first step of their type in the workflow, or else to one it lost.
 * @param types the step type of every item of the app
 */
export function misplacedItems(
  before: Before,
  workflow: WrittenWorkflow,
  after: Pick<Before, 'steps' | 'items'>,
  types: ReadonlyMap<string, ReleaseStepType>
): string[] {
  const wanted = new Set(workflow.flat().map(({ name }) => name))
  return [...types].flatMap(([id, type]) => {
    const was = before.items.get(id)
    const ofType = after.steps.filter((step) => step.type === type).map(({ name }) => name)
    const stays = before.isActive && was && (was.isTouched || before.touched.has(was.step))
    const first = ofType.find((name) => wanted.has(name)) ?? ofType[0]
    const expected = stays ? was.step : first
    const is = after.items.get(id)
    const errors: string[] = []
    if (is?.step !== expected) errors.push(`an item is on ${is?.step}, not on ${expected}`)
    if (is && is.isTouched !== (was?.isTouched ?? false)) errors.push('an item was made another')
    return errors
  })
}

/** Lists the steps with a wrong `required` flag after an edit. */
export function wrongFlags(
  before: Before,
  workflow: WrittenWorkflow,
  after: readonly ShownStep[]
): string[] {
  const written = new Map(workflow.flat().map((step) => [step.name, step.required]))
  const known = new Map(before.steps.map((step) => [step.name, step.required]))
  return after.flatMap(({ name, required }) => {
    const keeps = (before.isActive && before.touched.has(name)) || !written.has(name)
    const wanted = keeps ? (known.get(name) ?? written.get(name)) : written.get(name)
    return required === wanted ? [] : [`${name} is ${required ? '' : 'not '}required`]
  })
}

/** Writes the workflow as in a configuration file. */
export function stepGroupsOf(workflow: WrittenWorkflow): string {
  const groups = workflow.map((group) => {
    const steps = group.map(
      ({ name, archetype, required }) =>
        `{name: ${name}, archetype: ${archetype}, releaseTypes: {standard: {required: ${required}}}}`
    )
    return `{steps: [${steps.join(', ')}]}`
  })
  return `stepGroups: [${groups.join(', ')}]`
}
