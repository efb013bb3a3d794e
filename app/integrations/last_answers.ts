import { MINUTE } from '#foundation/core/durations'
import { compareTexts } from '../foundation/core/compare_texts.js'
import type { Logger } from '@adonisjs/core/logger'
import type { Database } from '@adonisjs/lucid/database'
import { earlier, type Clock, type Instant } from '#foundation/core/clock'
import { change } from '#foundation/core/database/statement'
import { transact } from '#foundation/core/database/transact'
import type { Scope } from '#foundation/core/scope'
import type { ProviderError, ProviderErrorCode } from '#plugin-kit/provider_error'
import type { Called } from './plugins/shielded.js'

/**
 * Maximum lag of the stored time, in milliseconds: an integration is written at most once in it.
 */
const PRECISION = MINUTE

/** Delay from the first pending note to the write, in milliseconds. */
const WAIT = 1000

/** Maximum size of the cache of recent writes; an evicted integration costs one extra write. */
const MAX_REMEMBERED = 10_000

const ANSWERED = change(
  `update integrations set last_synced_at = :now
   where organization_id = :org and id = :id
     and (last_synced_at is null or last_synced_at < :before)`
)

const STILL_FAILING = change(
  `insert into integration_failures
     (organization_id, integration_id, method, code, message, who, since, seen_at)
   select i.organization_id, i.id, :method, :code, :message, :who, :now, :now from integrations i
   where i.organization_id = :org and i.id = :id
   on conflict (organization_id, integration_id, method) do update set
     code = excluded.code, message = excluded.message, who = excluded.who,
     seen_at = excluded.seen_at`
)
const RECOVERED = change(
  `delete from integration_failures
   where organization_id = :org and integration_id = :id and method in json(:methods)`
)

/** The longest message that is kept, in characters. */
const MAX_MESSAGE_LENGTH = 500

interface Failed {
  code: ProviderErrorCode
  message: string
  who: string | null
  at: Instant
}

/** Changes of one integration that are to be written. */
interface Note {
  organizationId: string
  /** Time of the last answer; null if it has only failed. */
  at: Instant | null
  /** Methods that answered, or why they failed. */
  methods: Map<string, Failed | null>
}

/** State of an integration between two writes. */
interface Written {
  at: number
  /** Methods that are written as failing, as far as this process knows. */
  failing: Set<string>
}

/**
 * Records when providers last answered for integrations, and which reads fail. It writes in the
 * background, so that no call waits for it.
 */
export class LastResponses {
  readonly #waiting = new Map<string, Note>()
  readonly #written = new Map<string, Written>()
  #timer: NodeJS.Timeout | null = null
  #writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly logger: Pick<Logger, 'warn'>
  ) {}

  /** Records that the provider has just answered for an integration. */
  note(organizationId: string, integrationId: string, { method }: Called): void {
    const now = this.clock.milliseconds()
    const before = this.#written.get(integrationId)
    const isRecent = before !== undefined && before.at <= now && now - before.at < PRECISION
    const note = this.#noteOf(organizationId, integrationId)
    note.methods.set(method, null)
    // A recovery is written at once.
    if (isRecent && !before.failing.has(method)) return
    note.at = this.clock.now()
    this.#remember(integrationId, now)
    this.#timer ??= setTimeout(() => void this.flush(), WAIT).unref()
  }

  /** Records a failed read. */
  noteFailure(
    organizationId: string,
    integrationId: string,
    { method }: Called,
    { code, message, detail }: Pick<ProviderError, 'code' | 'message' | 'detail'>
  ): void {
    const kept = message.slice(0, MAX_MESSAGE_LENGTH)
    const failed = { code, message: kept, who: detail.who ?? null, at: this.clock.now() }
    this.#noteOf(organizationId, integrationId).methods.set(method, failed)
    const before = this.#written.get(integrationId)
    this.#remember(integrationId, before?.at ?? -Infinity).failing.add(method)
    this.#timer ??= setTimeout(() => void this.flush(), WAIT).unref()
  }

  /** Writes all pending notes. If that fails they are dropped, and the next answer is written. */
  flush(): Promise<void> {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    this.#writing = this.#writing.then(() => this.#write())
    return this.#writing
  }

  #noteOf(organizationId: string, integrationId: string): Note {
    let note = this.#waiting.get(integrationId)
    if (!note) {
      note = { organizationId, at: null, methods: new Map() }
      this.#waiting.set(integrationId, note)
    }
    return note
  }

  #remember(integrationId: string, at: number): Written {
    if (this.#written.size >= MAX_REMEMBERED) this.#written.clear()
    const failing = this.#written.get(integrationId)?.failing ?? new Set<string>()
    const written = { at, failing }
    this.#written.set(integrationId, written)
    return written
  }

  async #write(): Promise<void> {
    // Sorted by id, so that two processes cannot deadlock.
    const notes = [...this.#waiting].sort(([one], [other]) => compareTexts(one, other))
    this.#waiting.clear()
    if (notes.length === 0) return
    try {
      await transact(this.database, async (_client, _connection, statements) => {
        for (const [id, { organizationId: org, at, methods }] of notes) {
          if (at !== null) await statements.send(ANSWERED, { org, id, now: at, before: at })
          const recovered: string[] = []
          for (const [method, failed] of methods) {
            if (failed === null) recovered.push(method)
            else {
              const { at: now, ...failure } = failed
              await statements.send(STILL_FAILING, { org, id, method, ...failure, now })
            }
          }
          if (recovered.length > 0)
            await statements.send(RECOVERED, { org, id, methods: JSON.stringify(recovered) })
          for (const method of recovered) this.#written.get(id)?.failing.delete(method)
        }
      })
    } catch (error) {
      for (const [id] of notes) this.#written.delete(id)
      this.logger.warn(
        { err: error },
        'The times at which providers last responded cannot be stored'
      )
    }
  }
}

/**
 * Records that data of an integration was sent to the service, in the transaction that stores it.
 */
export async function recordSent(scope: Scope, id: string): Promise<void> {
  const { now } = scope
  const before = earlier(now, PRECISION)
  await scope.change(ANSWERED, { id, now, before })
}
