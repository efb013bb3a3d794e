import pg from 'pg'
import { IS_LEFT, IS_SILENT, NOW } from './silent.js'

/** The timeout of a connection or an answer, in milliseconds: the next heartbeat tries again. */
const MAX_MS = 1500

/** The answer to a heartbeat. */
export interface Heard {
  /** False if others have declared this process gone. */
  isAlive: boolean
  /** By the clock of the database, in milliseconds. */
  now: number
  /** Processes that were silent for too long, or whose claims are still to be handed back. */
  silent: string[]
}

const BEAT = `with own as (
    insert into service_processes as p (id, heard_at, patience_ms, is_cleared)
    values ($1, ${NOW}, $2, false)
    on conflict (id) do update set heard_at = excluded.heard_at, patience_ms = excluded.patience_ms
      where p.gone_at is null
    returning p.id
  )
  select exists (select 1 from own) as alive, ${NOW} as now,
    array(select id from service_processes
      where id <> $1 and (${IS_SILENT} or ${IS_LEFT})) as silent`

/**
 * Heartbeats over a connection of their own: an exhausted pool does not make a process seem gone.
 */
export class PostgresBeats {
  #client: pg.Client | null = null

  constructor(private readonly connectionString: string) {}

  /** @throws when the database does not answer in time */
  async beat(life: string, patienceMs: number): Promise<Heard> {
    try {
      const client = (this.#client ??= await this.#connect())
      const { rows } = await client.query({
        name: 'beat',
        text: BEAT,
        values: [life, patienceMs],
      })
      const [{ alive, now, silent }] = rows
      return { isAlive: alive, now: Number(now), silent }
    } catch (error) {
      this.close()
      throw error
    }
  }

  close(): void {
    const client = this.#client
    this.#client = null
    // Do not wait for a connection that may not answer any more.
    client?.end().catch(() => undefined)
  }

  async #connect(): Promise<pg.Client> {
    const client = new pg.Client({
      connectionString: this.connectionString,
      connectionTimeoutMillis: MAX_MS,
      query_timeout: MAX_MS,
    })
    client.on('error', () => {
      if (client === this.#client) this.#client = null
    })
    await client.connect()
    return client
  }
}
