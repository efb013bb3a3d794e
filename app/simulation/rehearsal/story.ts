import type { Instant } from '#foundation/core/clock'
import { storeKindOfApp } from '#apps/queries/app_summary'
import { of, select } from '#foundation/core/database/statement'
import { namer } from '#releases/queries/explain'
import { nameOfHold, spansOf } from '#releases/retrospective/waited'
import { releaseHolds, releases, releaseSteps } from '#releases/tables'
import type { RehearsedService } from './service.js'

/** A release of a rehearsal in its chart. */
export interface StoryRelease {
  version: string
  releaseType: string
  status: string
  phase: string
  kickedOffAt: Instant | null
  submittedAt: Instant | null
  approvedAt: Instant | null
  releasedAt: Instant | null
  completedAt: Instant | null
  /** The time since its kickoff, in parts by what the release waited for. */
  spans: readonly StorySpan[]
  /** The complete steps, with the time of their completion. */
  steps: readonly { name: string; at: Instant }[]
}

interface StorySpan {
  from: Instant
  to: Instant
  /** Name of the step, or of something that counts as one; null if unknown. */
  step: string | null
  /** The missing condition; null if unknown. */
  code: string | null
  who: readonly { type: string; name: string }[]
}

/** The data of a rehearsal's chart. */
export interface Story {
  releases: readonly StoryRelease[]
  freezes: readonly { from: Instant; to: Instant; name: string }[]
}

const RELEASES = select(
  of(releases, 'r', [
    ...(['id', 'version', 'releaseType', 'status', 'phase', 'kickedOffAt'] as const),
    ...(['submittedAt', 'approvedAt', 'releasedAt', 'completedAt'] as const),
  ]),
  `from releases r where r.organization_id = :org and not r.imported
    and (r.status <> 'upcoming' or r.kicked_off_at is not null)
  order by case when r.kicked_off_at is null then 1 else 0 end, r.kicked_off_at, r.rowid`
)
const HOLDS = select(
  of(releaseHolds, 'h', ['releaseId', 'since', 'hold']),
  'from release_holds h where h.organization_id = :org order by h.since'
)
const STEPS = select(
  of(releaseSteps, 's', ['releaseId', 'name', 'statusChangedAt']),
  `from release_steps s where s.organization_id = :org and s.status = 'complete'
  order by s.status_changed_at, s.group_index, s.position`
)

type Naming = Awaited<ReturnType<typeof namer>>

/** Maximum number of spans of a release; the time after them is one span. */
const MAX_SPANS = 300

/** Returns the chart's data of a rehearsal up to an instant. */
export async function storyOf(
  service: RehearsedService,
  appId: string,
  now: Instant
): Promise<Story> {
  const scope = service.read()
  const holds = Map.groupBy(await scope.rows(HOLDS), ({ releaseId }) => releaseId)
  const steps = Map.groupBy(await scope.rows(STEPS), ({ releaseId }) => releaseId)
  const all = await scope.rows(RELEASES)
  const named = await namer(scope, await storeKindOfApp(scope, appId))
  const freezes = await service.ask<{ startAt: string; endAt: string; name: string | null }[]>(
    'listLifecycleFreezes',
    { params: { appId } }
  )
  return {
    releases: all.map(({ id, ...release }) => ({
      ...release,
      spans: storySpans(holds.get(id) ?? [], release, named, now),
      steps: (steps.get(id) ?? []).flatMap(({ name, statusChangedAt: at }) =>
        at === null ? [] : [{ name, at }]
      ),
    })),
    freezes: freezes.map(({ startAt, endAt, name }) => ({
      from: startAt,
      to: endAt,
      name: name ?? 'Freeze',
    })),
  }
}

function storySpans(
  held: Parameters<typeof spansOf>[0],
  { kickedOffAt, completedAt }: Pick<StoryRelease, 'kickedOffAt' | 'completedAt'>,
  named: Naming,
  now: Instant
): StorySpan[] {
  if (kickedOffAt === null) return []
  return spansOf(held.slice(0, MAX_SPANS), { from: kickedOffAt, to: completedAt ?? now }).map(
    ({ from, to, hold }) => ({
      ...{ from, to, step: hold && nameOfHold(hold), code: hold?.code ?? null },
      who: named({ who: hold?.who ?? [] }).who.map(({ type, name = type }) => ({ type, name })),
    })
  )
}
