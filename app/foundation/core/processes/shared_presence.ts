import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from '@adonisjs/core/logger'
import type { Heard } from './postgres_beats.js'
import { ALONE, type Life, type Presence } from './presence.js'
import type { TakeOver } from './take_over.js'

/** Interval of heartbeats, in milliseconds. */
export const BEAT_MS = 1000

/** Delay before a failed heartbeat is retried, in milliseconds. */
const RETRY_MS = 250

/** Tolerated silence of a process that was never late, in milliseconds. */
export const TIMEOUT_MS = 2500

/**
 * Additional tolerance for a process that was recently late, in milliseconds: it is busy and not
 * gone.
 */
const MAX_LATE_MS = 3500

/** Assumed lateness of a process that was wrongly declared gone, in milliseconds. */
const LATE_AGAIN_MS = 1000

/** Decay of the lateness with each heartbeat. */
const FORGETTING = 0.9

/** Gap between own heartbeats after which those of others may have been missed, in milliseconds. */
const GAP_MS = 2000

/**
 * The time for which a process must hear others without a gap before it declares one gone, in
 * milliseconds: after an outage of the database, all of them were silent.
 */
const STEADY_MS = 2500

/**
 * Tolerated difference between the database's clock and the time that has passed, in milliseconds.
 */
const DRIFT_MS = 1000

/** The exchange of heartbeats. */
interface Beats {
  beat(life: string, patienceMs: number): Promise<Heard>
  close(): void
}

class OwnLife implements Life {
  readonly #ending = new AbortController()

  constructor(
    readonly id: string,
    readonly isSure: () => boolean
  ) {}

  get lost(): AbortSignal {
    return this.#ending.signal
  }

  lose(): void {
    this.#ending.abort()
  }
}

/**
 * The presence of a process among others on one database: a heartbeat every second, in one small
 * statement that also lists the silent processes. The claims of a process that is gone are handed
 * back by whichever process notices first (docs/decisions/0008-jobs-and-processes.md).
 */
export class SharedPresence implements Presence {
  readonly #stopping = new AbortController()
  #life: OwnLife
  #lives = 1
  #loop: Promise<void> | null = null
  /** The send time of the last heartbeat that the database accepted. */
  #heardAt = -Infinity
  /** The last heartbeat, by the clocks of the database and of this process. */
  #last: { database: number; own: number } | null = null
  /** The silence that others tolerate after it, in milliseconds. */
  #tolerated = 0
  #late = 0
  #steadySince = Infinity
  /** True once claims of missing processes were looked for, since the last gap. */
  #hasSwept = false
  #attending: Promise<void> | null = null
  #hasTrouble = false
  #isHeard = false

  /** @param name of the process, never used before */
  constructor(
    private readonly name: string,
    private readonly parts: {
      beats: Beats
      takeOver: Pick<TakeOver, 'handle' | 'handBack' | 'sweep' | 'leave'>
      logger: Pick<Logger, 'warn' | 'info'>
      /** Milliseconds of a monotonic clock. */
      time?: () => number
    }
  ) {
    this.#life = this.#begin()
  }

  /**
   * A process without heartbeats (never started) is unknown to others, so they never declare it
   * gone.
   */
  life(): Life | null {
    if (!this.#isHeard) return ALONE
    return this.#life.isSure() ? this.#life : null
  }

  /** @returns once the first heartbeat was tried */
  async start(): Promise<void> {
    if (this.#loop) return
    await this.beat()
    this.#loop = this.#run()
  }

  /** Hands back what is still held and signs off, so that others need not notice the silence. */
  async stop(): Promise<void> {
    this.#stopping.abort()
    if (!this.#loop) return
    await this.#loop
    await this.#attending
    this.parts.beats.close()
    try {
      await this.parts.takeOver.leave(this.#life.id)
    } catch (error) {
      // Others notice, some seconds later.
      this.parts.logger.warn({ err: error }, 'Work still claimed could not be released')
    }
  }

  #time(): number {
    return (this.parts.time ?? performance.now.bind(performance))()
  }

  #begin(): OwnLife {
    const id = this.#lives === 1 ? this.name : `${this.name}.${this.#lives}`
    this.#lives += 1
    const isOwn = () => this.#time() - this.#heardAt < this.#tolerated
    const life: OwnLife = new OwnLife(id, () => this.#life === life && isOwn())
    return life
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping
    while (!signal.aborted) {
      const since = this.#time() - this.#heardAt
      // An unavailable database is not asked in a tight loop.
      const wait = Math.max(BEAT_MS - since, this.#hasTrouble ? RETRY_MS : 0)
      await pause(wait, undefined, { signal }).catch(() => {})
      if (!signal.aborted) await this.beat()
    }
  }

  /** Sends one heartbeat and reacts to its answer. Public for tests and tools. */
  async beat(): Promise<void> {
    this.#isHeard = true
    const { beats, logger } = this.parts
    const sentAt = this.#time()
    const life = this.#life
    try {
      const patience = Math.round(TIMEOUT_MS + this.#late)
      const heard = await beats.beat(life.id, patience)
      if (this.#hasTrouble) logger.info('Heartbeats reach the database again')
      this.#hasTrouble = false
      if (!heard.isAlive) return this.#lose(life)
      this.#tolerated = patience
      this.#note(sentAt, heard.now)
      this.#attend(heard.silent)
    } catch (error) {
      if (!this.#hasTrouble) logger.warn({ err: error }, 'A heartbeat did not reach the database')
      this.#hasTrouble = true
    }
  }

  /** Others have taken over this life's claims: aborts its work and begins a new life. */
  #lose(life: OwnLife): void {
    this.parts.logger.warn(
      { process: life.id },
      'This process was presumed gone; others have taken over its work'
    )
    this.#life = this.#begin()
    this.#heardAt = -Infinity
    this.#last = null
    this.#late = LATE_AGAIN_MS
    life.lose()
    // Hands back work that it claimed just as it was declared gone.
    this.#attempt(async () => void (await this.parts.takeOver.handBack([life.id])))
  }

  #note(sentAt: number, database: number): void {
    const own = this.#time()
    const gap = sentAt - this.#heardAt
    const drift = this.#last ? database - this.#last.database - (own - this.#last.own) : Infinity
    if (gap > GAP_MS || Math.abs(drift) > DRIFT_MS) {
      this.#steadySince = own
      this.#hasSwept = false
    }
    const late = this.#last ? Math.min(Math.max(gap - BEAT_MS, 0), MAX_LATE_MS) : 0
    this.#late = Math.max(this.#late * FORGETTING, late)
    this.#heardAt = sentAt
    this.#last = { database, own }
  }

  /** Handles silent processes, once it has heard others without a gap for long enough. */
  #attend(silent: readonly string[]): void {
    if (this.#time() - this.#steadySince < STEADY_MS) return
    if (silent.length === 0 && this.#hasSwept) return
    this.#attempt(async () => {
      await this.parts.takeOver.handle(silent)
      if (this.#hasSwept) return
      await this.parts.takeOver.sweep()
      this.#hasSwept = true
    })
  }

  /** Runs work beside the heartbeats; after a failure a later heartbeat tries again. */
  #attempt(work: () => Promise<void>): void {
    this.#attending ??= work()
      .catch((error: unknown) => {
        this.parts.logger.warn(
          { err: error },
          'The work of processes that are gone could not be taken over'
        )
      })
      .finally(() => (this.#attending = null))
  }
}
