import type { SecretBox } from '#foundation/core/secret_box'
import { later, type Clock } from '#foundation/core/clock'
import { as, change, of, select, type Change } from '#foundation/core/database/statement'
import { optional, text } from '#foundation/core/database/table'
import type { UnitOfWork } from '#foundation/core/database/unit_of_work'
import { newId } from '#foundation/core/ids'
import type { Principal } from '#foundation/core/principal'
import { ProviderError } from '#plugin-kit/provider_error'
import { tokensOwner } from '../connections/tokens_owner.js'
import { connectionTokens } from '../tables.js'
import type { Pause } from '#provider-port/clock'
import type { TokenPairs } from '#plugin-kit/authentication/authenticators'
import { RefreshRefused, type TokenPair } from '#plugin-kit/authentication/strategies'

/**
 * Duration of the lease: longer than a token endpoint takes with retries, and it frees the lease of
 * a process that died.
 */
const LEASE_MS = 90_000

/** Interval at which a waiting caller polls for another process's renewal, in milliseconds. */
const LOOK_MS = 250

/** Attempts to store a pair: an unstored pair is lost with the process. */
const STORE_TRIES = 5

interface StoredPairsDependencies {
  unitOfWork: UnitOfWork
  secrets: SecretBox
  clock: Clock
  pause: Pause
  principal: Principal
  connectionId: string
  /** Version of the credentials. */
  version: number
  refreshToken: string
  /** Called when the provider no longer accepts the refresh token. */
  refused: () => Promise<void>
}

const STORED = select(
  of(connectionTokens, 't', ['version', 'ciphertext']),
  `from connection_tokens t
   where t.organization_id = :org and t.connection_id = :connectionId`
)

/** Takes the lease unless another process holds it; deletes tokens of earlier credentials. */
const LEASE = change(
  `insert into connection_tokens
     (organization_id, connection_id, version, ciphertext, lease_id, leased_until, updated_at)
   values (:org, :connectionId, :version, null, :leaseId, :until, :now)
   on conflict (connection_id) do update set
     ciphertext = case when connection_tokens.version = excluded.version
       then connection_tokens.ciphertext else null end,
     version = excluded.version, lease_id = excluded.lease_id, leased_until = excluded.leased_until
   where connection_tokens.organization_id = :org
     and connection_tokens.version <= excluded.version
     and (connection_tokens.version < excluded.version or connection_tokens.lease_id is null
       or connection_tokens.leased_until <= :now)`,
  { ciphertext: as(optional(text()), 'connection_tokens.ciphertext') }
)

/**
 * Replaces a renewed pair by its successor, and ends the lease unless another process holds it by
 * now.
 */
const STORE = change(
  `update connection_tokens
   set ciphertext = :ciphertext, updated_at = :now,
     lease_id = case when lease_id = :leaseId then null else lease_id end,
     leased_until = case when lease_id = :leaseId then null else leased_until end
   where organization_id = :org and connection_id = :connectionId and version = :version
     and coalesce(ciphertext, '') = :before`
)

const RELEASE = change(
  `update connection_tokens set lease_id = null, leased_until = null
   where organization_id = :org and connection_id = :connectionId and lease_id = :leaseId`
)

/**
 * The pair of a connection, encrypted beside its credentials. One process at a time renews it,
 * because most providers accept a refresh token only once; the others wait, and read what it
 * stored. A renewal is a call, so it runs outside of any transaction, under a lease.
 */
export class StoredPairs implements TokenPairs {
  constructor(private readonly dependencies: StoredPairsDependencies) {}

  /** @throws ProviderError; `timeout` when another process renews for too long */
  async get(isGood: (pair: TokenPair) => boolean, renew: (token: string) => Promise<TokenPair>) {
    const known = await this.#read()
    if (known && isGood(known)) return known
    const leaseId = newId('lease')
    const leased = await this.#lease(leaseId, isGood)
    if ('pair' in leased) return leased.pair
    const { before, ciphertext } = leased
    const usedToken = before?.refreshToken ?? this.dependencies.refreshToken
    let isStored = false
    try {
      const pair = await renew(usedToken)
      isStored = await this.#store(leaseId, pair, ciphertext ?? '')
      // Another process took the lease after it expired; its pair is the one in use.
      return isStored ? pair : await this.#pairStoredElsewhere(usedToken)
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error
      const now = await this.#read()
      // Another process has used this token, and stored its successor.
      if (now && now.refreshToken !== usedToken) return now
      await this.dependencies.refused()
      throw error
    } finally {
      if (!isStored) await this.#write(RELEASE, { leaseId }).catch(() => {})
    }
  }

  /**
   * Returns the pair that another process stored.
   * @throws ProviderError when the credentials were replaced
   */
  async #pairStoredElsewhere(usedToken: string): Promise<TokenPair> {
    const pair = await this.#read()
    if (pair && pair.refreshToken !== usedToken) return pair
    throw new ProviderError('unavailable', 'The credentials have been replaced in the meantime', {
      outcome: 'notApplied',
    })
  }

  async #lease(
    leaseId: string,
    isGood: (pair: TokenPair) => boolean
  ): Promise<{ pair: TokenPair } | { before: TokenPair | null; ciphertext: string | null }> {
    const { clock, pause, version } = this.dependencies
    const neverAborted = new AbortController().signal
    for (let waited = 0; waited <= LEASE_MS; waited += LOOK_MS) {
      const until = later(clock.now(), LEASE_MS)
      const [lease] = (await this.#write(LEASE, { leaseId, until, version })).rows
      const before = lease ? this.#opened(lease.ciphertext) : await this.#read()
      if (before && isGood(before)) {
        if (lease) await this.#write(RELEASE, { leaseId })
        return { pair: before }
      }
      if (lease) return { before, ciphertext: lease.ciphertext }
      await pause(LOOK_MS, neverAborted)
    }
    throw new ProviderError('timeout', 'The token is being renewed elsewhere', {
      outcome: 'notApplied',
    })
  }

  /**
   * Stores a pair before its first use, because a pair that only this process knows is lost with
   * it.
   * @param before the ciphertext of the pair that was renewed; '' for none
   * @returns false if another pair or other credentials are stored by now
   */
  async #store(leaseId: string, pair: TokenPair, before: string): Promise<boolean> {
    const { secrets, principal, connectionId, version, pause } = this.dependencies
    const owner = tokensOwner(principal.organization.id, connectionId, version)
    const ciphertext = secrets.seal(owner, pair)
    for (let tries = 1; ; tries++) {
      try {
        const { count } = await this.#write(STORE, { leaseId, ciphertext, before, version })
        return count > 0
      } catch (error) {
        if (tries === STORE_TRIES) throw error
        await pause(LOOK_MS * 2 ** tries, new AbortController().signal)
      }
    }
  }

  async #read(): Promise<TokenPair | null> {
    const { unitOfWork, principal, connectionId, version } = this.dependencies
    const [row] = await unitOfWork.readScope(principal).rows(STORED, { connectionId })
    return row?.version === version ? this.#opened(row.ciphertext) : null
  }

  #opened(ciphertext: string | null): TokenPair | null {
    if (ciphertext === null) return null
    const { secrets, principal, connectionId, version } = this.dependencies
    return secrets.open(tokensOwner(principal.organization.id, connectionId, version), ciphertext)
  }

  #write<Row>(statement: Change<Row>, bindings: Record<string, string | number | null>) {
    const { unitOfWork, principal, connectionId, clock } = this.dependencies
    return unitOfWork.inTransaction(principal, (scope) =>
      scope.change(statement, { connectionId, now: clock.now(), ...bindings })
    )
  }
}
