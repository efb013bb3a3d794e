import type { Database } from '@adonisjs/lucid/database'
import { transact } from '#foundation/core/database/transact'
import type { Clock, Instant } from '#foundation/core/clock'
import { ALONE, type Life } from '#foundation/core/processes/presence'
import { EndpointTurn, shareOf, type Claimed, type Room } from '#webhooks/delivery/endpoint_turn'
import { listed, Statements } from '#webhooks/delivery/statements'
import { ENDPOINT_COLUMNS, type EndpointRow } from '#webhooks/rows'

export { LEASE_MARGIN, shareOf, type Claimed, type Room } from '#webhooks/delivery/endpoint_turn'

/** The maximum number of endpoints that one transaction checks. */
const BATCH = 16

/** Returns the number of endpoints to check: at most one for each free worker. */
const endpointLimit = ({ first, retry }: Room) => Math.min(BATCH, first + retry)

/** The time for which an endpoint that lacks only a worker is skipped, in milliseconds. */
const LACKING_FOR = 5000

/** Organizations that occupy many workers. */
export interface Holders {
  /** No further attempts are started for these. */
  full: readonly string[]
  /** Other organizations go before these. */
  ahead: readonly string[]
}

/** An endpoint that could start attempts if a worker of these shares were free. */
interface Lacking {
  shares: ReadonlySet<keyof Room>
  until: number
}

/** The result of one transaction. */
interface Look {
  claimed: Claimed[]
  hasMore: boolean
}

/**
 * Claims due deliveries, each for one worker until the lease ends. Everything about an endpoint (the
 * order of its deliveries, its concurrency, its throttle, its probe) is decided under the lock of its
 * row, in a short transaction that ends before anything is sent. The endpoint that has waited
 * longest comes first; one that lacks only a worker is skipped until a worker is free.
 */
export class ClaimDeliveries {
  readonly #lacking = new Map<string, Lacking>()

  constructor(
    private readonly database: Database,
    private readonly clock: Clock
  ) {}

  /** @param life of the process that claims */
  async handle(
    room: Room,
    holders: Holders = { full: [], ahead: [] },
    life: Life = ALONE
  ): Promise<Claimed[]> {
    const left = { ...room }
    const claimed: Claimed[] = []
    for (let hasMore = true; hasMore && left.first + left.retry > 0;) {
      const look = await this.#look(left, holders, life)
      for (const each of look.claimed) left[shareOf(each.kind)] -= 1
      claimed.push(...look.claimed)
      hasMore = look.hasMore
    }
    return claimed
  }

  #look(room: Room, holders: Holders, life: Life): Promise<Look> {
    return transact(this.database, async (client, connection) => {
      const statements = Statements.byIndex(client, connection)
      const now = this.clock.now()
      const left = { ...room }
      const found: Look = { claimed: [], hasMore: false }
      const due = await this.#due(statements, room, holders, now)
      found.hasMore = due.length === endpointLimit(room)
      for (const endpoint of due) {
        if (this.#lacksOnly(endpoint.id, left)) continue
        const turn = new EndpointTurn(statements, endpoint, now, life)
        const wakeAt = await turn.claim(left)
        await statements.update('webhook_endpoints', endpoint.id, { wake_at: wakeAt })
        for (const each of turn.claimed) left[shareOf(each.kind)] -= 1
        found.claimed.push(...turn.claimed)
        found.hasMore ||= turn.hasMore
        this.#remember(endpoint.id, turn, now)
      }
      return found
    })
  }

  /** Returns endpoints that may have work, those of organizations with many workers last. */
  async #due(statements: Statements, room: Room, { full, ahead }: Holders, now: Instant) {
    const lacking = this.#lackingIn(room)
    const limit = endpointLimit(room)
    const search = (bound: string) =>
      statements.all<EndpointRow>(
        `select ${listed(ENDPOINT_COLUMNS)} from webhook_endpoints
         where wake_at <= :now and id not in json(:lacking)
           and organization_id not in json(:full) ${bound}
         order by wake_at limit ${limit} ${statements.locking('skip')}`,
        {
          now,
          lacking: JSON.stringify(lacking),
          full: JSON.stringify(full),
          ...(bound === '' ? {} : { ahead: JSON.stringify(ahead) }),
        }
      )
    if (ahead.length === 0) return search('')
    const others = await search('and organization_id not in json(:ahead)')
    if (others.length === limit) return others
    return [...others, ...(await search('and organization_id in json(:ahead)'))].slice(0, limit)
  }

  #lackingIn(room: Room): string[] {
    const now = performance.now()
    for (const [id, { until }] of this.#lacking) if (until <= now) this.#lacking.delete(id)
    return [...this.#lacking.keys()].filter((id) => this.#lacksOnly(id, room))
  }

  #lacksOnly(id: string, room: Room): boolean {
    const lacking = this.#lacking.get(id)
    return lacking !== undefined && [...lacking.shares].every((share) => room[share] <= 0)
  }

  #remember(id: string, { lacks, dueAt }: EndpointTurn, now: Instant): void {
    this.#lacking.delete(id)
    if (lacks.size === 0) return
    const wait = dueAt === null ? LACKING_FOR : Date.parse(dueAt) - Date.parse(now)
    const until = performance.now() + Math.min(Math.max(wait, 0), LACKING_FOR)
    this.#lacking.set(id, { shares: lacks, until })
  }
}
