import type { ReleaseStepType } from '#workflow/vocabulary'
import { GATES, type ShownStep, type WrittenStep, type WrittenWorkflow } from './workflow_oracle.js'

/*
 * Which step is which when a workflow is edited: said once more, apart from the code that
 * matches them, so that the rules about places and items may go by who a step is and not by what
 * it is called.
 */

/** A step of the app's workflow. */
export interface AppStep {
  id: string
  name: string
  type: ReleaseStepType
}

/** A step of a release, with what the workflow last called it. */
export interface KnownStep extends ShownStep {
  stepConfigId: string
  calledAs: string
}

/**
 * A step of the workflow goes on under its name and archetype. One whose name is new takes the
 * place of the first of its archetype that would go.
 * @returns by the name of a written step, the step that it was; null for one that is new
 */
export function sameInWorkflow(
  before: readonly AppStep[],
  workflow: WrittenWorkflow
): Map<string, AppStep | null> {
  const written = workflow.flat()
  const isWritten = ({ name, type }: AppStep) =>
    written.some((step) => step.name === name && step.archetype === type)
  const going = before.filter((step) => !isWritten(step))
  const named = (step: WrittenStep) => before.find(({ name }) => name === step.name)
  const takeFirstGoing = ({ archetype }: WrittenStep) => {
    const at = going.findIndex(({ type }) => type === archetype)
    return at < 0 ? null : going.splice(at, 1)[0]
  }
  return new Map(written.map((step) => [step.name, named(step) ?? takeFirstGoing(step)]))
}

/**
 * A step of a release is that of the workflow's step it was made for. But one that was worked on
 * and that the workflow lost comes back where the workflow wants its archetype under the name
 * that it knew the step by, or that the step kept; unless a step that was worked on has that
 * name by right.
 * @param held ids of the steps that somebody worked on, in a release that keeps them
 * @param ids of the steps of the workflow as it is now, by name
 * @returns by the id of a step of the release, the written name that it goes on under
 */
export function sameInRelease(
  before: readonly KnownStep[],
  workflow: WrittenWorkflow,
  held: ReadonlySet<string>,
  ids: ReadonlyMap<string, string>
): Map<string, string> {
  const present = new Set(ids.values())
  const lost = before.filter(({ id, stepConfigId }) => held.has(id) && !present.has(stepConfigId))
  const names = new Map<string, string>()
  const isFree = ({ id }: KnownStep) => !names.has(id)
  for (const { name, archetype } of workflow.flat()) {
    const own = before.find(({ stepConfigId }) => stepConfigId === ids.get(name))
    const isRightful = own && held.has(own.id) && own.calledAs === name
    const back = lost.filter((step) => step.type === archetype && isFree(step))
    const again = isRightful
      ? undefined
      : (back.findLast(({ calledAs }) => calledAs === name) ??
        back.findLast((step) => step.name === name))
    const goesOn = again ?? own
    if (goesOn && isFree(goesOn)) names.set(goesOn.id, name)
  }
  return names
}

/**
 * Steps of a release under what the workflow calls them, so that a step has one name before and
 * after; those that the workflow lost under one of their own.
 */
export function labelled<Step extends ShownStep>(
  steps: readonly Step[],
  names: ReadonlyMap<string, string>,
  knownBefore: ReadonlySet<string>
): Step[] {
  return steps.map((step) => {
    // There is one of each gate, and rules use their names.
    const isPlain = !knownBefore.has(step.id) || GATES.includes(step.name)
    const name = names.get(step.id) ?? (isPlain ? step.name : `${step.name} ${step.id}`)
    return { ...step, name }
  })
}

/** Returns what is wrong with the identities and names of a release's steps after an edit. */
export function wrongIdentities(
  before: readonly KnownStep[],
  after: readonly ShownStep[],
  names: ReadonlyMap<string, string>,
  held: ReadonlySet<string>
): string[] {
  return before.flatMap((was) => {
    const name = names.get(was.id)
    const is = after.find(({ id }) => id === was.id)
    if (name === undefined) {
      if (!is === !held.has(was.id)) return []
      return [is ? `${was.name} is still there` : `${was.name} is gone, and was worked on`]
    }
    if (!is) return [`${was.name}, which is ${name} now, is gone`]
    const faults = is.stepRunId === was.stepRunId ? [] : [`${name} has another run`]
    const expected = held.has(was.id) ? was.name : name
    if (is.name !== expected) faults.push(`${name} is called ${is.name}, not ${expected}`)
    return faults
  })
}
