import { Type } from '@sinclair/typebox'
import { count } from '#foundation/core/schemas'

export const problemMembers = {
  accepted: Type.Optional(count('With `all_items_failed` of events: 0.')),
  rejected: Type.Optional(count('With `all_items_failed` of events: the number of events.')),
}
