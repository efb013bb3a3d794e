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

/** Longer than a token endpoint may take with its retries; a process that died holds nobody up. */
const LEASE_MS = 90_000

/** Interval in which a waiting caller looks for another's renewal, in milliseconds. */
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
  /** The provider takes the refresh token no more. */
  refused: () => Promise<void>
}

const STORED = select(
  of(connectionTokens, 't', ['version', 'ciphertext']),
  `from connection_tokens t
   where t.organization_id = :org and t.connection_id = :connectionId`
)

/** Takes the lease unless somebody has it; tokens of earlier credentials are forgotten. */
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
 * Stores a pair in the place of the one it was got with; the lease ends, unless it is another's
 * by now.
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
 * because most providers take a refresh token once; the others wait, and read what it stored. A
 * renewal is a call, so it is outside of any transaction, under a lease.
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
    const given = before?.refreshToken ?? this.dependencies.refreshToken
    let isStored = false
    try {
      const pair = await renew(given)
      isStored = await this.#store(leaseId, pair, ciphertext ?? '')
      // Another process took the lease after it expired; its pair is the one in use.
      return isStored ? pair : await this.#another(given)
    } catch (error) {
      if (!(error instanceof RefreshRefused)) throw error
      const now = await this.#read()
      // It was good once, and somebody else has used it.
      if (now && now.refreshToken !== given) return now
      await this.dependencies.refused()
      throw error
    } finally {
      if (!isStored) await this.#write(RELEASE, { leaseId }).catch(() => {})
    }
  }

  /** The pair that was stored meanwhile. @throws ProviderError when the credentials are others */
  async #another(given: string): Promise<TokenPair> {
    const pair = await this.#read()
    if (pair && pair.refreshToken !== given) return pair
    throw new ProviderError('unavailable', 'The credentials were replaced meanwhile', {
      outcome: 'notApplied',
    })
  }

  async #lease(
    leaseId: string,
    isGood: (pair: TokenPair) => boolean
  ): Promise<{ pair: TokenPair } | { before: TokenPair | null; ciphertext: string | null }> {
    const { clock, pause, version } = this.dependencies
    const patience = new AbortController().signal
    for (let waited = 0; waited <= LEASE_MS; waited += LOOK_MS) {
      const until = later(clock.now(), LEASE_MS)
      const [mine] = (await this.#write(LEASE, { leaseId, until, version })).rows
      const before = mine ? this.#opened(mine.ciphertext) : await this.#read()
      if (before && isGood(before)) {
        if (mine) await this.#write(RELEASE, { leaseId })
        return { pair: before }
      }
      if (mine) return { before, ciphertext: mine.ciphertext }
      await pause(LOOK_MS, patience)
    }
    throw new ProviderError('timeout', 'The token is being renewed elsewhere', {
      outcome: 'notApplied',
    })
  }

  /**
   * Stored before it is used: a pair that only this process knew would be lost with it.
   * @param before the ciphertext of the pair it was got with; '' for none
   * @returns whether it was: not where another pair or other credentials are there by now
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
