import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time for which work keeps the thread before it yields, in milliseconds. */
const MAX_MS = 10

/** Iterations of the event loop that a request takes: to be read, answered and sent. */
const TURNS = 3

/** A requester who waits for work and may disconnect. */
export interface Waiter {
  /** Aborted once it has disconnected. */
  signal: { readonly aborted: boolean }
  /** Called with the name of a part of the work when it begins, and without while it goes on. */
  hears?(begins?: string): void
}

/** The requester has gone. */
export class RequesterGone extends Error {
  constructor() {
    super('Nobody is waiting for this any longer')
  }
}

/** @throws RequesterGone once the requester has disconnected */
export function requireWaiting({ signal }: Waiter): void {
  if (signal.aborted) throw new RequesterGone()
}

const waiters = new AsyncLocalStorage<Waiter>()

/** Runs work for a requester; once that has disconnected, the work ends at its next yield. */
export function waitedFor<Result>(waiter: Waiter | undefined, work: () => Result): Result {
  return waiter ? waiters.run(waiter, work) : work()
}

let lastTurn = performance.now()

/**
 * Yields to the event loop between the parts of long work, at most every 10 ms. SQLite never
 * yields by itself, because its answers are there at once. Reads over other connections see
 * nothing of an open transaction, so this is safe inside of one.
 * @throws RequesterGone if the requester has disconnected
 */
export async function yieldToOthers(): Promise<void> {
  const waiter = waiters.getStore()
  if (waiter) {
    requireWaiting(waiter)
    waiter.hears?.()
  }
  if (performance.now() - lastTurn < MAX_MS) return
  await yieldNow()
  lastTurn = performance.now()
  if (waiter) requireWaiting(waiter)
}

/** Lets the event loop run everything that is due now. */
export async function yieldNow(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
}

/** Records that the event loop has just run: an answer from outside arrives by itself. */
export function countYield(): void {
  lastTurn = performance.now()
}
