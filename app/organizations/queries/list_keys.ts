import { earlier, type Instant } from '#foundation/core/clock'
import type { Actor } from '#foundation/core/principal'
import { refuse } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import type { ApiKeyEntity } from '../entities.js'
import { KEY_PREFIX } from '../key_format.js'
import ApiKey from '../models/api_key.js'
import type { KeyStatus } from '../vocabulary.js'
import { peopleOf } from './people.js'

/** Milliseconds without use after which a key is shown as unused. */
const UNUSED_AFTER_MS = 90 * 24 * 3600 * 1000

const UNLIMITED_ADMIN =
  'It is an admin key with app scopes, which do not limit it: an admin key is for all apps. Replace it.'

/** Returns the keys of the organization, newest first. */
export function listKeys(scope: Scope): Promise<ApiKeyEntity[]> {
  return keysWhere(scope)
}

/** @throws not_found */
export async function getKey(scope: Scope, id: string): Promise<ApiKeyEntity> {
  const [key] = await keysWhere(scope, id)
  if (!key) throw refuse('not_found')
  return key
}

/** Finds a key to change it. @throws not_found */
export async function findKey(scope: Scope, id: string): Promise<ApiKey> {
  const key = await scope.query(ApiKey).where('id', id).first()
  if (!key) throw refuse('not_found')
  return key
}

/** Queries all keys except expired ones of CI runs, which are too many. The audit lists them. */
function listableKeys(scope: Scope) {
  return scope.query(ApiKey).where((key) => {
    void key.whereNull('trustRuleId').orWhere('expiresAt', '>', scope.now)
  })
}

async function keysWhere(scope: Scope, id?: string): Promise<ApiKeyEntity[]> {
  const only = <Query extends { where(column: string, value: string): unknown }>(
    query: Query,
    column: string
  ): Query => {
    if (id !== undefined) query.where(column, id)
    return query
  }
  const keys = await only(listableKeys(scope), 'id').orderBy([
    { column: 'createdAt', order: 'desc' },
    { column: 'id', order: 'asc' },
  ])
  const groups: { api_key_id: string; id: string; name: string }[] = await only(
    scope.table('api_key_groups'),
    'api_key_groups.api_key_id'
  )
    .join('groups', 'groups.id', 'api_key_groups.group_id')
    .orderBy('groups.name')
    .select('api_key_groups.api_key_id', 'groups.id', 'groups.name')
  const apps: { api_key_id: string; app_id: string }[] = await only(
    scope.table('api_key_apps'),
    'api_key_id'
  )
    .orderBy('app_id')
    .select('api_key_id', 'app_id')
  const creations: { subject: string; actor: string }[] = await scope
    .table('audit_entries')
    .where('action', 'key.created')
    .whereIn(
      'subject',
      keys.map((key) => key.id)
    )
    .select('subject', 'actor')
  const [groupsOf, appsOf] = [
    Map.groupBy(groups, (row) => row.api_key_id),
    Map.groupBy(apps, (row) => row.api_key_id),
  ]
  const people = await peopleOf(
    scope,
    keys.flatMap(({ userId }) => userId ?? [])
  )
  const creators = new Map(creations.map((row) => [row.subject, JSON.parse(row.actor) as Actor]))
  return keys.map((key) => ({
    id: key.id,
    prefix: `${KEY_PREFIX}${key.id}`,
    name: key.name,
    status: statusOf(key, scope.now),
    admin: key.admin,
    groups: (groupsOf.get(key.id) ?? []).map((group) => ({ id: group.id, name: group.name })),
    appRestricted: key.appRestricted,
    appIds: (appsOf.get(key.id) ?? []).map((row) => row.app_id),
    createdAt: key.createdAt,
    madeBy: creators.get(key.id) ?? null,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
    lastUsedAt: key.lastUsedAt,
    unusedSince: unusedSince(key, scope.now),
    rotatedFrom: key.rotatedFrom,
    person: people.get(key.userId ?? '') ?? null,
    ofRun: key.trustRuleId !== null,
    warning: key.admin && key.appRestricted ? UNLIMITED_ADMIN : null,
  }))
}

function statusOf(key: ApiKey, now: Instant): KeyStatus {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}

function unusedSince(key: ApiKey, now: Instant): Instant | null {
  const since = key.lastUsedAt ?? key.createdAt
  return statusOf(key, now) === 'active' && since <= earlier(now, UNUSED_AFTER_MS) ? since : null
}
