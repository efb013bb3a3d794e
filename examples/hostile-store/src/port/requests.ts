import { ProviderError, type PluginContext } from '@tarmac/plugin-kit'
import { Refusal, type Answer, type HostileStore, type StoreCall } from '../core/index.js'
import { worldOf, type Fate, type World } from './world.js'

const lost = () =>
  new ProviderError('timeout', 'The store did not respond in time', { outcome: 'unknown' })

/** Requests of one connection to one store, with all that happens on the way. */
export class Requests {
  readonly world: World
  readonly store: HostileStore

  constructor(
    private readonly ctx: PluginContext,
    kind: HostileStore['kind']
  ) {
    const world = worldOf(ctx.connection.world)
    if (!world) throw refused('invalid', 'There is no such world')
    this.world = world
    const store = world.storeOf(kind, String(ctx.data.bundleId))
    if (!store) throw refused('notFound', 'The account has no such app')
    this.store = store
  }

  /** Sends a change. */
  call(call: StoreCall, idempotencyKey: string): Promise<Answer> {
    const fate = this.world.fateOf(call)
    return this.#untilGivenUp(fate, () => {
      try {
        return this.store.receive(call, this.#now, idempotencyKey)
      } catch (error) {
        throw error instanceof Refusal ? asProviderError(error) : error
      }
    })
  }

  /** Reads what the store shows, with the instant at which the read began. */
  read<Result>(what: (beganAt: number, endsAt: number) => Result): Promise<Result> {
    const beganAt = this.#now
    const fate = this.world.fateOf(null)
    return this.#untilGivenUp(fate, () => what(beganAt, this.#now))
  }

  get #now(): number {
    return this.world.options.clock.now()
  }

  async #untilGivenUp<Result>(fate: Fate, arrive: () => Result): Promise<Result> {
    const { signal } = this.ctx
    let giveUp = () => {}
    const gaveUp = new Promise<never>((_, reject) => {
      giveUp = () => reject(lost())
    })
    // Nobody may be waiting for this any more.
    gaveUp.catch(() => {})
    signal.addEventListener('abort', giveUp, { once: true })
    try {
      return await Promise.race([gaveUp, this.#travel(fate, arrive)])
    } finally {
      signal.removeEventListener('abort', giveUp)
    }
  }

  async #travel<Result>(fate: Fate, arrive: () => Result): Promise<Result> {
    const { clock, givesUpAfter, arrivesBefore } = this.world.options
    if (fate.lost === 'late') {
      const late = givesUpAfter + (arrivesBefore - givesUpAfter) * this.world.random()
      void clock
        .wait(late)
        .then(arrive)
        .catch(() => {})
    }
    if (fate.lost === 'late' || fate.lost === 'before') {
      await clock.wait(givesUpAfter)
      throw lost()
    }
    await clock.wait(fate.there)
    this.#letIn(fate)
    const answer = attempt(arrive)
    await clock.wait(fate.lost === 'after' ? Math.max(0, givesUpAfter - fate.there) : fate.back)
    if (fate.lost === 'after') throw lost()
    return answer()
  }

  #letIn({ turnedAway }: Fate): void {
    if (!this.world.accepts(this.ctx.secret('token'))) {
      throw refused('unauthorized', 'The token is not known')
    }
    if (turnedAway?.code === 'unavailable') throw refused('unavailable', 'The store is down')
    if (turnedAway?.code === 'rateLimited') {
      const { retryAfterMs } = turnedAway
      throw new ProviderError('rateLimited', 'Too many requests', {
        outcome: 'notApplied',
        retryAfterMs,
      })
    }
  }
}

/** Keeps a failure until the answer has come. */
function attempt<Result>(work: () => Result): () => Result {
  try {
    const result = work()
    return () => result
  } catch (error) {
    return () => {
      throw error
    }
  }
}

const refused = (code: 'invalid' | 'notFound' | 'unauthorized' | 'unavailable', message: string) =>
  new ProviderError(code, message, { outcome: 'notApplied' })

/** A refusal in the words of the port. */
export const asProviderError = ({ code, reason, message }: Refusal) =>
  new ProviderError(code, message, { outcome: 'notApplied', reason })
