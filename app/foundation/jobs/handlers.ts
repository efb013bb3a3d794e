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
}

interface Carried {
  /** The name of the actor in the timeline. */
  actor: string
  /** True if somebody switched the automation on; otherwise the service acts on its own. */
  isAutomation?: boolean
  /** For a timer: its time follows from dates that people set, not from when it was planned. */
  isOfDate?: boolean
  /** For a timer: the kind of integrations it asked. */
  asks?: string
  /** Milliseconds after which an attempt is taken for dead, and may be made again. */
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
   * Locks what the action decides on, before it is seen whether the job is still to be done:
   * who cancels or moves it under the same lock has the last word.
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
export type Outcome<Answer> =
  | { outcome: 'applied'; answer: Answer }
  | {
      outcome: 'notApplied'
      reason: string
      /** Asking again is of no use. */
      isFinal?: boolean
      /** It was too early to ask: the attempt does not count. */
      isEarly?: boolean
      /** The minimum delay that the provider requests. */
      retryAfterMs?: number
    }
  | { outcome: 'unknown'; reason: string; retryAfterMs?: number }

export interface CallContext {
  /** Reads what the call needs to know of the organization, outside of any transaction. */
  scope: Scope
  /** Ends the call: its lease is nearly over, or the process stops. */
  signal: AbortSignal
}

export interface CommandContext extends CallContext {
  /** Records something in a transaction of its own, before the call or after it. */
  write<Result>(work: (scope: Scope) => Promise<Result>): Promise<Result>
}

interface Commanding<Payload, Answer> extends Retried, GivenUp<Payload>, Locked<Payload> {
  nature: 'command'
  /** Returns the requester, if known: the result is attributed to them and not to the actor. */
  onBehalfOf?(job: Job<Payload>): Actor | undefined
  /** Calls the provider, outside of any transaction. */
  call(job: Job<Payload>, context: CommandContext): Promise<Outcome<Answer>>
  /** Brings the answer back as facts, in the transaction that ends the command. */
  answer(scope: Scope, job: Job<Payload>, answer: Answer): Promise<unknown>
  /**
   * Returns whether files of the answer are referenced by rows now; called with the result of
   * `answer`.
   */
  isKept?(kept: unknown): boolean
  /** Takes back what came with an answer that is surely not stored. */
  discard?(answer: Answer): Promise<void>
}

/**
 * Asks something of a provider. Where nobody knows whether an attempt was applied, it is read
 * again (`find`) before it is repeated, unless repeating with the same key does no harm.
 */
export type CommandHandler<Payload = unknown, Answer = unknown> = Commanding<Payload, Answer> &
  (
    | { find(job: Job<Payload>, context: CallContext): Promise<Outcome<Answer>> }
    | { isRepeatable: true }
  )

/** The result of an observation: poll sooner, later or never again. */
export type Seen = 'changed' | 'unchanged' | 'over'

/** Looks at something every so often. It is not given up: the last step of its retries repeats. */
export interface ObservationHandler<Payload = unknown, Look = unknown>
  extends Retried, Locked<Payload> {
  nature: 'observation'
  /** Milliseconds between two looks: the least after a change, doubled up to the most without. */
  every: { least: number; most: number }
  /** Looks, outside of any transaction. */
  look(job: Job<Payload>, context: CallContext): Promise<Look>
  /** Brings back what was seen, in the transaction that plans the next look. */
  take(scope: Scope, job: Job<Payload>, look: Look): Promise<Seen>
}

/** Recurring maintenance of the service, once among all its processes. */
export interface Chore {
  nature: 'chore'
  lease: number
  /** Milliseconds between the end of one and the next. */
  every: number
  retry: RetryPolicy
  /** Transactions are its own; it ends early, with `hasMore`, once it may not go on. */
  run(goesOn: () => boolean): Promise<{ hasMore: boolean }>
}

export type Handler = TimerHandler | CommandHandler | ObservationHandler | Chore

/** Carries out jobs of a kind; listed in a module's manifest. */
export interface Work {
  readonly name: string
  readonly nature: Nature
  /** Null for chores, which are about nothing. */
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

/** Says what a timer does. */
export const onTime = <Kind extends WorkKind<'timer'>>(
  kind: Kind,
  handler: Without<TimerHandler<PayloadOf<Kind>>>
): Work => workOf(kind, handler)

/** Says how a command is asked of its provider, and what becomes of the answer. */
export const onCommand = <Kind extends WorkKind<'command'>, Answer>(
  kind: Kind,
  handler: Without<CommandHandler<PayloadOf<Kind>, Answer>>
): Work => workOf(kind, handler)

/** Says how something is observed. */
export const onObservation = <Kind extends WorkKind<'observation'>, Look>(
  kind: Kind,
  handler: Without<ObservationHandler<PayloadOf<Kind>, Look>>
): Work => workOf(kind, handler)

/** A chore of every hour that goes through what there is, as far as it may go on. */
export const hourly = (name: string, run: (goesOn: () => boolean) => Promise<unknown>): Work =>
  chore(name, {
    every: HOUR,
    lease: 5 * MINUTE,
    retry: RETRIES.ofLook,
    async run(goesOn) {
      await run(goesOn)
      return { hasMore: !goesOn() }
    },
  })

/** A chore of the service; it is planned by the workers themselves. */
export const chore = (name: string, handler: Omit<Chore, 'nature'>): Work => ({
  name,
  nature: 'chore',
  payload: null,
  handler: { ...handler, nature: 'chore' },
})

export function jobOf({ id, subject, payload, attempts, idempotencyKey }: Claim): Job {
  return { id, subject, payload, attempt: attempts, idempotencyKey }
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
