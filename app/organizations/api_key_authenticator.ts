import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import type { Authenticator } from '#foundation/api/authenticator'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import type { Standing } from '#foundation/core/database/unit_of_work'
import { select, type Reader } from '#foundation/core/database/reader'
import { parseKey, verifySecret } from './key_format.js'

const KEY = select(
  [
    'k.id',
    'k.name',
    'k.secret_hash',
    'k.admin',
    'k.app_restricted',
    'k.expires_at',
    'k.revoked_at',
    'k.last_used_at',
    'k.organization_id',
    'o.name as organization_name',
    'o.require_if_match',
  ],
  'from api_keys k join organizations o on o.id = k.organization_id where k.id = :id'
)
const GROUPS = select(
  ['g.id', 'g.user_actions'],
  'from api_key_groups s join groups g on g.id = s.group_id where s.api_key_id = :keyId'
)
const APPS = select(['app_id'], 'from api_key_apps where api_key_id = :keyId')

const LAST_USED_EVERY_MS = 60_000

interface KeyRow {
  id: string
  name: string
  secret_hash: string
  admin: boolean | number
  app_restricted: boolean | number
  expires_at: string | null
  revoked_at: string | null
  last_used_at: string | null
  organization_id: string
  organization_name: string
  require_if_match: boolean | number
}

/**
 * Checks API keys against the database at every request, so that a revocation is in
 * force at once in every process. Form and checksum are checked before any query.
 */
export class ApiKeyAuthenticator implements Authenticator {
  constructor(
    private readonly database: Database,
    private readonly reader: Reader,
    private readonly clock: Clock
  ) {}

  async authenticate(
    key: string
  ): Promise<Standing | 'key_invalid' | 'key_revoked' | 'key_expired'> {
    const parts = parseKey(key)
    if (!parts) return 'key_invalid'
    const [row] = await this.reader.all<KeyRow>(KEY, { id: parts.id })
    if (!row || !verifySecret(parts.secret, row.secret_hash)) return 'key_invalid'
    const now = this.clock.now()
    // Whatever this machine's clock says: what is revoked is revoked.
    if (row.revoked_at !== null) return 'key_revoked'
    if (row.expires_at !== null && row.expires_at <= now) return 'key_expired'

    if (row.last_used_at === null || row.last_used_at <= later(now, -LAST_USED_EVERY_MS)) {
      await this.#markUsed(row.id, now)
    }
    return {
      organization: {
        id: row.organization_id,
        name: row.organization_name,
        requireIfMatch: Boolean(row.require_if_match),
      },
      actor: { type: 'apiKey', id: row.id, name: row.name },
      permissions: row.admin
        ? { admin: true, actions: new Set(), groupIds: [], appIds: null }
        : await this.#permissions(row.id, Boolean(row.app_restricted)),
    }
  }

  /** A database that cannot store this can still be read. */
  async #markUsed(keyId: string, now: Instant) {
    try {
      await this.database.from('api_keys').where('id', keyId).update({ last_used_at: now })
    } catch (error) {
      logger.warn({ err: error, keyId }, 'the last use of a key could not be stored')
    }
  }

  async #permissions(keyId: string, isAppRestricted: boolean) {
    const groups = await this.reader.all<{ id: string; user_actions: string }>(GROUPS, { keyId })
    const apps = isAppRestricted ? await this.reader.all<{ app_id: string }>(APPS, { keyId }) : null
    return {
      admin: false,
      actions: new Set(groups.flatMap((group) => JSON.parse(group.user_actions) as string[])),
      groupIds: groups.map((group) => group.id),
      appIds: apps && new Set(apps.map((app) => app.app_id)),
    }
  }
}
