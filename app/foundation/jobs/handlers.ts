import type { TSchema } from '@sinclair/typebox'
import type { Claim } from '../core/jobs/ends.js'
import type { Nature, PayloadOf, WorkKind } from '../core/jobs/kinds.js'
import { HOUR, MINUTE } from '../core/durations.js'
import type { Actor } from '../core/principal.js'
import type { Scope } from '../core/scope.js'
import { RETRIES, type RetryPolicy } from './retry.js'

/** A claimed job as its handler gets it. */
export interface Job<Payload = unknown> {
  readonly id: string
  readonly subject: string
  readonly payload: Payload
  /** From 1. */
  readonly attempt: number
  /** For a command: the same for every attempt, for providers with idempotency keys. */
  readonly idempotencyKey: string
  /** For a command: true if an earlier attempt may have been applied. */
  readonly isInDoubt: boolean
}

interface Carried {
  /** The name of the actor in the timeline. */
  actor: string
  /** True if somebody switched the automation on; otherwise the service acts on its own. */
  isAutomation?: boolean
  /** For a timer: true if its time follows from dates that people set, not from its planning. */
  isDateDriven?: boolean
  /** For a timer: the kind of integration that it asks. */
  asks?: string
  /** Milliseconds after which an attempt counts as dead, and may be repeated. */
  lease: number
}

interface Retried extends Carried {
  retry: RetryPolicy
}

interface GivenUp<Payload> {
  /**
   * Runs after the last attempt, in the transaction that gives the job up. An error it throws is
   * logged, and the job is given up all the same.
   */
  afterLast?(scope: Scope, job: Job<Payload>, reason: string): Promise<void>
}

interface Locked<Payload> {
  /**
   * Locks the rows that the action depends on, before checking that the job is still to be done. So
   * a change that cancels or moves the job under the same lock takes effect.
   */
  lock?(scope: Scope, job: Job<Payload>): Promise<unknown>
}

/** Does something at a time, in one transaction. */
export interface TimerHandler<Payload = unknown>
  extends Retried, GivenUp<Payload>, Locked<Payload> {
  nature: 'timer'
  act(scope: Scope, job: Job<Payload>): Promise<unknown>
}

/** The outcome of a call; an exception means unknown. */
export type Outcome<Result> =
  | { outcome: 'applied'; result: Result }
  | {
      outcome: 'notApplied'
      reason: string
      /** True if a retry would be of no use. */
      isFinal?: boolean
      /** True if it was too early to ask: the attempt does not count. */
      isEarly?: boolean
      /** The minimum delay that the provider requests. */
      retryAfterMs?: number
    }
  | { outcome: 'unknown'; reason: string; retryAfterMs?: number }

export interface CallContext {
  /** For reads that the call needs, outside of any transaction. */
  scope: Scope
  /** Aborted when the lease is nearly over or the process stops. */
  signal: AbortSignal
}

export interface CommandContext extends CallContext {
  /** Runs a separate transaction before or after the call. */
  write<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}

interface Commanding<Payload, Result> extends Retried, GivenUp<Payload>, Locked<Payload> {
  nature: 'command'
  /** Returns the requester, if known: the result is attributed to them and not to the actor. */
  onBehalfOf?(job: Job<Payload>): Actor | undefined
  /** Calls the provider, outside of any transaction. */
  call(job: Job<Payload>, context: CommandContext): Promise<Outcome<Result>>
  /** Stores the result as facts, in the transaction that ends the command. */
  storeResult(scope: Scope, job: Job<Payload>, result: Result): Promise<unknown>
  /**
   * Returns whether files of the result are referenced by rows now; called with the result of
   * `storeResult`.
   */
  isKept?(kept: unknown): boolean
  /** Removes files of a result that was certainly not stored. */
  discard?(result: Result): Promise<void>
}

/**
 * Asks something of a provider. If it is unknown whether an attempt was applied, `find` looks it up
 * before it is repeated, unless the call is idempotent by its key (`isRepeatable`).
 */
