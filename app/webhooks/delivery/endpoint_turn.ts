import { later, type Instant } from '#foundation/core/clock'
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

/** Most attempts at one endpoint at the same time. */
const ENDPOINT_CONCURRENCY = 4

/** The time by which a claim outlives the attempt's own timeout, in milliseconds. */
export const LEASE_MARGIN = 30_000

/** Deliveries looked at with one statement for each that is wanted, and how often in one turn. */
const LOOK = 4
const LOOKS = 16

/** A delivery that this process alone may attempt until its lease is over. */
export interface Claimed {
  claimId: string
  life: Life
  kind: AttemptKind
  delivery: DeliveryRow
  endpoint: EndpointRow
}

/** Free workers: retries and probes have a share of their own. */
export interface Room {
  first: number
  retry: number
}

export function shareOf(kind: AttemptKind): keyof Room {
  return kind === 'retry' || kind === 'probe' ? 'retry' : 'first'
}

/** The state of an endpoint: running attempts, and when the next is due. Null for none. */
interface TurnState {
  running: number
  lease_end: Instant | null
  manual_at: Instant | null
  retry_at: Instant | null
  next_retry_at: Instant | null
  wait_end: Instant | null
  /** One that could be probed with. */
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

const STANDING = `select
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
/** A delivery that never failed is due at once. */
const FIRSTS = `select d.id, ${BLOCKER} as blocker ${FIRST} and ${FREE}
  order by d.sequence`
/** The oldest event stands for all that is held while the endpoint is degraded. */
const PROBE = `select oldest.id, null as blocker
  from (${oldestPending(':endpoint', FREE)}) as oldest order by oldest.sequence`

/** Decides under its lock what one endpoint may start now. */
export class EndpointTurn {
  readonly claimed: Claimed[] = []
  /** Shares in which something waits only for a free worker. */
  readonly lacks = new Set<keyof Room>()
  /** True if more may be found right away. */
  hasMore = false
  /**
   * The next time something of the endpoint is due, workers or not; null if only an event decides.
   */
  dueAt: Instant | null = null
  #slots = 0
  /** Ends of the waits that began in this turn. */
  readonly #waitEnds: Instant[] = []

  constructor(
    private readonly statements: Statements,
    private readonly endpoint: EndpointRow,
    private readonly now: Instant,
    private readonly life: Life
  ) {}

  /** Claims what there is room for; answers when to look again. */
  async claim(room: Room): Promise<Instant | null> {
    const standing = await this.#standing()
    const left = { ...room }
    const throttle = await this.#throttle()
    this.#slots = Math.min(ENDPOINT_CONCURRENCY - standing.running, throttle.slots)
    if (standing.manual_at !== null && standing.manual_at <= this.now) {
      await this.#take('manual', MANUAL, left)
    }
    const { status, probe_at: probeAt } = this.endpoint
    if (status === 'active') {
      if (standing.retry_at !== null) await this.#take('retry', RETRIES, left)
      await this.#take('first', FIRSTS, left)
    }
    const isIdle = standing.running + this.claimed.length === 0
    if (status === 'degraded' && isIdle && (probeAt === null || probeAt <= this.now)) {
      await this.#take('probe', PROBE, left, 1)
    }
    this.dueAt = this.#dueAt(standing)
    if (this.#slots <= 0) return this.#freeAt(standing, throttle.until)
    if (status === 'active' && isIdle && this.lacks.size === 0 && this.dueAt === null) {
      this.hasMore ||= await endLostWaits(this.statements, this.endpoint.id)
    }
    return this.hasMore || this.lacks.size > 0 ? this.now : this.dueAt
  }

  async #standing(): Promise<TurnState> {
    const { id } = this.endpoint
    const read = async () =>
      (await this.statements.first<TurnState>(STANDING, {
        endpoint: id,
        now: this.now,
      }))!
    const standing = await read()
    if (standing.wait_end === null || standing.wait_end > this.now) return standing
    await endWaits(this.statements, id, this.now)
    return read()
  }

  async #throttle(): Promise<{ slots: number; until: Instant | null }> {
    const { id, max_per_second: most } = this.endpoint
    if (most === null) return { slots: ENDPOINT_CONCURRENCY, until: null }
    // A claim further ahead is from before somebody set the clock back.
    const [second, ahead] = [later(this.now, -SECOND), later(this.now, SECOND)]
    const bindings = { endpoint: id, second, ahead }
    const recent = await this.statements.first<{ count: number; oldest: Instant | null }>(
      RECENT,
      bindings
    )
    const until = later(recent?.oldest ?? this.now, SECOND)
    return { slots: most - Number(recent?.count ?? 0), until }
  }

  /** Returns when a slot becomes free if none is. */
  #freeAt({ running, lease_end: leaseEnd }: TurnState, unthrottledAt: Instant | null): Instant {
    const freeAt = running >= ENDPOINT_CONCURRENCY ? leaseEnd : unthrottledAt
    return freeAt ?? this.#leaseEnd()
  }

  #dueAt(standing: TurnState): Instant | null {
    const { status, probe_at: probeAt } = this.endpoint
    const leaseEnd = standing.lease_end ?? (this.claimed.length > 0 ? this.#leaseEnd() : null)
    if (status === 'disabled') return leaseEnd
    // Waiting deliveries are held behind the probe.
    if (status === 'degraded') return leaseEnd ?? (standing.pending === null ? null : probeAt)
    const times = [leaseEnd, standing.next_retry_at, standing.wait_end, ...this.#waitEnds]
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

  /** Looks until it has found enough; what has to wait is not found again. */
  async #unblocked(candidates: string, wanted: number): Promise<string[]> {
    const { statements, now } = this
    const bindings = { endpoint: this.endpoint.id, now, patience: patienceAt(now) }
    let free: string[] = []
    const most = LOOK * wanted
    for (let look = 0; look < LOOKS; look++) {
      const rows = await statements.all<Candidate>(`${candidates} limit ${most}`, bindings)
      free = rows.flatMap(({ id, blocker }) => (blocker === null ? [id] : []))
      if (free.length >= wanted) return free.slice(0, wanted)
      for (const { id, blocker } of rows) {
        if (blocker === null) continue
        const until = waitFor(blocker)
        await statements.update('webhook_deliveries', id, { waits_until: until })
        if (until < FOR_GOOD) this.#waitEnds.push(until)
      }
      if (rows.length < most) return free
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

/** A delivery with the bytes it sends. */
const CLAIMED_COLUMNS = DELIVERY_COLUMNS.map((column) =>
  column === 'payload'
    ? `coalesce(payload, (select e.payload from events e where e.id = webhook_deliveries.event_id)) as payload`
    : column
).join(', ')
