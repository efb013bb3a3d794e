import { refuseField } from '#foundation/core/problems/problem'

/** Returns the problem of an id that a batch repeats. Only its first entry is carried out. */
export function duplicateId(id: string) {
  return refuseField('/id', 'duplicate_id', `The batch names ${id} more than once.`)
}