export type CommandHandler<Payload = unknown, Result = unknown> = Commanding<Payload, Result> &
  (
    | { find(job: Job<Payload>, context: CallContext): Promise<Outcome<Result>> }
    | { isRepeatable: true }
  )

/** The result of an observation: poll sooner, later or never again. */
export type Seen = 'changed' | 'unchanged' | 'over'

/** Polls something. It is never given up: the last step of its retries repeats. */
export interface ObservationHandler<Payload = unknown, Observation = unknown>
  extends Retried, Locked<Payload> {
  nature: 'observation'
  /** Milliseconds between two polls: `least` after a change, then doubled up to `most`. */
  every: { least: number; most: number }
  /** Polls, outside of any transaction. */
  poll(job: Job<Payload>, context: CallContext): Promise<Observation>
  /** Stores what was seen, in the transaction that plans the next poll. */
  store(scope: Scope, job: Job<Payload>, observation: Observation): Promise<Seen>
}

/** Recurring maintenance of the service, done by one of its processes at a time. */
export interface Chore {
  nature: 'chore'
  lease: number
  /** Milliseconds between the end of a run and the next one. */
  every: number
  retry: RetryPolicy
  /** Opens its own transactions; ends early, with `hasMore`, once `mayContinue` returns false. */
  run(mayContinue: () => boolean): Promise<{ hasMore: boolean }>
}

export type Handler = TimerHandler | CommandHandler | ObservationHandler | Chore

/** Carries out jobs of a kind; listed in a module's manifest. */
export interface Work {
  readonly name: string
  readonly nature: Nature
  /** Null for chores, which have no payload. */
  readonly payload: TSchema | null
  readonly handler: Handler
  readonly asks?: string | null
}

type Without<Each> = Each extends unknown ? Omit<Each, 'nature'> : never

const workOf = ({ name, nature, payload, asks }: WorkKind, handler: object): Work => ({
  name,
  nature,
  payload,
  asks,
  handler: { ...handler, nature } as Handler,
})

/** Declares the handler of a timer. */
export const onTime = <Kind extends WorkKind<'timer'>>(
  kind: Kind,
  handler: Without<TimerHandler<PayloadOf<Kind>>>
): Work => workOf(kind, handler)

/** Declares the handler of a command. */
export const onCommand = <Kind extends WorkKind<'command'>, Result>(
  kind: Kind,
  handler: Without<CommandHandler<PayloadOf<Kind>, Result>>
): Work => workOf(kind, handler)

/** Declares the handler of an observation. */
export const onObservation = <Kind extends WorkKind<'observation'>, Observation>(
  kind: Kind,
  handler: Without<ObservationHandler<PayloadOf<Kind>, Observation>>
): Work => workOf(kind, handler)

/** Declares an hourly chore; a run that had to stop early is continued at once. */
export const hourly = (name: string, run: (mayContinue: () => boolean) => Promise<unknown>): Work =>
  chore(name, {
    every: HOUR,
    lease: 5 * MINUTE,
    retry: RETRIES.ofPoll,
    async run(mayContinue) {
      await run(mayContinue)
      return { hasMore: !mayContinue() }
    },
  })

/** Declares a chore; the workers plan it themselves. */
export const chore = (name: string, handler: Omit<Chore, 'nature'>): Work => ({
  name,
  nature: 'chore',
  payload: null,
  handler: { ...handler, nature: 'chore' },
})

export function jobOf({ id, subject, payload, attempts, idempotencyKey, doubts }: Claim): Job {
  // The current attempt counts as a doubt itself.
  return { id, subject, payload, attempt: attempts, idempotencyKey, isInDoubt: doubts > 1 }
}

/** All kinds of work that modules bring. */
export class Works {
  readonly #works = new Map<string, Work>()

  /** @throws when a kind is handled twice */
  add(works: readonly Work[]): void {
    for (const work of works) {
      if (this.#works.has(work.name)) throw new Error(`${work.name} is handled twice`)
      this.#works.set(work.name, work)
    }
  }

  get(name: string): Work | undefined {
    return this.#works.get(name)
  }

  all(): Work[] {
    return [...this.#works.values()]
  }
}

export const works = new Works()
