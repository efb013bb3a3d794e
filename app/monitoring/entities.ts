import { count, list, nonEmpty, object } from '#foundation/core/schemas'
import { MAX_EVENTS } from './event_input.js'

/** The results of events that were sent. */
export const TakenEvents = object('What became of the events.', {
  accepted: count('How many were taken.'),
  rejected: count('How many were not.'),
  errors: list(
    'Why some were not taken, in their order.',
    object('An event that was not taken.', {
      index: count('Its place in the list, from 0.'),
      error: nonEmpty('What is wrong with it, for people.', 2000),
      code: nonEmpty('What is wrong with it; stable, for clients to branch on.', 64),
    }),
    MAX_EVENTS
  ),
})
