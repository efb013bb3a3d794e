import { AsyncLocalStorage } from 'node:async_hooks'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** Longest time that work holds the thread before it yields, in milliseconds. */
const LONGEST_MS = 10

/** A request takes more than one turn of the loop: to be heard, to be answered, to be sent. */
const TURNS = 3

/** Somebody who waits for work, and may stop waiting. */
export interface Waiter {
  /** Aborted once they have gone. */
  signal: { readonly aborted: boolean }
  /** Hears what begins, or nothing while it goes on. */
  hears?(begins?: string): void
}

/** The requester has gone. */
export class NobodyWaits extends Error {
  constructor() {
    super('Nobody waits for this any more')
  }
}

/** @throws NobodyWaits once they have gone */
export function demandWaiting({ signal }: Waiter): void {
  if (signal.aborted) throw new NobodyWaits()
}

const waiters = new AsyncLocalStorage<Waiter>()

/** Does work for somebody: once they have gone, it ends where it would give way. */
export function waitedFor<Result>(waiter: Waiter | undefined, work: () => Result): Result {
  return waiter ? waiters.run(waiter, work) : work()
}

let lastTurn = performance.now()

/**
 * Between the parts of work that may be long: lets the process serve others where it has not for
 * a while. SQLite never does by itself, since its answers are there at once. What is read over
 * other connections sees nothing of an open transaction, so this is safe inside of one.
 * @throws NobodyWaits where whoever waited has gone
 */
export async function giveWay(): Promise<void> {
  const waiter = waiters.getStore()
  if (waiter) {
    demandWaiting(waiter)
    waiter.hears?.()
  }
  if (performance.now() - lastTurn < LONGEST_MS) return
  await othersTurns()
  lastTurn = performance.now()
  if (waiter) demandWaiting(waiter)
}

/** Ends once what others have to do now is done; where there is nothing, at once. */
export async function othersTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
}

/** Notes that others have just had the thread: an answer from outside comes in a turn of its own. */
export function othersHadIt(): void {
  lastTurn = performance.now()
}
