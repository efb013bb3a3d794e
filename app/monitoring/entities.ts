import { count, list, nonEmpty, object } from '#foundation/core/schemas'
import { MAX_EVENTS } from './event_input.js'

/** The results of events that were sent. */
export const TakenEvents = object('Result of sending events.', {
  accepted: count('Number of accepted events.'),
  rejected: count('Number of rejected events.'),
  errors: list(
    'Why events were rejected, in their order.',
    object('A rejected event.', {
      index: count('Index in the list, from 0.'),
      error: nonEmpty('Human-readable message.', 2000),
      code: nonEmpty('Stable code of the error, for clients to branch on.', 64),
    }),
    MAX_EVENTS
  ),
})
