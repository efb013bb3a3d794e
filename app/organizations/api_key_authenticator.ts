import { MINUTE } from '#foundation/core/durations'
import logger from '@adonisjs/core/services/logger'
import type { Database } from '@adonisjs/lucid/database'
import { from } from '#foundation/core/database/from'
import type { Authenticator } from '#foundation/api/authenticator'
import { isPostgres } from '#foundation/core/database/connections'
import { earlier, later, type Clock, type Instant } from '#foundation/core/clock'
import { changesOf } from '#foundation/core/events/change_numbers'
import { unrestricted, type Permissions, type Principal } from '#foundation/core/principal'
import type { SelectRunner } from '#foundation/core/database/runner'
import { as, of, select, type RowOfSelect } from '#foundation/core/database/statement'
import { flag, instant, optional, text } from '#foundation/core/database/table'
import { parseKey, verifySecret } from './key_format.js'
import { GROUPS_OF_PERSON, personPermissions } from './person_permissions.js'
import { personName } from './queries/people.js'
import { apiKeyApps, apiKeys, groups } from './tables.js'

const keyStatement = (isShared: boolean) =>
  select(
    {
      ...of(apiKeys, 'k'),
      organizationName: as(text(), 'o.name'),
      requireIfMatch: as(flag(), 'o.require_if_match'),
      isByRole: as(flag(), 'o.role_based_access_enabled'),
      personEmail: as(optional(text()), 'u.email'),
      personName: as(optional(text()), 'u.name'),
      personEnd: as(optional(instant()), 'u.deactivated_at'),
      personAdmin: as(flag(), 'coalesce(u.admin, false)'),
      changes: changesOf('c', isShared),
    },
    `from api_keys k join organizations o on o.id = k.organization_id
     join event_counters c on c.organization_id = o.id
     left join users u on u.id = k.user_id where k.id = :id`
  )
type KeyRow = RowOfSelect<ReturnType<typeof keyStatement>>

const GROUPS = select(
  of(groups, 'g', ['id', 'userActions']),
  'from api_key_groups s join groups g on g.id = s.group_id where s.api_key_id = :keyId'
)
const APPS = select(
  of(apiKeyApps, 'a', ['appId']),
  'from api_key_apps a where a.api_key_id = :keyId'
)

const LAST_USED_EVERY_MS = MINUTE

/** Maximum number of keys in the cache. */
const MAX_CACHED = 10_000

/** A key as last read, with its principal. */
interface Known {
  principal: Principal
  secretHash: string
  revokedAt: Instant | null
  expiresAt: Instant | null
  lastUsedAt: Instant | null
}

/**
 * Checks API keys. A cached key is read again whenever the change number of its organization
 * differs from when it was read, so a revocation takes effect at once in every process. The form
 * and checksum are checked before any query.
 */
export class ApiKeyAuthenticator implements Authenticator {
  /** Ids of keys whose last use is being stored. */
  readonly #marking = new Set<string>()
  /** Cache of valid keys by id. The most recently used key is at the end. */
  readonly #known = new Map<string, Known>()
  readonly #isShared: boolean
  readonly #statement: ReturnType<typeof keyStatement>

  constructor(
    private readonly database: Database,
    private readonly selects: SelectRunner,
    private readonly clock: Clock
  ) {
    this.#isShared = isPostgres(database)
    this.#statement = keyStatement(this.#isShared)
  }

