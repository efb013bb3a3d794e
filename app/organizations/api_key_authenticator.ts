import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import type { Authenticator } from '#foundation/api/authenticator'
import { isPostgres } from '#foundation/core/database/connections'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import { unrestricted, type Principal } from '#foundation/core/principal'
import type { SelectRunner } from '#foundation/core/database/runner'
import { as, of, select } from '#foundation/core/database/statement'
import { flag, text } from '#foundation/core/database/table'
import { parseKey, verifySecret } from './key_format.js'
import { apiKeyApps, apiKeys, groups } from './tables.js'

const KEY = select(
  {
    ...of(apiKeys, 'k'),
    organizationName: as(text(), 'o.name'),
    requireIfMatch: as(flag(), 'o.require_if_match'),
  },
  'from api_keys k join organizations o on o.id = k.organization_id where k.id = :id'
)
const GROUPS = select(
  of(groups, 'g', ['id', 'userActions']),
  'from api_key_groups s join groups g on g.id = s.group_id where s.api_key_id = :keyId'
)
const APPS = select(
  of(apiKeyApps, 'a', ['appId']),
  'from api_key_apps a where a.api_key_id = :keyId'
)

const LAST_USED_EVERY_MS = 60_000

/**
 * Checks API keys against the database at every request, so that a revocation is in
 * force at once in every process. Form and checksum are checked before any query.
 */
export class ApiKeyAuthenticator implements Authenticator {
  /** Keys whose last use is being stored. */
  readonly #marking = new Set<string>()

  constructor(
    private readonly database: Database,
    private readonly selects: SelectRunner,
    private readonly clock: Clock
  ) {}

  async authenticate(
    key: string
  ): Promise<Principal | 'key_invalid' | 'key_revoked' | 'key_expired'> {
    const parts = parseKey(key)
    if (!parts) return 'key_invalid'
    const [row] = await this.selects.rows(KEY, { id: parts.id })
    if (!row || !verifySecret(parts.secret, row.secretHash)) return 'key_invalid'
    const now = this.clock.now()
    // Whatever this machine's clock says: what is revoked is revoked.
    if (row.revokedAt !== null) return 'key_revoked'
    if (row.expiresAt !== null && row.expiresAt <= now) return 'key_expired'

    if (!isRecent(row.lastUsedAt, now)) {
      const marked = this.#markUsed(row.id, now)
      // SQLite has one writer: whoever only reads does not wait for it.
      if (isPostgres(this.database)) await marked
    }
    return {
      organization: {
        id: row.organizationId,
        name: row.organizationName,
        requireIfMatch: row.requireIfMatch,
      },
      actor: { type: 'apiKey', id: row.id, name: row.name },
      permissions: row.admin ? unrestricted : await this.#permissions(row.id, row.appRestricted),
    }
  }

  /** A database that cannot store this can still be read. */
  async #markUsed(keyId: string, now: Instant) {
    if (this.#marking.has(keyId)) return
    this.#marking.add(keyId)
    try {
      await from(this.database, 'api_keys').where('id', keyId).update({ last_used_at: now })
    } catch (error) {
      logger.warn({ err: error, keyId }, 'the last use of a key could not be stored')
    } finally {
      this.#marking.delete(keyId)
    }
  }

  async #permissions(keyId: string, isAppRestricted: boolean) {
    const held = await this.selects.rows(GROUPS, { keyId })
    const apps = isAppRestricted ? await this.selects.rows(APPS, { keyId }) : null
    return {
      admin: false,
      actions: new Set<string>(held.flatMap((group) => group.userActions)),
      groupIds: held.map((group) => group.id),
      appIds: apps && new Set(apps.map((app) => app.appId)),
    }
  }
}

/** One that lies ahead is from before somebody set the clock back. */
function isRecent(usedAt: Instant | null, now: Instant): boolean {
  if (usedAt === null) return false
  return usedAt > later(now, -LAST_USED_EVERY_MS) && usedAt < later(now, LAST_USED_EVERY_MS)
}
