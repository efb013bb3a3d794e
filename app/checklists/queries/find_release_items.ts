import { as, of, select, variants, type RowOfSelect } from '#foundation/core/database/statement'
import { integer, optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Prefetcher, Scope } from '#foundation/core/scope'
import { parseReleaseId } from '#releases/names/public_release_id'
import { versionNamed } from '#releases/queries/read_release'
import { BOUND_VERSION, versionOf } from '#releases/queries/version_sql'
import type { ItemKind, ItemStatus } from '#releases/vocabulary'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type { ChecklistItemEntity } from '../entities.js'
import type { Vote } from '../approvals/approvals.js'
import { checklistItems, releaseItems } from '../tables.js'
import { releaseItemEntity } from '../transformers/item_entity.js'
import { cacheOwners, withCurrentNames } from './owner_names.js'

/** An item of a release, with the step that it is on. */
export interface ReleaseItem {
  stepId: string
  item: ChecklistItemEntity
  /** The votes on an approval. */
  votes: Vote[]
}

interface ReleaseItemFilter {
  kind?: ItemKind
  status?: ItemStatus
  stepType?: ReleaseStepType
  itemIds?: readonly string[]
}

/** The members of a release that queries of its items need. */
interface ReleaseIds {
  id: string
  publicId: string
}

/**
 * Returns a subquery for the items of steps in order, with unique positions. Two items of a step
 * may have the same stored position, because a touched item keeps its position and one-offs are
 * numbered apart from templates. An item whose position is taken is shown behind the item before
 * it. Of two with the same position, the one-off comes first.
 */
const placed = (steps: string) => `(
  select p.*,
    p.place + max(p.position - p.place) over (partition by p.step_id order by p.place)
      as shown_position
  from (
    select i.*, c.app_id, c.created_at, c.release_id as one_off_release_id, row_number() over (
        partition by i.step_id
        order by i.position, case when c.release_id is null then 1 else 0 end, c.created_at, i.item_id
      ) as place
    from release_items i join checklist_items c on c.id = i.item_id
    where i.organization_id = :org and i.release_id = :releaseId ${steps}
  ) p
)`

const OWN = {
  ...of(releaseItems, 'i'),
  stepConfigId: as(text(), 's.step_config_id'),
  stepType: as(text<ReleaseStepType>(), 's.type'),
}
const COLUMNS = {
  ...of(checklistItems, 'c', ['appId', 'createdAt']),
  ...OWN,
  oneOffReleaseId: as(optional(text()), 'c.release_id'),
}

/** The same columns, selected from the subquery `placed`. */
const PLACED = {
  ...of(checklistItems, 'i', ['appId', 'createdAt']),
  ...OWN,
  oneOffReleaseId: as(optional(text()), 'i.one_off_release_id'),
  position: as(integer(), 'cast(i.shown_position as integer)'),
}

const JOINS = `join checklist_items c on c.id = i.item_id
    join release_steps s on s.id = i.step_id`

const itemsOf = (steps: string) =>
  select(
    PLACED,
    `from ${placed(steps)} i join release_steps s on s.id = i.step_id
    where s.organization_id = :org`
  )

const THE_ITEM = `i.organization_id = :org and i.item_id = :itemId and i.release_id = (
    select r.id from releases r where r.organization_id = :org and r.app_id = :appId
      and ${versionOf('r')} = ${BOUND_VERSION})`

/** One item with its stored position, and the number of position clashes on its step. */
const ONE_ITEM = select(
  {
    ...COLUMNS,
    position: as(integer(), 'i.position'),
    clashes: as(
      integer(),
      `(select count(*) - count(distinct o.position) from release_items o
        where o.step_id = i.step_id)`
    ),
  },
  `from release_items i ${JOINS}
  where ${THE_ITEM}`
)

