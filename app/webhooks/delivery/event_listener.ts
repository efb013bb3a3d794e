import type { Logger } from '@adonisjs/core/logger'
import pg from 'pg'
import { EVENTS_CHANNEL } from '#foundation/core/events/outbox'

const FIRST_WAIT = 1000
const LONGEST_WAIT = 30_000

/**
 * Hears of new events from every process on PostgreSQL, over a connection of its own.
 * When it breaks it connects again; meanwhile the poll does its work.
 */
export class EventListener {
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  #wait = FIRST_WAIT

  constructor(
    private readonly connectionString: string,
    private readonly onEvent: () => void,
    private readonly logger: Pick<Logger, 'warn'>
  ) {}

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.connectionString })
    this.#client = client
    client.on('notification', this.onEvent)
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, null))
    try {
      await client.connect()
      await client.query(`listen ${EVENTS_CHANNEL}`)
      this.#wait = FIRST_WAIT
      // What came while nobody listened.
      this.onEvent()
    } catch (error) {
      this.#lost(client, error as Error)
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true
    if (this.#timer) clearTimeout(this.#timer)
    const client = this.#client
    this.#client = null
    await client?.end().catch(() => {})
  }

  #lost(client: pg.Client, error: Error | null): void {
    if (this.#stopped || client !== this.#client) return
    this.#client = null
    if (error)
      this.logger.warn({ err: error }, 'The listener for webhook events lost its connection')
    client.end().catch(() => {})
    this.#timer = setTimeout(() => void this.start(), this.#wait)
    this.#wait = Math.min(2 * this.#wait, LONGEST_WAIT)
  }
}
