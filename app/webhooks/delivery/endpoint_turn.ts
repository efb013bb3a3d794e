import { earlier, later, type Instant } from '#foundation/core/clock'
import { SECOND } from '#foundation/core/durations'
import { newId } from '#foundation/core/ids'
import type { Life } from '#foundation/core/processes/presence'
import {
  BLOCKER,
  FOR_GOOD,
  endLostWaits,
  endWaits,
  patienceAt,
  waitFor,
} from '#webhooks/delivery/entity_order'
import { failed, fresh, oldestPending, waiting } from '#webhooks/delivery/pending'
import type { Statements } from '#webhooks/delivery/statements'
import { DELIVERY_COLUMNS, type DeliveryRow, type EndpointRow } from '#webhooks/rows'
import type { AttemptKind } from '#webhooks/vocabulary'

/** The maximum number of concurrent attempts at one endpoint. */
const ENDPOINT_CONCURRENCY = 4

/** The time by which a lease exceeds the timeout of its attempt, in milliseconds. */
export const LEASE_MARGIN = 30_000

/** Candidates that one query reads per wanted delivery, and the maximum number of queries per turn. */
const CANDIDATES_PER_WANTED = 4
const MAX_QUERIES = 16

/** A delivery that only this process may attempt until its lease ends. */
export interface Claimed {
  claimId: string
  life: Life
  kind: AttemptKind
  delivery: DeliveryRow
  endpoint: EndpointRow
}

/** The numbers of free workers: retries and probes have a separate share. */
export interface Room {
  first: number
  retry: number
}

export function shareOf(kind: AttemptKind): keyof Room {
  return kind === 'retry' || kind === 'probe' ? 'retry' : 'first'
}

/** The state of an endpoint: its running attempts, and the next due times; null for none. */
interface TurnState {
  running: number
  lease_end: Instant | null
  manual_at: Instant | null
  retry_at: Instant | null
  next_retry_at: Instant | null
  wait_end: Instant | null
  /** A delivery that could serve as a probe. */
  pending: string | null
}

interface Candidate {
  id: string
  blocker: Instant | null
}

const FREE = '(d.lease_until is null or d.lease_until <= :now)'
const OF = `from webhook_deliveries d where d.endpoint_id || '' = :endpoint`
const RETRY = failed(':endpoint')
const FIRST = fresh(':endpoint')

const STATE = `select
  (select count(*) ${OF} and d.lease_until > :now) as running,
  (select min(d.lease_until) ${OF} and d.lease_until > :now) as lease_end,
  (select min(d.manual_at) ${OF} and d.manual_at is not null) as manual_at,
  (select min(d.next_attempt_at) ${RETRY} and d.next_attempt_at <= :now) as retry_at,
  (select min(d.next_attempt_at) ${RETRY} and d.next_attempt_at > :now) as next_retry_at,
  (select min(d.waits_until) ${waiting(':endpoint')} and d.waits_until < '${FOR_GOOD}')
    as wait_end,
  coalesce((select d.id ${FIRST} limit 1), (select d.id ${RETRY} limit 1)) as pending`

const RECENT = `select count(*) as count, min(d.claimed_at) as oldest
  from webhook_deliveries d where d.endpoint_id = :endpoint
    and d.claimed_at > :second and d.claimed_at < :ahead`

const MANUAL = `select d.id, null as blocker ${OF} and d.manual_at <= :now and ${FREE}
  order by d.manual_at`
const RETRIES = `select d.id, ${BLOCKER} as blocker ${RETRY} and d.next_attempt_at <= :now and ${FREE}
  order by d.next_attempt_at`
/** Deliveries that have never failed are due at once. */
const FIRSTS = `select d.id, ${BLOCKER} as blocker ${FIRST} and ${FREE}
  order by d.sequence`
/** While the endpoint is degraded, only its oldest event is attempted, as a probe. */
const PROBE = `select oldest.id, null as blocker
  from (${oldestPending(':endpoint', FREE)}) as oldest order by oldest.sequence`

/** Decides, under the lock of one endpoint, which deliveries may be attempted now. */
export class EndpointTurn {
  readonly claimed: Claimed[] = []
  /** The shares in which deliveries wait only for a free worker. */
  readonly lacks = new Set<keyof Room>()
  /** True if more may be found right away. */
  hasMore = false
  /** The next time at which something is due, even without a worker; null until a further event. */
  dueAt: Instant | null = null
  #slots = 0
  /** The ends of the waits that begin in this turn. */
  readonly #waitEnds: Instant[] = []

  constructor(
    private readonly statements: Statements,
    private readonly endpoint: EndpointRow,
    private readonly now: Instant,
    private readonly life: Life
  ) {}

