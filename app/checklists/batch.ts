import { Problem, refuse } from '#foundation/core/problems/problem'

/** What became of one of a batch: done, or the problem that kept it from being so. */
export type Outcome<Value> = { value: Value } | { problem: Problem }

/** Tries one of a batch: its problem is its own. */
export async function attempt<Value>(work: () => Value | Promise<Value>): Promise<Outcome<Value>> {
  try {
    return { value: await work() }
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem
    return { problem }
  }
}

export const isDone = <Value>(outcome: Outcome<Value>): outcome is { value: Value } =>
  'value' in outcome

/** The error of one of a batch, as the API shows it: all that is wrong, under the first code. */
export function batchError({ code, message, extras }: Problem): { error: string; code: string } {
  const errors = extras.errors ?? []
  const all = errors.length > 1 ? errors.map((each) => each.message).join('; ') : message
  return { error: all, code: errors[0]?.code ?? code }
}

/**
 * What a batch answers: what was done under its name, and the errors of the rest.
 * @throws all_items_failed with the same members, so that nothing is written
 */
export function batchAnswer<Name extends string, Value, Failure extends { error: string }>(
  name: Name,
  done: Value[],
  errors: Failure[]
) {
  if (done.length > 0)
    return { [name]: done, errors } as Record<Name, Value[]> & { errors: Failure[] }
  throw refuse('all_items_failed', {
    detail: `Every item failed; the first: ${errors[0].error}`,
    members: { [name]: [], errors: errors.map((each) => ({ ...each, message: each.error })) },
  })
}
