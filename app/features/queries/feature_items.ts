import type { PageRequest } from '#foundation/api/pages'
import { of, select, variants, type Bindings } from '#foundation/core/database/statement'
import type { RowOf } from '#foundation/core/database/table'
import type { Scope } from '#foundation/core/scope'
import { yieldToOthers } from '#foundation/core/yielding'
import type { FeatureReadinessItemEntity } from '../entities.js'
import { featureItems } from '../tables.js'
import type { SearchItemsQuery } from '../validators/features_input.js'

const ITEMS = select(
  of(featureItems, 'i', [
    'id',
    'itemKey',
    'ticket',
    'code',
    'codeStatus',
    'codeType',
    'reason',
    'ignored',
    'ignoredBy',
    'ignoredAt',
    'createdAt',
  ]),
  `from feature_items i where i.organization_id = :org and i.release_id = :releaseId
    and i.is_gone = false`
)
const itemsWith = variants(ITEMS, '')
const BY_ID = itemsWith('and i.id in json(:ids) order by i.created_at desc, i.id desc')

export type FeatureItemRow = Pick<
  RowOf<typeof featureItems>,
  | 'id'
  | 'itemKey'
  | 'ticket'
  | 'code'
  | 'codeStatus'
  | 'codeType'
  | 'reason'
  | 'ignored'
  | 'ignoredBy'
  | 'ignoredAt'
  | 'createdAt'
>

export const featureItemKeys = ({ createdAt, id }: FeatureItemRow) => [createdAt, id]

/** Returns work items of a release, by its internal id, newest first. */
export function searchFeatureItems(
  scope: Scope,
  releaseId: string,
  { q, codeStatus, ignored, author }: SearchItemsQuery,
  { limit, after }: PageRequest
): Promise<FeatureItemRow[]> {
  const conditions: string[] = []
  const bindings: Record<string, Bindings[string]> = { releaseId, limit }
  const add = (condition: string, values: Bindings) => {
    conditions.push(`and ${condition}`)
    Object.assign(bindings, values)
  }
  if (q) add(`i.search_text like :q escape '!'`, { q: `%${literal(q)}%` })
  if (author) add(`i.authors like :author escape '!'`, { author: `%\n${literal(author)}\n%` })
  if (codeStatus) add('i.code_status = :codeStatus', { codeStatus })
  if (ignored !== undefined) add('i.ignored = :ignored', { ignored })
  if (after) {
    const [lastCreatedAt, lastId] = after
    add('(i.created_at, i.id) < (:lastCreatedAt, :lastId)', { lastCreatedAt, lastId })
  }
  const order = 'order by i.created_at desc, i.id desc limit :limit'
  return scope.rows(itemsWith([...conditions, order].join(' ')), bindings)
}

/** Escapes a text for `like`. */
const literal = (text: string) => text.toLowerCase().replace(/[!%_]/g, '!$&')

/** Returns some work items of a release. */
export function featureItemsById(
  scope: Scope,
  releaseId: string,
  ids: readonly string[]
): Promise<FeatureItemRow[]> {
  return scope.rows(BY_ID, { releaseId, ids: JSON.stringify(ids) })
}

/** Items read before the thread is yielded. */
const PER_TURN = 500

/** Returns all work items of a release, newest first. */
export async function featureItemsOf(scope: Scope, releaseId: string): Promise<FeatureItemRow[]> {
  const items: FeatureItemRow[] = []
  let found: FeatureItemRow[]
  do {
    const last = items.at(-1)
    const request = { limit: PER_TURN, after: last ? featureItemKeys(last) : null }
    found = await searchFeatureItems(scope, releaseId, { limit: PER_TURN }, request)
    for (const each of found) items.push(each)
    await yieldToOthers()
  } while (found.length === PER_TURN)
  return items
}

/** Returns a work item as the API shows it. */
export function featureItemEntity(row: FeatureItemRow): FeatureReadinessItemEntity {
  const { id, ticket, code, codeStatus, codeType, reason, ignored, ignoredBy, ignoredAt } = row
  return {
    id,
    workItem: { id, ticket, code, codeStatus, codeType },
    ready: reason === 'ready',
    reason,
    ignored,
    ignoredBy,
    ignoredAt,
  } as FeatureReadinessItemEntity
}