  /** Claims as much as there is room for; returns the time of the next check. */
  async claim(room: Room): Promise<Instant | null> {
    const state = await this.#state()
    const left = { ...room }
    const throttle = await this.#throttle()
    this.#slots = Math.min(ENDPOINT_CONCURRENCY - state.running, throttle.slots)
    if (state.manual_at !== null && state.manual_at <= this.now) {
      await this.#take('manual', MANUAL, left)
    }
    const { status, probe_at: probeAt } = this.endpoint
    if (status === 'active') {
      if (state.retry_at !== null) await this.#take('retry', RETRIES, left)
      await this.#take('first', FIRSTS, left)
    }
    const isIdle = state.running + this.claimed.length === 0
    if (status === 'degraded' && isIdle && (probeAt === null || probeAt <= this.now)) {
      await this.#take('probe', PROBE, left, 1)
    }
    this.dueAt = this.#dueAt(state)
    if (this.#slots <= 0) return this.#freeAt(state, throttle.until)
    if (status === 'active' && isIdle && this.lacks.size === 0 && this.dueAt === null) {
      this.hasMore ||= await endLostWaits(this.statements, this.endpoint.id)
    }
    return this.hasMore || this.lacks.size > 0 ? this.now : this.dueAt
  }

  async #state(): Promise<TurnState> {
    const { id } = this.endpoint
    const read = async () =>
      (await this.statements.first<TurnState>(STATE, {
        endpoint: id,
        now: this.now,
      }))!
    const state = await read()
    if (state.wait_end === null || state.wait_end > this.now) return state
    await endWaits(this.statements, id, this.now)
    return read()
  }

  async #throttle(): Promise<{ slots: number; until: Instant | null }> {
    const { id, max_per_second: most } = this.endpoint
    if (most === null) return { slots: ENDPOINT_CONCURRENCY, until: null }
    // A claim further in the future dates from before the clock was set back.
    const [second, ahead] = [earlier(this.now, SECOND), later(this.now, SECOND)]
    const bindings = { endpoint: id, second, ahead }
    const recent = await this.statements.first<{ count: number; oldest: Instant | null }>(
      RECENT,
      bindings
    )
    const until = later(recent?.oldest ?? this.now, SECOND)
    return { slots: most - Number(recent?.count ?? 0), until }
  }

  /** Returns when a slot becomes free. */
  #freeAt({ running, lease_end: leaseEnd }: TurnState, unthrottledAt: Instant | null): Instant {
    const freeAt = running >= ENDPOINT_CONCURRENCY ? leaseEnd : unthrottledAt
    return freeAt ?? this.#leaseEnd()
  }

  #dueAt(state: TurnState): Instant | null {
    const { status, probe_at: probeAt } = this.endpoint
    const leaseEnd = state.lease_end ?? (this.claimed.length > 0 ? this.#leaseEnd() : null)
    if (status === 'disabled') return leaseEnd
    // All other deliveries wait for the probe.
    if (status === 'degraded') return leaseEnd ?? (state.pending === null ? null : probeAt)
    const times = [leaseEnd, state.next_retry_at, state.wait_end, ...this.#waitEnds]
    const known = times.filter((each): each is Instant => each !== null)
    return known.length === 0 ? null : known.sort()[0]
  }

  async #take(
    kind: AttemptKind,
    candidates: string,
    left: Room,
    most = ENDPOINT_CONCURRENCY
  ): Promise<void> {
    const wanted = Math.min(this.#slots, most)
    if (wanted <= 0) return
    const share = shareOf(kind)
    const found = await this.#unblocked(candidates, wanted)
    const picked = found.slice(0, Math.max(left[share], 0))
    if (picked.length > 0) await this.#mark(kind, picked)
    if (picked.length < found.length) this.lacks.add(share)
    this.#slots -= picked.length
    left[share] -= picked.length
  }

  /** Finds enough unblocked deliveries; marks blocked ones, so that they are not read again. */
  async #unblocked(candidates: string, wanted: number): Promise<string[]> {
    const { statements, now } = this
    const bindings = { endpoint: this.endpoint.id, now, patience: patienceAt(now) }
    let free: string[] = []
    const limit = CANDIDATES_PER_WANTED * wanted
    for (let look = 0; look < MAX_QUERIES; look++) {
      const rows = await statements.all<Candidate>(`${candidates} limit ${limit}`, bindings)
      free = rows.flatMap(({ id, blocker }) => (blocker === null ? [id] : []))
      if (free.length >= wanted) return free.slice(0, wanted)
      for (const { id, blocker } of rows) {
        if (blocker === null) continue
        const until = waitFor(blocker)
        await statements.update('webhook_deliveries', id, { waits_until: until })
        if (until < FOR_GOOD) this.#waitEnds.push(until)
      }
      if (rows.length < limit) return free
    }
    this.hasMore = true
    return free
  }

  async #mark(kind: AttemptKind, ids: string[]): Promise<void> {
    const claimId = newId('clm')
    const rows = await this.statements.all<DeliveryRow>(
      `update webhook_deliveries
       set claim_id = :claim, claimed_by = :life, claimed_at = :now, lease_until = :lease
       where id in json(:ids) returning ${CLAIMED_COLUMNS}`,
      {
        claim: claimId,
        life: this.life.id,
        now: this.now,
        lease: this.#leaseEnd(),
        ids: JSON.stringify(ids),
      }
    )
    rows.sort((a, b) => ids.indexOf(a.id) - ids.indexOf(b.id))
    for (const delivery of rows) {
      const { endpoint, life } = this
      this.claimed.push({ claimId, life, kind, delivery, endpoint })
    }
  }

  #leaseEnd(): Instant {
    return later(this.now, this.endpoint.timeout_seconds * SECOND + LEASE_MARGIN)
  }
}

/** The columns of a delivery, with the payload to send. */
const CLAIMED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === 'payload'
    ? `coalesce(payload, (select e.payload from events e where e.id = webhook_deliveries.event_id)) as payload`
    : column
).join(', ')
