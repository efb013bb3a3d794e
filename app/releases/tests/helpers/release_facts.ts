import type { ItemFacts, ReleaseFacts, StepFacts, StepPart } from '#releases/engine/facts'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { neutralPart } from '#releases/engine/facts'

export const NOW = '2026-11-20T12:00:00.000Z'

/** Returns the initial facts of a release of an iOS app, with the given ones. */
export function releaseFacts(given: Partial<ReleaseFacts> = {}): ReleaseFacts {
  return {
    storeKind: 'apple',
    releaseType: 'minor',
    createType: 'release',
    kickedOffAt: null,
    submittedAt: null,
    approvedAt: null,
    releasedAt: null,
    completedAt: null,
    skippedAt: null,
    statusBeforeSkip: null,
    targets: { kickoffAt: null, submitAt: null, releaseAt: null },
    pilot: null,
    automations: [],
    reminders: [],
    steps: [],
    items: [],
    ...given,
  }
}

type StepGiven = Partial<
  Pick<StepFacts, 'id' | 'name' | 'groupIndex' | 'position' | 'required' | 'destinationId'>
>

/** Returns the facts of a required step whose id is its archetype by default. */
export function stepFacts(part: ReleaseStepType | StepPart, given: StepGiven = {}): StepFacts {
  const known = typeof part === 'string' ? neutralPart(part) : part
  const id = given.id ?? known.type
  return {
    id,
    stepConfigId: `config-${id}`,
    name: id,
    groupIndex: 0,
    position: 0,
    required: true,
    destinationId: null,
    run: { id: `run-${id}`, attempt: 1 },
    ...given,
    ...known,
  }
}

/** Puts steps one after another, each in a group of its own. */
export function workflow(...steps: StepFacts[]): StepFacts[] {
  return steps.map((step, groupIndex) => ({ ...step, groupIndex }))
}

/** Returns the facts of an item, by default a required, untouched one without owners. */
export function itemFacts(given: Partial<ItemFacts> & Pick<ItemFacts, 'id' | 'stepId'>): ItemFacts {
  return {
    kind: 'checklist',
    title: given.id,
    status: 'notStarted',
    required: true,
    owners: [],
    ...given,
  }
}
