import { MINUTE } from '../core/durations.js'
import type { Database } from '@adonisjs/lucid/database'
import { from } from '../core/database/from.js'
import type { Claim } from '../core/jobs/ends.js'
import type { Nature } from '../core/jobs/kinds.js'
import { jobs } from '../core/jobs/tables.js'
import { later, type Clock } from '../core/clock.js'
import { isPostgres, readClient } from '../core/database/connections.js'
import type { SelectRunner } from '../core/database/runner.js'
import { as, change, of, select } from '../core/database/statement.js'
import { text } from '../core/database/table.js'
import { transact } from '../core/database/transact.js'
import { newId } from '../core/ids.js'
import { ALONE, type Life } from '../core/processes/presence.js'
import type { Works } from './handlers.js'
import { MAX_EACH, shareOut, type Due } from './share_out.js'

/** Jobs looked at for one claim. */
const PAGE = 64

/** Number of organizations to look for when one fills a whole page. */
const LANES = 32

/**
 * Lease of a kind that this process does not know, in milliseconds: another version of the service
 * may know it.
 */
export const UNKNOWN_LEASE = MINUTE

const LANE = `coalesce(organization_id, '')`

const claimedText = (locking: string) => `update jobs
  set claim_id = :claimId, claimed_by = :life, visible_at = :leaseEnd, attempts = attempts + 1, doubts = doubts + 1
  where id in (select id from jobs
    where id in json(:ids) and visible_at <= :now ${locking}) and visible_at <= :now`
const row = of(jobs, 'jobs')
const CLAIM = {
  sqlite: change(claimedText(''), row),
  postgres: change(claimedText('for update skip locked'), row),
}

/** Written SQL: on SQLite, building the query costs many times as much as running it. */
const DUE = select(
  {
    ...of(jobs, 'e', ['id', 'kind']),
    lane: as(text(), `coalesce(e.organization_id, '')`),
  },
  `from jobs e where e.nature = :nature and e.visible_at <= :now
  order by e.visible_at limit ${PAGE}`
)

interface Candidate extends Due {
  kind: string
}

/**
 * Claims due jobs, so that only one worker has each during its lease. The oldest come first; if one
 * organization fills a page, jobs of other organizations are looked for as well.
 */
export class ClaimJobs {
  /** The lane at which the last search for other organizations stopped. */
  #lastLane = ''

  constructor(
    private readonly database: Database,
    private readonly selects: SelectRunner,
    private readonly clock: Clock,
    private readonly works: Works
  ) {}

  /**
   * @param room maximum number of jobs to claim
   * @param running number of running jobs of this process, by organization
   * @param life the life that claims
   * @returns the claimed jobs; `hasMore` if it is worth looking again at once
   */
  async handle(
    nature: Nature,
    room: number,
    running: ReadonlyMap<string, number>,
    life: Life = ALONE
  ): Promise<{ claimed: Claim[]; hasMore: boolean }> {
    const page = await this.#page(nature)
    let chosen = shareOut(page, running, room, MAX_EACH[nature])
    if (page.length === PAGE && new Set(chosen.map(({ lane }) => lane)).size < room) {
      const beside = await this.#beside(nature, page, room)
      chosen = shareOut([...page, ...beside], running, room, MAX_EACH[nature])
    }
    if (chosen.length === 0) return { claimed: [], hasMore: false }
    const claimed = await this.those(chosen, life)
    return { claimed, hasMore: page.length > claimed.length || claimed.length < chosen.length }
  }

  /** Reads without a transaction: `those` checks again whether a job is due. */
  async #page(nature: Nature): Promise<Candidate[]> {
    if (isPostgres(this.database)) return this.#due(nature).limit(PAGE)
    return this.selects.rows(DUE, { nature, now: this.clock.now() })
  }

  #due(nature: Nature) {
    // Not a prepared statement: PostgreSQL would keep a plan made for another size of the table.
    return from(readClient(this.database), 'jobs')
      .where('nature', nature)
      .where('visible_at', '<=', this.clock.now())
      .orderBy('visible_at')
      .select('id', 'kind', this.database.raw(`${LANE} as lane`) as never)
  }

  /** Returns a few jobs of each organization that is not on the page. */
  async #beside(nature: Nature, page: readonly Due[], room: number): Promise<Candidate[]> {
    const known = new Set(page.map(({ lane }) => lane))
    const lanes = await this.#lanes(nature)
    const found: Candidate[] = []
    for (const lane of lanes.filter((each) => !known.has(each)).slice(0, room)) {
      found.push(...(await this.#due(nature).whereRaw(`${LANE} = ?`, [lane]).limit(room)))
    }
    return found
  }

  /** Organizations with due jobs, by one index look-up for each organization with jobs. */
  async #lanes(nature: Nature): Promise<string[]> {
    const next = (after: string) => `(select ${LANE} from jobs
      where nature = ? and visible_at is not null and ${LANE} > ${after} order by ${LANE} limit 1)`
    const result = await readClient(this.database).rawQuery(
      `with recursive lanes(lane) as (
        select ${next('?')} union all select ${next('lanes.lane')} from lanes
          where lanes.lane is not null)
      select lane from lanes where lane is not null and exists (select 1 from jobs
        where nature = ? and ${LANE} = lanes.lane and visible_at <= ?) limit ${LANES}`,
      [nature, this.#lastLane, nature, nature, this.clock.now()]
    )
    const rows: { lane: string }[] = isPostgres(this.database) ? result.rows : result
    const lanes = rows.map(({ lane }) => lane)
    this.#lastLane = lanes.length === LANES ? lanes[LANES - 1] : ''
    return lanes
  }

  /** Claims the chosen jobs that are still due and unclaimed. */
  async those(
    chosen: readonly { id: string; kind: string }[],
    life: Life = ALONE
  ): Promise<Claim[]> {
    const statement = isPostgres(this.database) ? CLAIM.postgres : CLAIM.sqlite
    const byKind = Map.groupBy(chosen, ({ kind }) => kind)
    return transact(this.database, async (_client, _connection, statements) => {
      const now = this.clock.now()
      const claimed: Claim[] = []
      for (const [kind, candidates] of byKind) {
        const lease = this.works.get(kind)?.handler.lease ?? UNKNOWN_LEASE
        const { rows } = await statements.change(statement, {
          claimId: newId('clm'),
          life: life.id,
          leaseEnd: later(now, lease),
          ids: JSON.stringify(candidates.map(({ id }) => id)),
          now,
        })
        claimed.push(...(rows as Claim[]))
      }
      return claimed
    })
  }
}
