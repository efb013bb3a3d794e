import type { Logger } from '@adonisjs/core/logger'
import pg from 'pg'

/** Waits between attempts to connect, in milliseconds. */
const FIRST_WAIT = 1000
const MAX_WAIT = 30_000

/** Handlers of messages that processes send on PostgreSQL channels. */
export type Hearers = Readonly<Record<string, () => void>>

/**
 * Listens on its own connection to PostgreSQL for messages of other processes. It reconnects after
 * a failure; until then the workers find new work by polling.
 */
export class Listener {
  #client: pg.Client | null = null
  #timer: NodeJS.Timeout | null = null
  #stopped = false
  #wait = FIRST_WAIT

  constructor(
    private readonly connectionString: string,
    private readonly hearers: Hearers,
    private readonly logger: Pick<Logger, 'warn'>
  ) {}

  async start(): Promise<void> {
    const client = new pg.Client({ connectionString: this.connectionString })
    this.#client = client
    client.on('notification', ({ channel }) => this.hearers[channel]?.())
    client.on('error', (error) => this.#lost(client, error))
    client.on('end', () => this.#lost(client, null))
    try {
      await client.connect()
      for (const channel of Object.keys(this.hearers)) await client.query(`listen ${channel}`)
      this.#wait = FIRST_WAIT
      // Messages may have been missed while nobody listened.
      for (const hear of Object.values(this.hearers)) hear()
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
    if (error) this.logger.warn({ err: error }, 'The listener of the workers lost its connection')
    client.end().catch(() => {})
    this.#timer = setTimeout(() => void this.start(), this.#wait)
    this.#wait = Math.min(2 * this.#wait, MAX_WAIT)
  }
}
