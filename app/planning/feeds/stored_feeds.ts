import { as, of, select } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { calendarFeeds } from '../tables.js'
import type { CalendarFeedEntity } from './feed_entities.js'

const ROW = {
  ...of(calendarFeeds, 'f', ['id', 'appId', 'userId', 'createdBy', 'createdAt']),
  email: as(optional(text()), 'u.email'),
  name: as(optional(text()), 'u.name'),
}
const FROM = `from calendar_feeds f left join users u on u.id = f.user_id
  where f.organization_id = :org`
const ALL = select(ROW, `${FROM} order by f.created_at, f.id`)
const ONE = select(ROW, `${FROM} and f.id = :id`)

/** Returns the calendars that the requester may see, oldest first. */
export async function calendarFeedEntities(scope: Scope): Promise<CalendarFeedEntity[]> {
  const rows = await scope.rows(ALL)
  return rows.filter(({ appId }) => seesAll(scope, appId)).map(entityOf)
}

/** @throws not_found */
export async function calendarFeedEntity(scope: Scope, id: string): Promise<CalendarFeedEntity> {
  const [row] = await scope.rows(ONE, { id })
  if (!row || !seesAll(scope, row.appId)) throw refuse('not_found')
  return entityOf(row)
}

/** Returns whether the requester sees everything a calendar shows: one app, or all apps. */
export function seesAll(scope: Scope, appId: string | null): boolean {
  const { admin, appIds } = scope.permissions
  return appId === null ? admin || appIds === null : scope.sees(appId)
}

function entityOf(row: {
  id: string
  appId: string | null
  userId: string | null
  email: string | null
  name: string | null
  createdBy: string
  createdAt: string
}): CalendarFeedEntity {
  const { id, appId, userId, email, name, createdBy, createdAt } = row
  const pilot = userId === null ? null : { id: userId, email: email!, name }
  return { id, appId, pilot, createdBy, createdAt }
}
