import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import { later, type Clock, type Instant } from '#foundation/core/clock'
import { change } from '#foundation/core/database/statement'
import { transact } from '#foundation/core/database/transact'
import type { Scope } from '#foundation/core/scope'

/** Milliseconds that what is told may be behind: an integration is written so often at most. */
const PRECISION = 60_000

/** Written so many milliseconds after the first. */
const WAIT = 1000

/** Integrations that are remembered as written; forgetting one costs a write. */
const MOST_REMEMBERED = 10_000

const ANSWERED = change(
  `update integrations set last_synced_at = :now
   where organization_id = :org and id = :id
     and (last_synced_at is null or last_synced_at < :before)`
)

interface Note {
  organizationId: string
  at: Instant
}

/** Writes down when providers last answered for integrations, beside whatever goes on. */
export class LastAnswers {
  readonly #waiting = new Map<string, Note>()
  readonly #written = new Map<string, number>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'warn'>
  ) {}

  /** The provider has answered for an integration just now. */
  note(organizationId: string, integrationId: string): void {
    const now = this.clock.milliseconds()
    const before = this.#written.get(integrationId)
    if (before !== undefined && before <= now && now - before < PRECISION) return
    this.#waiting.set(integrationId, { organizationId, at: this.clock.now() })
    if (this.#written.size >= MOST_REMEMBERED) this.#written.clear()
    this.#written.set(integrationId, now)
    this.#timer ??= setTimeout(() => void this.flush(), WAIT).unref()
  }

  /** Writes what there is; what could not be written is told of by the next answer. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  async #write(): Promise<void> {
    // In the order of their ids, so that two processes never wait for each other.
    const notes = [...this.#waiting].sort(([one], [other]) => (one < other ? -1 : 1))
    this.#waiting.clear()
    if (notes.length === 0) return
    try {
      await transact(this.database, async (_client, _connection, statements) => {
        for (const [id, { organizationId: org, at }] of notes) {
          await statements.send(ANSWERED, { org, id, now: at, before: at })
        }
      })
    } catch (error) {
      for (const [id] of notes) this.#written.delete(id)
      this.logger.warn({ err: error }, 'When providers last answered is not written')
    }
  }
}

/** The same of an integration whose data is sent to the service, in the transaction that takes it. */
export async function noteSent(scope: Scope, id: string): Promise<void> {
  const { now } = scope
  const before = later(now, -PRECISION)
  await scope.change(ANSWERED, { id, now, before })
}
