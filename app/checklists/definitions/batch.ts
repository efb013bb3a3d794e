import { refuse } from '#foundation/core/problems/problem'

/**
 * Returns the answer of a batch: the results under its name, and the errors of the rest.
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
