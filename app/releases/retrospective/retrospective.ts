import { compareTexts } from '../../foundation/core/compare_texts.js'
import { storeKindOfApp } from '#apps/queries/app_summary'
import { of, select, type RowOfSelect } from '#foundation/core/database/statement'
import type { Scope } from '#foundation/core/scope'
import { RELEASE_TYPES, WORKFLOW_TYPE_OF } from '#workflow/vocabulary'
import { publicReleaseId } from '../names/public_release_id.js'
import { namer } from '../queries/explain.js'
import type { ReleaseRow } from '../queries/read_release.js'
import { releaseHolds, releases, releaseSteps } from '../tables.js'
import type { ReleaseRetrospectiveEntity } from './entity.js'
import { inHours, isOfStep, keyOf, medianOf, spansOf, waitedPerStep } from './waited.js'

/** Maximum number of previous releases to compare with. */
const MAX_BEFORE = 5

const BEFORE = select(
  of(releases, 'r', ['id', 'appId', 'version', 'kickedOffAt', 'completedAt']),
  `from releases r where r.organization_id = :org and r.app_id = :appId
    and r.status = 'completed' and r.kicked_off_at is not null
    and not r.imported and r.completed_at < :completedAt and r.release_type in json(:types)
  order by r.completed_at desc limit ${MAX_BEFORE}`
)
const HOLDS = select(
  of(releaseHolds, 'h', ['releaseId', 'since', 'hold']),
  `from release_holds h where h.organization_id = :org and h.release_id in json(:ids)
  order by h.release_id, h.since`
)
const STEPS = select(
  of(releaseSteps, 's', ['releaseId', 'stepConfigId', 'name', 'type']),
  `from release_steps s where s.organization_id = :org and s.release_id in json(:ids)`
)

type Ended = RowOfSelect<typeof BEFORE>

/**
 * Returns the time that a release spent waiting for each step, from its kickoff to its completion,
 * compared with previous releases of its kind; null for a release that is not completed, was never
 * kicked off, or was imported.
 */
export async function retrospectiveOf(
  scope: Scope,
  release: ReleaseRow
): Promise<ReleaseRetrospectiveEntity | null> {
  const { appId, kickedOffAt, completedAt, imported } = release
  if (release.status !== 'completed' || kickedOffAt === null || completedAt === null || imported) {
    return null
  }
  const kind = WORKFLOW_TYPE_OF[release.releaseType]
  const types = RELEASE_TYPES.filter((type) => WORKFLOW_TYPE_OF[type] === kind)
  const range = { appId, completedAt, types: JSON.stringify(types) }
  const before = await scope.rows(BEFORE, range)
  const ids = JSON.stringify([release.id, ...before.map(({ id }) => id)])
  const holds = Map.groupBy(await scope.rows(HOLDS, { ids }), ({ releaseId }) => releaseId)
  const steps = Map.groupBy(await scope.rows(STEPS, { ids }), ({ releaseId }) => releaseId)
  const waitedIn = ({ id, kickedOffAt: from, completedAt: to }: Omit<Ended, 'appId' | 'version'>) =>
    new Map(
      waitedPerStep(spansOf(holds.get(id) ?? [], { from: from!, to: to! })).map(
        (step) => [keyOf(step), step] as const
      )
    )
  // A release without recorded holds counts only toward the total duration.
  const earlier = before
    .filter(({ id }) => holds.has(id))
    .map((each) => ({
      waited: waitedIn(each),
      has: new Set((steps.get(each.id) ?? []).map(({ stepConfigId }) => stepConfigId)),
    }))
  const own = waitedIn(release)
  const medianAt = (key: string) =>
    medianOf(
      earlier.flatMap(({ has, waited }) =>
        has.has(key) || !isOfStep(key) ? [waited.get(key)?.waited ?? 0] : []
      )
    )
  const known = new Map(
    (steps.get(release.id) ?? []).map((step) => [step.stepConfigId, step] as const)
  )
  const nameWho = await namer(scope, await storeKindOfApp(scope, appId))
  const shown = [...new Set([...own.keys(), ...known.keys()])].map((key) => {
    const step = known.get(key) ?? own.get(key)?.step
    const median = medianAt(key)
    return {
      stepConfigId: isOfStep(key) ? key : null,
      name: step?.name ?? own.get(key)!.name,
      type: step?.type ?? null,
      hours: inHours(own.get(key)?.waited ?? 0),
      medianHours: median === null ? null : inHours(median),
      waits: (own.get(key)?.by ?? []).map(({ who, waited }) => ({
        who: nameWho({ who }).who as { type: string; id?: string; name: string }[],
        hours: inHours(waited),
      })),
    }
  })
  const lengthOf = (each: Pick<Ended, 'kickedOffAt' | 'completedAt'>) =>
    Date.parse(each.completedAt!) - Date.parse(each.kickedOffAt!)
  const usual = medianOf(before.map(lengthOf))
  return {
    releaseId: release.publicId,
    version: release.version,
    from: kickedOffAt,
    to: completedAt,
    hours: inHours(lengthOf(release)),
    medianHours: usual === null ? null : inHours(usual),
    comparedWith: before.map((each) => ({
      releaseId: publicReleaseId(each),
      version: each.version,
      hours: inHours(lengthOf(each)),
    })),
    steps: shown
      .filter(({ hours, medianHours }) => hours > 0 || (medianHours ?? 0) > 0)
      .sort((one, other) => other.hours - one.hours || compareTexts(one.name, other.name)),
  }
}
