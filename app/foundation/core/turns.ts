import { setImmediate as nextTurn } from 'node:timers/promises'

/** How long work holds the thread before it lets others have it. */
const LONGEST_MS = 10

/** A request takes more than one turn of the loop: to be heard, to be answered, to be sent. */
const TURNS = 3

let lastTurn = performance.now()

/**
 * Between the parts of work that may be long: lets the process serve others where it has not for
 * a while. SQLite never does by itself, since its answers are there at once. What is read over
 * other connections sees nothing of an open transaction, so this is safe inside of one.
 */
export async function giveWay(): Promise<void> {
  if (performance.now() - lastTurn < LONGEST_MS) return
  for (let turn = 0; turn < TURNS; turn++) await nextTurn()
  lastTurn = performance.now()
}
