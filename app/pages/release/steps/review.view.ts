import type { Static } from '@sinclair/typebox'
import type { AppStoreVersionData } from '#stores/entities'
import type { Reader } from '../../frame/page.js'
import { storeWord } from '../../words/plain.js'
import { inSentence } from '../../words/times.js'
import { PLACES } from '../stops.view.js'

type Version = Static<typeof AppStoreVersionData>

/**
 * Returns the review of the version; null before the store knows it. A rejection is shown in full.
 */
export function reviewOf(data: Record<string, unknown>, reader: Reader) {
  const version = (data.appStoreVersion ?? null) as Version | null
  if (version === null) return null
  const { type, rejection, updatedAt } = version
  const raw = type === 'apple' ? version.apple?.appStoreState : version.google?.reviewStatus
  return {
    store: PLACES[type],
    state: raw ? storeWord(raw) : null,
    read: inSentence(updatedAt, reader),
    rejection: rejection && { reason: rejection.reason, details: rejection.details },
  }
}
