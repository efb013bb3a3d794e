import { apps } from '#apps/tables'
import type { PageRequest } from '#foundation/api/pages'
import { chunked } from '#foundation/core/chunked'
import {
  as,
  of,
  select,
  variants,
  type Bindings,
  type RowOfSelect,
} from '#foundation/core/database/statement'
import { text } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import { activeReleases } from '#releases/queries/active_releases'
import { currentReleases } from '#releases/queries/current_releases'
import { explained } from '#releases/queries/explain'
import { readShownReleases, type FoundRelease } from '#releases/queries/read_release'
import { ownMembers } from '#releases/transformers/release_entity'
import { ownStepMembers } from '#releases/transformers/step_entity'
import { verdictsOf } from '#rollouts/queries/verdicts'
import { picked } from '../picked.js'
import { RELEASE_MEMBERS, STEP_MEMBERS, type AppInOverview } from '../overview_entities.js'

/** An app without a group is sorted among the groups by its own name. */
const GROUP = 'lower(coalesce(a.app_group, a.name))'
const NAME = 'lower(a.name)'

const APPS = select(
  {
    ...of(apps, 'a', ['id', 'name', 'platform', 'appGroup', 'iconUrl', 'iconFile']),
    groupKey: as(text(), GROUP),
    nameKey: as(text(), NAME),
  },
  'from apps a where a.organization_id = :org'
)
const appsWith = variants(APPS, `order by ${GROUP}, ${NAME}, a.id limit :limit`)

type AppRow = RowOfSelect<typeof APPS>

/** Returns the keyset of the list. */
export const overviewKeys = ({ groupKey, nameKey, id }: AppRow) => [groupKey, nameKey, id]

/** Returns a page of the apps that the requester sees, by group and name. */
export function overviewApps(scope: Scope, { limit, after }: PageRequest): Promise<AppRow[]> {
  const conditions: string[] = []
  const bindings: Record<string, Bindings[string]> = { limit }
  const add = (condition: string, values: Bindings) => {
    conditions.push(`and ${condition}`)
    Object.assign(bindings, values)
  }
  const { admin, appIds } = scope.permissions
  if (!admin && appIds !== null) add('a.id in json(:seen)', { seen: JSON.stringify([...appIds]) })
  if (after) {
    const [lastGroup, lastName, lastId] = after
    const last = '(:lastGroup, :lastName, :lastId)'
    add(`(${GROUP}, ${NAME}, a.id) > ${last}`, { lastGroup, lastName, lastId })
  }
  return scope.rows(appsWith(conditions.join(' ')), bindings)
}

/**
 * Releases evaluated at a time. On PostgreSQL, the queries of many are sent together. On SQLite
 * each is evaluated synchronously, so other requests are served after every few.
 */
const AT_ONCE = { shared: 50, alone: 10 }

/** Returns the current state of some apps, in the given order. */
export async function overview(
  scope: Scope,
  found: readonly AppRow[],
  baseUrl: string
): Promise<AppInOverview[]> {
  const ids = found.map(({ id }) => id)
  const [shown, active, current] = await Promise.all([
    readShownReleases(scope, ids),
    activeReleases(scope, ids),
    currentReleases(scope, ids),
  ])
  const verdicts = await verdictsOf(
    scope,
    [...shown.values()].map(({ release }) => release.id)
  )
  const all: AppInOverview[] = []
  for (const some of chunked(found, scope.isShared ? AT_ONCE.shared : AT_ONCE.alone)) {
    const entities = some.map(async (app): Promise<AppInOverview> => {
      const { id, name, platform, appGroup, iconUrl, iconFile } = app
      const one = shown.get(id)
      return {
        ...{ id, name, platform, appGroup },
        iconUrl: iconFile ? `${baseUrl}/icons/${iconFile}` : iconUrl,
        liveVersion: current.get(id)?.liveVersion ?? null,
        release: one
          ? { ...(await inOverview(scope, one)), health: verdicts.get(one.release.id) ?? null }
          : null,
        alsoActive: (active.get(id) ?? []).filter((each) => each.id !== one?.release.publicId),
      }
    })
    all.push(...(await Promise.all(entities)))
    await yieldToOthers()
  }
  return all
}

type Release = NonNullable<AppInOverview['release']>

async function inOverview(
  scope: Scope,
  { release, pilot }: FoundRelease
): Promise<Omit<Release, 'health'>> {
  const { why, steps, facts } = await explained(scope, release)
  const holds = new Map(why.steps.map((step) => [step.stepId, step]))
  const rollouts = new Map(
    facts.steps.flatMap((step) =>
      step.type === 'rollout' && step.facts.state !== null ? [[step.id, step.facts] as const] : []
    )
  )
  return {
    ...picked(ownMembers(release, pilot), RELEASE_MEMBERS),
    steps: steps.map((step) => {
      const { unmet, warnings } = holds.get(step.id)!
      const rollout = rollouts.get(step.id)
      return {
        ...picked(ownStepMembers(release, step), STEP_MEMBERS),
        ...{ unmet, warnings },
        rollout: rollout ? { state: rollout.state!, percentage: rollout.percentage } : null,
      }
    }),
    whyNotMoving: { release: why.release, warnings: why.warnings, next: why.next },
  }
}
