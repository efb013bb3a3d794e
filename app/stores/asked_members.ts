import { ActorEntity, described, instant, nullable, text, enumOf } from '#foundation/core/schemas'
import { ASKED_STATES, type AskedOfStore } from './vocabulary.js'

/** The members of a person's request to a store, as the API shows it. */
export const askedMembers = {
  state: enumOf(ASKED_STATES, 'Status of the request; `sent` once the store has accepted it.'),
  askedAt: instant('When it was requested, in UTC.'),
  askedBy: described('Who requested it.', ActorEntity),
  reason: nullable(text('Why it was refused; null unless it was.', 1000)),
  action: nullable(text('What a person can do about it; null if not reported.', 1000)),
}

/** Returns the public members of a request. */
export function shownAsked({ state, askedAt, askedBy, reason, action }: AskedOfStore) {
  return { state, askedAt, askedBy, reason, action }
}
