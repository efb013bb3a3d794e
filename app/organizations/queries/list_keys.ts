import type { Instant } from '#foundation/core/clock'
import type { Scope } from '#foundation/core/scope'
import ApiKey from '../models/api_key.js'

/** A key as admins see it, without the key itself. */
export interface ListedKey {
  id: string
  name: string
  admin: boolean
  status: 'active' | 'revoked' | 'expired'
  groups: { id: string; name: string }[]
  /** True when the key sees only the apps of `appIds`. */
  appRestricted: boolean
  appIds: string[]
  createdAt: Instant
  expiresAt: Instant | null
  revokedAt: Instant | null
  lastUsedAt: Instant | null
  rotatedFrom: string | null
  /** A setting of the key that has no effect, in words. Null when all settings apply. */
  warning: string | null
}

const UNLIMITED_ADMIN =
  'It is an admin key with app scopes, which do not limit it: an admin key is for all apps. Replace it.'

/** Returns the keys of the organization, newest first. */
export async function listKeys(scope: Scope): Promise<ListedKey[]> {
  const keys = await scope.query(ApiKey).orderBy([
    { column: 'createdAt', order: 'desc' },
    { column: 'id', order: 'asc' },
  ])
  const groups: { api_key_id: string; id: string; name: string }[] = await scope
    .table('api_key_groups')
    .join('groups', 'groups.id', 'api_key_groups.group_id')
    .orderBy('groups.name')
    .select('api_key_groups.api_key_id', 'groups.id', 'groups.name')
  const apps: { api_key_id: string; app_id: string }[] = await scope
    .table('api_key_apps')
    .orderBy('app_id')
    .select('api_key_id', 'app_id')
  return keys.map((key) => ({
    id: key.id,
    name: key.name,
    admin: key.admin,
    status: statusOf(key, scope.now),
    groups: groups.flatMap(({ api_key_id: of, id, name }) => (of === key.id ? [{ id, name }] : [])),
    appRestricted: key.appRestricted,
    appIds: apps.flatMap((row) => (row.api_key_id === key.id ? [row.app_id] : [])),
    createdAt: key.createdAt,
    expiresAt: key.expiresAt,
    revokedAt: key.revokedAt,
    lastUsedAt: key.lastUsedAt,
    rotatedFrom: key.rotatedFrom,
    warning: key.admin && key.appRestricted ? UNLIMITED_ADMIN : null,
  }))
}

function statusOf(key: ApiKey, now: Instant): ListedKey['status'] {
  if (key.revokedAt !== null) return 'revoked'
  return key.expiresAt !== null && key.expiresAt <= now ? 'expired' : 'active'
}
