import type { ReleaseStepType } from '#workflow/vocabulary'
import type { StepPlace } from './step_order.js'

/** A step that is given a place; `id` is that of its row, also where the row is still to come. */
export interface PlacedStep extends StepPlace {
  id: string
  type: ReleaseStepType
}

/** Archetypes that other work has to be done before. */
const GATES: readonly ReleaseStepType[] = ['submission', 'takeoff']
/** Steps that carry a release through its store; they are not work that precedes it. */
const STORE: readonly ReleaseStepType[] = [...GATES, 'storeReview', 'rollout']

/**
 * The places of the steps of a release under its workflow. Those that the workflow has stand
 * where it puts them. The others stand next to the neighbours they had, and on the side of each
 * submission and takeoff that they were on: above all, what had to be done before still has to.
 * They stand before a submission or takeoff that is new, unless one they stood behind comes first.
 * A submission or takeoff that stays stands behind work that is new: that is still to be done.
 * No two steps share a place.
 *
 * @param before the steps as the release has had them, in order
 * @param workflow what the workflow gives the release, in order; some are in `before` already
 * @param staying ids of steps in `before` that the workflow does not have and the release keeps
 */
export function placeSteps<Step extends PlacedStep>(
  before: readonly Step[],
  workflow: readonly PlacedStep[],
  staying: ReadonlySet<string>
): Map<string, StepPlace> {
  const former = new Map(before.map((step, index) => [step.id, { index, group: step.groupIndex }]))
  const order: PlacedStep[] = workflow.map((step) => ({ ...step }))
  for (const step of before) {
    if (!staying.has(step.id)) continue
    const slot = slotOf(step, order, former)
    order.splice(slot, 0, { ...step, ...besides(step, slot, order, former) })
  }
  return ascending(order)
}

type Former = ReadonlyMap<string, { index: number; group: number }>

/** The index in `order` that a step which stays goes to. */
function slotOf(step: PlacedStep, order: readonly PlacedStep[], former: Former): number {
  const own = former.get(step.id)!.index
  const isGate = GATES.includes(step.type)
  // It goes after the first, and not after the second.
  let earliest = 0
  let latest = order.length
  for (const [index, other] of order.entries()) {
    const at = former.get(other.id)?.index
    if (at === undefined || !(isGate || GATES.includes(other.type))) continue
    if (at < own) earliest = index + 1
    else latest = Math.min(latest, index)
  }
  // Behind a gate that the release did not have, nothing stood yet.
  const newGate = order.findIndex(
    (other, index) => index >= earliest && !former.has(other.id) && GATES.includes(other.type)
  )
  if (!isGate && newGate >= 0) latest = Math.min(latest, newGate)
  if (isGate) {
    const isNewWork = ({ id, type }: PlacedStep) => !former.has(id) && !STORE.includes(type)
    const last = order.findLastIndex((other, index) => index < latest && isNewWork(other))
    earliest = Math.max(earliest, last + 1)
  }
  // Not every side can be kept: what had to be done before a gate stays before it.
  if (earliest > latest) return isGate ? earliest : latest

  const others = order
    .flatMap(({ id }, index) => {
      const known = former.get(id)
      return known ? [{ index, distance: known.index - own }] : []
    })
    .sort((a, b) => Math.abs(a.distance) - Math.abs(b.distance))
  const fits = (slot: number) => slot >= earliest && slot <= latest
  const previous = others.find(({ index, distance }) => distance < 0 && fits(index + 1))
  if (previous) return previous.index + 1
  const next = others.find(({ index, distance }) => distance > 0 && fits(index))
  return next ? next.index : earliest
}

/** The group of a step at a slot: that of the step before, or after if it stood with that one. */
function besides(
  step: PlacedStep,
  slot: number,
  order: readonly PlacedStep[],
  former: Former
): StepPlace {
  const previous = slot > 0 ? order[slot - 1] : undefined
  const next = slot < order.length ? order[slot] : undefined
  const stoodWith = (other: PlacedStep | undefined) =>
    other !== undefined && former.get(other.id)?.group === former.get(step.id)!.group
  const beside = !previous || (stoodWith(next) && !stoodWith(previous)) ? next : previous
  return { groupIndex: beside?.groupIndex ?? 0, position: 0 }
}

/** The places that were given, each moved back where the one before has it already. */
function ascending(order: readonly PlacedStep[]): Map<string, StepPlace> {
  const places = new Map<string, StepPlace>()
  let last: StepPlace | undefined
  for (const { id, groupIndex, position } of order) {
    const first = last?.groupIndex === groupIndex ? last.position + 1 : 0
    last = { groupIndex, position: Math.max(position, first) }
    places.set(id, last)
  }
  return places
}
