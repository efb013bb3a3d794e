import type { Logger } from '@adonisjs/core/logger'

/** Milliseconds before the first retry, and the longest pause between two. */
export const FIRST_PAUSE = 1000
export const MAX_PAUSE = 30_000

/** The phase in which trouble occurs: looking for work, or recording its result. */
type Phase = 'looking' | 'settling'

/**
 * Backoff of workers while the database fails: they wait ever longer instead of doing work whose
 * results they could not record. The beginning and the end of the trouble are logged once.
 */
export class Trouble {
  readonly #phases = new Set<Phase>()
  #pause = 0
  #until = 0

  /** @param who the name of the workers in the log: `webhook workers` */
  constructor(
    private readonly who: string,
    private readonly logger: Pick<Logger, 'info' | 'error'>,
    private readonly milliseconds = () => performance.now()
  ) {}

  /** Milliseconds to wait from now; 0 without trouble. All workers share one wait. */
  get wait(): number {
    return Math.max(0, Math.ceil(this.#until - this.milliseconds()))
  }

  met(phase: Phase, error: unknown): void {
    this.#phases.add(phase)
    if (this.wait > 0) return
    if (this.#pause === 0) {
      this.logger.error(
        { err: error },
        `The ${this.who} cannot use the database; nothing is sent until they can`
      )
    }
    this.#pause = this.#pause === 0 ? FIRST_PAUSE : Math.min(2 * this.#pause, MAX_PAUSE)
    this.#until = this.milliseconds() + this.#pause
  }

  /**
   * Notes a success. Only settling ends the trouble of both phases, because a look writes nothing.
   */
  over(phase: Phase): void {
    if (this.#pause === 0) return
    if (phase === 'settling') this.#phases.clear()
    this.#phases.delete(phase)
    if (this.#phases.size > 0) return
    this.#pause = 0
    this.#until = 0
    this.logger.info(`The ${this.who} can use the database again`)
  }
}
