import { refuseField } from '#foundation/core/problems/problem'

/** The problem of an id that its batch already named: the first mention counts. */
export function duplicateId(id: string) {
  return refuseField('/id', 'duplicate_id', `The batch names ${id} more than once.`)
}
