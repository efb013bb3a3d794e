import { chunked } from '../chunked.js'
import { yieldToOthers } from '../yielding.js'
import { Problem } from './problem.js'

/** The outcome of one item of a batch: its value, or its problem. */
export type Outcome<Value> = { value: Value } | { problem: Problem }

/** Runs the work for one item of a batch; its problem does not affect other items. */
export async function attempt<Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return { problem }
  }
}

/** Number of items of a batch that are tried together. */
const TOGETHER = 50

/** Runs the work for each item of a batch. */
export async function attemptAll<Item, Value>(
  items: readonly Item[],
  work: (item: Item) => Promise<Value>
): Promise<Outcome<Value>[]> {
  const outcomes: Outcome<Value>[] = []
  for (const some of chunked(items, TOGETHER)) {
    outcomes.push(...(await Promise.all(some.map((item) => attempt(() => work(item))))))
    await yieldToOthers()
  }
  return outcomes
}

export const isDone = <Value>(outcome: Outcome<Value>): outcome is { value: Value } =>
  'value' in outcome

/** Returns the error of a batch item, as the API shows it: all messages, with the first code. */
export function batchError({ code, message, extras }: Problem): { error: string; code: string } {
  const errors = extras.errors ?? []
  const all = errors.length > 1 ? errors.map((each) => each.message).join('; ') : message
  return { error: all, code: errors[0]?.code ?? code }
}
