import { Problem } from '#foundation/core/problems/problem'
import type { PageCall } from '../frame/page.js'
import { stepThatMatters, type HeldRelease, type HeldStep } from '../words/obstacles.js'
import type {
  Entry,
  Fix,
  Item,
  Release,
  Rollout,
  Step,
  StoreBuild,
  WhyNotMoving,
} from './answers.js'

/** A step with what holds it. */
export type ShownStep = Step & HeldStep

/** All that the page of a release shows. */
export interface ReleaseAnswers {
  app: { id: string; name: string; platform: string; appGroup: string | null }
  release: Release
  /** The release as sentences are made of it. */
  held: Omit<HeldRelease, 'steps'> & { steps: readonly ShownStep[] }
  chosen: ShownStep | null
  /** Items of the chosen step. */
  items: readonly Item[]
  /** What the run of the chosen step holds; null where it has none. */
  run: { data: Record<string, unknown> } | null
  storeBuilds: readonly StoreBuild[]
  rollout: Rollout | null
  entries: readonly Entry[]
  fixes: readonly Fix[]
  issues: readonly Issue[]
}

export interface Issue {
  id: string
  title: string
  status: string
  severity: string
  releaseId: string | null
  metrics: { userCount: number | null } | null
}

/** Entries of the timeline that are shown beside. */
const ENTRIES = '6'

/** Phases before which no store has a version to roll out. */
const BEFORE_STORES = new Set(['upcoming', 'kickedOff', 'readyToSubmit'])

/** Asks for a release and all that is shown of it. */
export async function readRelease({ ask, params }: PageCall): Promise<ReleaseAnswers> {
  const { appId, releaseId } = params
  const of = { params: { appId, releaseId } }
  const [app, { body: release }, why, entries, fixes, issues] = await Promise.all([
    ask<ReleaseAnswers['app']>('getApp', { params: { appId } }),
    ask<Release>('getRelease', of),
    ask<WhyNotMoving>('whyNotMoving', of),
    ask<{ data: Entry[] }>('listTimelineEvents', { ...of, query: { limit: ENTRIES } }),
    ask<Fix[]>('listFixRequests', of),
    ask<{ data: Issue[] }>('listTriageIssues', { params: { appId }, query: { status: 'open' } }),
  ])
  const rollout = BEFORE_STORES.has(release.phase)
    ? null
    : (await ask<Rollout>('getRollout', of)).body
  const held = heldOf(release, why.body, rollout)
  const chosen = params.stepId
    ? held.steps.find(({ id }) => id === params.stepId)
    : (stepThatMatters(held) as ShownStep | null)
  if (params.stepId && !chosen) throw new Problem('not_found')
  return {
    app: app.body,
    release,
    held,
    chosen: chosen ?? null,
    items: chosen?.checklistItems.total
      ? (await ask<Item[]>('listReleaseChecklistItems', of)).body.filter(
          ({ placement }) => placement.stepConfigId === chosen.stepConfigId
        )
      : [],
    run: chosen?.stepRunId
      ? (
          await ask<{ data: Record<string, unknown> }>('getStepRun', {
            params: { appId, releaseId, stepRunId: chosen.stepRunId },
          })
        ).body
      : null,
    storeBuilds:
      chosen?.type === 'submission'
        ? (await ask<{ data: StoreBuild[] }>('listAppStoreBuilds', of)).body.data
        : [],
    rollout,
    entries: entries.body.data,
    fixes: fixes.body,
    issues: issues.body.data.filter((issue) => issue.releaseId === release.id),
  }
}

/** Brings together what the API tells of a release, so that sentences can be made of it. */
function heldOf(release: Release, why: WhyNotMoving, rollout: Rollout | null) {
  const unmet = new Map(why.steps.map((step) => [step.stepId, step.unmet]))
  const verdicts =
    rollout?.stores.flatMap(({ health }) => health.map(({ verdict }) => verdict)) ?? []
  const health =
    (['unhealthy', 'notEnoughData', 'healthy'] as const).find((each) => verdicts.includes(each)) ??
    null
  return {
    ...release,
    health,
    whyNotMoving: why,
    steps: release.steps.map((step): ShownStep => {
      const phased = storeOfStep(rollout, step)?.phased
      return {
        ...step,
        unmet: unmet.get(step.id) ?? [],
        rollout: phased ? { state: phased.status, percentage: phased.percentage } : null,
      }
    }),
  }
}

/** Returns the rollout of a step: of its destination, or in the first store, which has no id. */
export function storeOfStep(
  rollout: Rollout | null,
  { type, destinationId }: Pick<Step, 'type' | 'destinationId'>
) {
  if (type !== 'rollout' || rollout === null) return undefined
  const { stores } = rollout
  return (
    stores.find((each) => each.destinationId === destinationId) ??
    stores.find((each) => each.destinationId === null)
  )
}