/** The users and groups who own the item. */
const OWNERS_OF_ITEM = select(
  {
    type: as(text<'user' | 'group'>(), 'o.type'),
    id: as(text(), 'o.id'),
    email: as(text(), 'o.email'),
    name: as(optional(text()), 'o.name'),
  },
  `from (
    select 'user' as type, u.id, u.email, u.name from release_items i
      join users u on u.organization_id = :org and u.id in ids of(i.owners)
    where ${THE_ITEM}
    union all
    select 'group' as type, g.id, '' as email, g.name from release_items i
      join groups g on g.organization_id = :org and g.id in ids of(i.owners)
    where ${THE_ITEM}
  ) o`
)

const IN_ORDER = 'order by s.group_index, s.position, s.id, i.place'
const allOfRelease = variants(itemsOf(''), IN_ORDER)
const STEP_OF_ITEM = `and i.step_id = (select b.step_id from release_items b
  where b.release_id = :releaseId and b.item_id = :itemId)`
const stepOfItem = variants(itemsOf(STEP_OF_ITEM), IN_ORDER)

type Row = RowOfSelect<ReturnType<typeof allOfRelease>>

const CONDITIONS = {
  kind: 'and i.kind = :kind',
  status: 'and i.status = :status',
  stepType: 'and s.type = :stepType',
  itemId: 'and i.item_id = :itemId',
} as const

/** Finds the items of a release, in the order of the workflow and then by position. */
export async function findReleaseItems(
  scope: Scope,
  release: ReleaseIds,
  { itemIds, ...filter }: ReleaseItemFilter = {}
): Promise<ReleaseItem[]> {
  const given = { ...filter, itemId: itemIds?.length === 1 ? itemIds[0] : undefined }
  const names = (Object.keys(CONDITIONS) as (keyof typeof CONDITIONS)[]).filter(
    (name) => given[name] !== undefined
  )
  // The position of one item depends on the other items of its step only.
  const itemsWith = given.itemId === undefined ? allOfRelease : stepOfItem
  const found = await scope.rows(itemsWith(names.map((name) => CONDITIONS[name]).join(' ')), {
    releaseId: release.id,
    ...Object.fromEntries(names.map((name) => [name, given[name]!])),
  })
  const wanted = itemIds && new Set(itemIds)
  const rows = wanted ? found.filter((row) => wanted.has(row.itemId)) : found
  return releaseItemsFrom(scope, release, rows)
}

/** Prefetches the rows that `findReleaseItem` reads. */
export function prefetchItem(asker: Prefetcher, releaseId: string, itemId: string): void {
  const bindings = bindingsOf(releaseId, itemId)
  if (!bindings) return
  asker.prefetch(ONE_ITEM, bindings)
  asker.prefetch(OWNERS_OF_ITEM, bindings)
}

function bindingsOf(releaseId: string, itemId: string) {
  const { appId } = parseReleaseId(releaseId)
  const version = versionNamed(appId, releaseId)
  return version && { appId, ...version, itemId }
}

/** Finds an item of a release. @throws not_found when the release does not hold it */
export async function findReleaseItem(
  scope: Scope,
  release: ReleaseIds,
  itemId: string
): Promise<ReleaseItem> {
  const bindings = bindingsOf(release.publicId, itemId)!
  const [[row], owners] = await Promise.all([
    scope.rows(ONE_ITEM, bindings),
    scope.rows(OWNERS_OF_ITEM, bindings),
  ])
  if (!row) throw refuse('not_found', { detail: 'There is no such item in the release.' })
  const { clashes, ...own } = row
  await cacheOwners(scope, row.owners, owners)
  const [current] =
    clashes === 0
      ? await releaseItemsFrom(scope, release, [own])
      : await findReleaseItems(scope, release, { itemIds: [itemId] })
  return current
}

async function releaseItemsFrom(
  scope: Scope,
  release: ReleaseIds,
  rows: readonly Row[]
): Promise<ReleaseItem[]> {
  const owners = await withCurrentNames(
    scope,
    rows.map((row) => row.owners)
  )
  return rows.map((row, index) => ({
    stepId: row.stepId,
    item: releaseItemEntity(row, owners[index], release.publicId),
    votes: row.votes,
  }))
}
