import type { ApplicationService } from '@adonisjs/core/types'
import { CarryOut } from '#foundation/agenda/carry_out'
import { ClaimEntries } from '#foundation/agenda/claim_entries'
import { works } from '#foundation/agenda/handlers'
import { dueAt, LookForWork } from '#foundation/agenda/look_for_work'
import { Settling } from '#foundation/agenda/settling'
import type { Nature } from '#foundation/core/agenda/kinds'
import type { Clock, Instant } from '#foundation/core/clock'
import { Trouble } from '#foundation/core/trouble'
import { tenants } from '#organizations/queries/find_tenants'

/** Turns after which work that brings ever more work is taken for a mistake. */
const MOST_TURNS = 5000

/** What brings a simulated world forward; the service's own housekeeping is none of it. */
const NATURES: readonly Nature[] = ['urgent', 'timer', 'wish']

/**
 * Works through the agenda one entry after the other, in the order in which they came due: what
 * workers do side by side would come otherwise every time.
 */
export class WorkInTurn {
  private constructor(
    private readonly looks: LookForWork,
    private readonly claims: ClaimEntries,
    private readonly carryOut: CarryOut,
    private readonly clock: Clock,
    /** Writes down what was called, as timers of the machine would at any time. */
    private readonly writeDown: () => Promise<unknown>
  ) {}

  static async of({ container }: ApplicationService, random: () => number): Promise<WorkInTurn> {
    const database = await container.make('lucid.db')
    const clock = await container.make('clock')
    const logger = await container.make('logger')
    const { signal } = new AbortController()
    const trouble = new Trouble('the work of a rehearsal', logger)
    const carryOut = new CarryOut({
      unitOfWork: await container.make('unitOfWork'),
      tenants,
      works,
      settling: new Settling(database, clock, trouble, signal),
      clock,
      random,
      logger,
      stopping: signal,
    })
    const looks = new LookForWork(await container.make('selects'))
    const log = await container.make('integrations.log')
    const answers = await container.make('integrations.answers')
    const writeDown = async () => {
      await log.flush()
      await answers.flush()
    }
    const claims = new ClaimEntries(database, clock, works)
    return new WorkInTurn(looks, claims, carryOut, clock, writeDown)
  }

  /**
   * Does all that is due.
   * @param isObserving whether providers are looked at, too
   * @returns how much was done
   */
  async handle(isObserving: boolean): Promise<number> {
    const natures = isObserving ? [...NATURES, 'observation' as const] : NATURES
    const { signal } = new AbortController()
    for (let done = 0; done < MOST_TURNS;) {
      const due = dueAt(await this.looks.handle(), this.clock.now())
      const nature = due.find((each) => natures.includes(each))
      if (!nature) return done
      const { claimed } = await this.claims.handle(nature, 1, new Map())
      if (claimed.length === 0) return done
      for (const claim of claimed) await this.carryOut.handle(claim, signal)
      await this.writeDown()
      done += claimed.length
    }
    throw new Error(`The agenda does not come to an end at ${this.clock.now()}`)
  }

  /** When there is something to do next; null when nothing is planned. */
  async nextAt(): Promise<Instant | null> {
    const looks = await this.looks.handle()
    return NATURES.map((nature) => looks[nature]).reduce(
      (first, at) => (first === null || (at !== null && at < first) ? at : first),
      null
    )
  }
}
