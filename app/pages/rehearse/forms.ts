import type { RehearsalEntity } from '#simulation/rehearsals/entities'
import { addresses, addressOf } from '../addresses.js'
import { numberIn, textOf } from '../frame/fields.js'
import { form } from '../frame/page.js'
import { rehearsalPage, rehearsalsPage } from './page.js'

/** Starts a rehearsal of the next weeks of an app. */
export const rehearseForm = form({
  path: addresses.rehearsals,
  operation: 'startRehearsal',
  makes: true,
  request: ({ params: { appId }, fields }) => ({
    params: { appId },
    body: {
      weeks: numberIn(fields, 'weeks') ?? undefined,
      scenario: textOf(fields, 'scenario') ?? undefined,
    },
  }),
  shownOn: { page: rehearsalsPage },
  done: ({ params: { appId }, answer }) => {
    const { id: rehearsalId } = answer as RehearsalEntity
    return { to: addressOf(addresses.rehearsal, { appId, rehearsalId }) }
  },
})

/** Ends a rehearsal that is under way. */
export const stopForm = form({
  path: addresses.stopRehearsal,
  operation: 'stopRehearsal',
  request: ({ params: { appId, rehearsalId } }) => ({ params: { appId, rehearsalId } }),
  shownOn: { page: rehearsalPage },
  done: ({ answer }) => ({
    said:
      (answer as RehearsalEntity).state === 'stopped' ? 'The rehearsal was stopped.' : undefined,
  }),
})
