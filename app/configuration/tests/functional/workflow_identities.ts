import type { ReleaseStepType } from '#workflow/vocabulary'
import { GATES, type ShownStep, type WrittenStep, type WrittenWorkflow } from './workflow_oracle.js'

/*
 * The rules for the identity of steps after a workflow is edited. They are implemented again,
 * independently of the code that matches steps, so that the rules about places and items can use
 * identities instead of names.
 */

/** A step of the app's workflow. */
export interface AppStep {
  id: string
  name: string
  type: ReleaseStepType
}

/** A step of a release, with its last name in the workflow. */
export interface KnownStep extends ShownStep {
  stepConfigId: string
  calledAs: string
}

/**
 * Matches workflow steps. A step stays the same under the same name and archetype. A step with a
 * new name replaces the first removed step of its archetype.
 * @returns for the name of each written step, its previous step; null for a new one
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
 * Matches the steps of a release. A step belongs to the workflow step it was created for. A step
 * that was worked on and is missing in the workflow comes back when the workflow has a step of its
 * archetype under its last workflow name, or under the name the release kept; unless another step
 * that was worked on has that name by right.
 * @param held ids of the steps that somebody worked on, in a release that keeps them
 * @param ids of the current workflow steps, by name
 * @returns for the id of each release step, the written name under which it continues
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
 * Renames the steps of a release to their workflow names, so that a step has the same name before
 * and after. Steps that the workflow lost get unique names.
 */
export function labelled<Step extends ShownStep>(
  steps: readonly Step[],
  names: ReadonlyMap<string, string>,
  knownBefore: ReadonlySet<string>
): Step[] {
  return steps.map((step) => {
    // Each gate exists only once, and the rules use its name.
    const isPlain = !knownBefore.has(step.id) || GATES.includes(step.name)
    const name = names.get(step.id) ?? (isPlain ? step.name : `${step.name} ${step.id}`)
    return { ...step, name }
  })
}

/** Returns the problems with the identities and names of a release's steps after an edit. */
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
    const errors = is.stepRunId === was.stepRunId ? [] : [`${name} has another run`]
    const expected = held.has(was.id) ? was.name : name
    if (is.name !== expected) errors.push(`${name} is called ${is.name}, not ${expected}`)
    return errors
  })
}