  async authenticate(
    key: string,
    admit: (organizationId: string) => Promise<string>
  ): Promise<Principal | 'key_invalid' | 'key_revoked' | 'key_expired'> {
    const parts = parseKey(key)
    if (!parts) return 'key_invalid'
    const now = this.clock.now()
    let known = this.#find(parts)
    // A request with an expired key does not count against the quota.
    if (known && isExpired(known, now)) known = undefined
    if (known) {
      const { id, changes } = known.principal.organization
      if ((await admit(id)) !== changes) known = undefined
    }
    known ??= await this.#read(parts, admit)
    if (!known) return 'key_invalid'
    // A revoked key is reported as revoked regardless of this machine's clock.
    if (known.revokedAt !== null) return 'key_revoked'
    if (isExpired(known, now)) return 'key_expired'
    if (!isRecent(known.lastUsedAt, now)) {
      const marked = this.#markUsed(parts.id, known, now)
      // SQLite has a single writer, so a request that only reads does not wait for the write.
      if (this.#isShared) await marked
    }
    return known.principal
  }

  /** Returns the cached key if there is one and the secret matches. */
  #find({ id, secret }: { id: string; secret: string }): Known | undefined {
    const known = this.#known.get(id)
    if (!known || !verifySecret(secret, known.secretHash)) return undefined
    this.#known.delete(id)
    this.#known.set(id, known)
    return known
  }

  async #read(
    { id, secret }: { id: string; secret: string },
    admit: (organizationId: string) => Promise<string>
  ): Promise<Known | undefined> {
    this.#known.delete(id)
    const [row] = await this.selects.rows(this.#statement, { id })
    if (!row || !verifySecret(secret, row.secretHash)) return undefined
    const { organizationId, organizationName, requireIfMatch, changes } = row
    const { secretHash, expiresAt, lastUsedAt } = row
    const revokedAt = row.revokedAt ?? row.personEnd
    const organization = { id: organizationId, name: organizationName, requireIfMatch, changes }
    const known: Known = {
      secretHash,
      revokedAt,
      expiresAt,
      lastUsedAt,
      principal: { organization, ...(await this.#principalOf(row)) },
    }
    if (known.revokedAt !== null || isExpired(known, this.clock.now())) return known
    // Two reads in a row are only consistent when nothing changed in between.
    if (!row.admin && (await admit(organizationId)) !== changes) return known
    this.#known.set(id, known)
    if (this.#known.size > MAX_CACHED) this.#known.delete(this.#known.keys().next().value!)
    return known
  }

  /**
   * Stores the time of last use. A failure is only logged: a database that rejects writes can still
   * be read.
   */
  async #markUsed(keyId: string, known: Known, now: Instant) {
    if (this.#marking.has(keyId)) return
    this.#marking.add(keyId)
    try {
      await from(this.database, 'api_keys').where('id', keyId).update({ last_used_at: now })
      known.lastUsedAt = now
    } catch (error) {
      logger.warn({ err: error, keyId }, 'the last use of a key could not be stored')
    } finally {
      this.#marking.delete(keyId)
    }
  }

  /** A personal key acts as its person, with the person's current rights. */
  async #principalOf(row: KeyRow): Promise<Pick<Principal, 'actor' | 'permissions'>> {
    const { id, name, organizationId: org, userId: user, personEmail: email, isByRole } = row
    if (user === null || email === null) {
      const permissions = row.admin ? unrestricted : await this.#permissions(id, row.appRestricted)
      return { actor: { type: 'apiKey', id, name }, permissions }
    }
    const held = await this.selects.rows(GROUPS_OF_PERSON, { org, user })
    return {
      actor: { type: 'user', id: user, name: personName({ name: row.personName, email }) },
      permissions: personPermissions({ admin: row.personAdmin, isByRole }, held),
    }
  }

  async #permissions(keyId: string, isAppRestricted: boolean): Promise<Permissions> {
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

const isExpired = ({ expiresAt }: Known, now: Instant) => expiresAt !== null && expiresAt <= now

/**
 * Returns whether the key was used recently. A time far in the future means that the clock was set
 * back, so it is not recent.
 */
function isRecent(usedAt: Instant | null, now: Instant): boolean {
  if (usedAt === null) return false
  return usedAt > earlier(now, LAST_USED_EVERY_MS) && usedAt < later(now, LAST_USED_EVERY_MS)
}
