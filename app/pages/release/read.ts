import { entityTag } from '#foundation/api/execution/entity_tag'
import { operations } from '#foundation/api/operation/registry'
import { Problem } from '#foundation/core/problems/problem'
import { canBeStopped } from '#rollouts/red_button'
import type { PageCall } from '../frame/page.js'
import { holdersOf } from '../frame/problem_page.js'
import { stepThatMatters, type HeldRelease } from '../words/obstacles.js'
import type {
  Entry,
  Fix,
  Issue,
  Item,
  Release,
  Rollout,
  ShownStep,
  WhyNotMoving,
} from './answers.js'
import { heldOf, readRollout } from './held.js'
import { readPair, type PairAnswers, type ReleaseOfApp } from './read_pair.js'
import { readStep, runOf, type StepAnswers } from './steps/read.js'
import { readPages } from './steps/read_pages.js'
import type { Tags } from './tags.js'

/** The answers that the page of a release shows. */
export interface ReleaseAnswers extends StepAnswers {
  app: ReleaseOfApp['app']
  paired: PairAnswers
  release: Release
  /** The release with its unmet conditions, as the sentences of the page need it. */
  held: Omit<HeldRelease, 'steps'> & { steps: readonly ShownStep[] }
  chosen: ShownStep | null
  /** Items of the chosen step. */
  items: readonly Item[]
  rollout: Rollout | null
  /**
   * The names of those who may stop the rollout; null if the reader may, or nothing can be stopped.
   */
  stoppers: string | null
  entries: readonly Entry[]
  fixes: readonly Tagged<Fix>[]
  issues: readonly Issue[]
  /** True if `issues` holds every open issue. */
  isAllIssues: boolean
  tags: Tags
}

/** The maximum number of timeline entries on the page. */
const ENTRIES = '6'

/** States in which people can change a rollout. */
const CHANGEABLE: ReadonlySet<string> = new Set(['active', 'paused', 'halted'])

/** Reads a release and everything that its page shows. */
export async function readRelease(call: PageCall): Promise<ReleaseAnswers> {
  const { ask, params } = call
  const { appId, releaseId } = params
  const of = { params: { appId, releaseId } }
  const [app, read, why, entries, fixes, open] = await Promise.all([
    ask<ReleaseAnswers['app']>('getApp', { params: { appId } }),
    ask<Release>('getRelease', of),
    ask<WhyNotMoving>('whyNotMoving', of),
    ask<{ data: Entry[] }>('listTimelineEvents', { ...of, query: { limit: ENTRIES } }),
    ask<Fix[]>('listFixRequests', of),
    openIssues(call),
  ])
  const release = read.body
  const rollout = await readRollout(call, release)
  const held = heldOf(release, why.body, rollout)
  const chosen = params.stepId
    ? held.steps.find(({ id }) => id === params.stepId)
    : (stepThatMatters(held) as ShownStep | null)
  if (params.stepId && !chosen) throw new Problem('not_found')
  const step = await readStep(call, held.steps, chosen ?? null)
  return {
    ...step,
    app: app.body,
    paired: await readPair(call, app.body, release),
    release,
    held,
    chosen: chosen ?? null,
    items: chosen?.checklistItems.total ? await itemsOf(call, chosen) : [],
    rollout,
    stoppers: await stoppersOf(call, rollout),
    entries: entries.body.data,
    fixes: fixes.body.map(tagged),
    issues: open.items,
    isAllIssues: open.isAll,
    tags: { release: read.etag, runs: await runTags(call, held.steps, chosen ?? null) },
  }
}

/** Reads the entity tags of the runs that forms can change: the chosen step and open rollouts. */
async function runTags(
  call: PageCall,
  steps: readonly ShownStep[],
  chosen: ShownStep | null
): Promise<Record<string, string>> {
  const changed = steps.filter(
    (step) => step.id === chosen?.id || (step.rollout && CHANGEABLE.has(step.rollout.state))
  )
  const runs = await Promise.all(
    changed.map(async (step) => [step.stepRunId, (await runOf(call, step))?.tag] as const)
  )
  return Object.fromEntries(runs.flatMap(([id, tag]) => (tag === undefined ? [] : [[id, tag]])))
}

type Tagged<Entity> = Entity & { tag: string }

/** Adds its entity tag to an entity of a list: the tag that reading it alone would return. */
const tagged = <Entity>(entity: Entity): Tagged<Entity> => ({
  ...entity,
  tag: entityTag(JSON.stringify(entity)),
})

/** Reads the items of a step. */
async function itemsOf({ ask, params }: PageCall, { stepConfigId }: ShownStep): Promise<Item[]> {
  const { appId, releaseId } = params
  const { body } = await ask<Omit<Item, 'tag'>[]>('listReleaseChecklistItems', {
    params: { appId, releaseId },
  })
  return body.filter(({ placement }) => placement.stepConfigId === stepConfigId).map(tagged)
}

/** Reads the open issues of the release, the newest first. */
const openIssues = ({ ask, params: { appId, releaseId } }: PageCall) =>
  readPages<Issue>(ask, 'listTriageIssues', {
    ...{ params: { appId }, query: { status: 'open', releaseId } },
  })

/** Returns the names of those who may stop the rollout, if the reader may not. */
async function stoppersOf(call: PageCall, rollout: Rollout | null): Promise<string | null> {
  const isRolling = rollout?.stores.some(canBeStopped)
  const { access } = operations.get('pressRedButton')
  if (!isRolling || call.reader.may('pressRedButton') || access.kind !== 'actions') return null
  return holdersOf(call, access.anyOf)
}
