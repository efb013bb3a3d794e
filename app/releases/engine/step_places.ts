import type { ReleaseStepType } from '#workflow/vocabulary'
import type { StepPlace } from './step_order.js'

/** A step that needs a place. `id` is the id of its row, even if that does not exist yet. */
export interface PlacedStep extends StepPlace {
  id: string
  type: ReleaseStepType
}

/** Archetypes that other work has to be done before. */
const GATES: readonly ReleaseStepType[] = ['submission', 'takeoff']
/** Archetypes of the way through a store, which are not work that precedes a gate. */
const STORE: readonly ReleaseStepType[] = [...GATES, 'storeReview', 'rollout']

/**
 * Returns the place of each step of a release, after its workflow has changed. No two steps share a
 * place. "Gate" means a submission or takeoff step.
 *
 * - Steps of the workflow get the places that it gives them.
 * - The other steps stay next to their former neighbours, and on the same side of each gate. Most
 *   important is that work before a gate stays before it.
 * - They come before a new gate, unless a gate that they came after precedes it.
 * - A gate that the workflow no longer has comes after new work, which still has to be done.
 *
 * @param before the previous steps of the release, in order
 * @param workflow the steps that the workflow gives the release, in order; some are in `before`
 * @param staying ids of steps in `before` that the release keeps although the workflow lacks them
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
    order.splice(slot, 0, { ...step, ...placeAt(step, slot, order, former) })
  }
  return ascending(order)
}

type Former = ReadonlyMap<string, { index: number; group: number }>

/** Returns the index in `order` at which a staying step is inserted. */
function slotOf(step: PlacedStep, order: readonly PlacedStep[], former: Former): number {
  const own = former.get(step.id)!.index
  const isGate = GATES.includes(step.type)
  // The allowed range of indexes, both inclusive.
  let earliest = 0
  let latest = order.length
  for (const [index, other] of order.entries()) {
    const at = former.get(other.id)?.index
    if (at === undefined || !(isGate || GATES.includes(other.type))) continue
    if (at < own) earliest = index + 1
    else latest = Math.min(latest, index)
  }
  // A step other than a gate stays before the first new gate of the range.
  const newGate = order.findIndex(
    (other, index) => index >= earliest && !former.has(other.id) && GATES.includes(other.type)
  )
  if (!isGate && newGate >= 0) latest = Math.min(latest, newGate)
  if (isGate) {
    const isNewWork = ({ id, type }: PlacedStep) => !former.has(id) && !STORE.includes(type)
    const last = order.findLastIndex((other, index) => index < latest && isNewWork(other))
    earliest = Math.max(earliest, last + 1)
  }
  // The bounds contradict each other. Work before a gate stays before it.
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

/**
 * Returns the place of a step at a slot. It joins the group of the previous step, or that of the
 * next step if it only shared a group with that one before.
 */
function placeAt(
  step: PlacedStep,
  slot: number,
  order: readonly PlacedStep[],
  former: Former
): StepPlace {
  const previous = slot > 0 ? order[slot - 1] : undefined
  const next = slot < order.length ? order[slot] : undefined
  const sharedGroup = (other: PlacedStep | undefined) =>
    other !== undefined && former.get(other.id)?.group === former.get(step.id)!.group
  const neighbour = !previous || (sharedGroup(next) && !sharedGroup(previous)) ? next : previous
  return { groupIndex: neighbour?.groupIndex ?? 0, position: 0 }
}

/** Returns the places of the steps, moving a step whose place is taken behind the previous one. */
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
