import type { Logger } from '@adonisjs/core/logger'

/** Milliseconds before the first new try, and the longest between two. */
export const FIRST_PAUSE = 1000
export const LONGEST_PAUSE = 30_000

/** The phase in which trouble occurred: looking for work, or recording its result. */
type Where = 'looking' | 'settling'

/**
 * Trouble of workers with the database: while it lasts they wait, ever longer, instead of
 * sending what they cannot write down. It is said once when it begins and when it is over.
 */
export class Trouble {
  readonly #where = new Set<Where>()
  #pause = 0
  #until = 0

  /** @param who what to call them in the log: `webhook workers` */
  constructor(
    private readonly who: string,
    private readonly logger: Pick<Logger, 'info' | 'error'>,
    private readonly milliseconds = () => performance.now()
  ) {}

  /** Milliseconds to wait from now, 0 without trouble. Several who meet the same one wait together. */
  get wait(): number {
    return Math.max(0, Math.ceil(this.#until - this.milliseconds()))
  }

  met(where: Where, error: unknown): void {
    this.#where.add(where)
    if (this.wait > 0) return
    if (this.#pause === 0) {
      this.logger.error(
        { err: error },
        `The ${this.who} cannot use the database; nothing is sent until they can`
      )
    }
    this.#pause = this.#pause === 0 ? FIRST_PAUSE : Math.min(2 * this.#pause, LONGEST_PAUSE)
    this.#until = this.milliseconds() + this.#pause
  }

  /** It worked. A look may have found nothing to write, so only settling is over for both. */
  over(where: Where): void {
    if (this.#pause === 0) return
    if (where === 'settling') this.#where.clear()
    this.#where.delete(where)
    if (this.#where.size > 0) return
    this.#pause = 0
    this.#until = 0
    this.logger.info(`The ${this.who} can use the database again`)
  }
}
