import { ActorEntity, described, instant, nullable, text, words } from '#foundation/core/schemas'
import { ASKED_STATES, type AskedOfStore } from './vocabulary.js'

/** The members of a person's request to a store, as the API shows it. */
export const askedMembers = {
  state: words(ASKED_STATES, 'What became of it; `sent` once the store has taken it.'),
  askedAt: instant('When it was asked for, in UTC.'),
  askedBy: described('Who asked for it.', ActorEntity),
  reason: nullable(text('Why it is refused; null unless it is.', 1000)),
  action: nullable(
    text('What a person can do about that; null if the store does not report it.', 1000)
  ),
}

/** Returns the public members of a request. */
export function shownAsked({ state, askedAt, askedBy, reason, action }: AskedOfStore) {
  return { state, askedAt, askedBy, reason, action }
}
