import type { Static } from '@sinclair/typebox'
import { APP } from '#apps/examples'
import { entity, id, instant, nonEmpty, nullable, object, url } from '#foundation/core/schemas'
import { ADA } from '#organizations/examples'
import { personMembers } from '#organizations/entities'

const members = {
  id: id('Id of the calendar.'),
  appId: nullable(id('Id of the app whose schedule it shows; null for that of a pilot.')),
  pilot: nullable(
    object('Whose releases it shows, of all apps; null for that of an app.', personMembers)
  ),
  createdBy: nonEmpty('Who made it, for people.', 320),
  createdAt: instant('When it was made, in UTC.'),
}

export const CalendarFeedEntity = entity(
  'CalendarFeedEntity',
  'An address that calendar programs read a schedule at.',
  members
)
export type CalendarFeedEntity = Static<typeof CalendarFeedEntity>

export const CalendarFeedWithUrl = entity(
  'CalendarFeedWithUrl',
  'A calendar with its address, which is shown once.',
  {
    ...members,
    url: url('Where calendar programs read it; whoever has it reads it, without a key.'),
  }
)
export type CalendarFeedWithUrl = Static<typeof CalendarFeedWithUrl>

export const exampleFeed: CalendarFeedEntity = {
  id: 'cal_8sKw2LmTq4VzN1xRb6Yd',
  appId: APP.id,
  pilot: null,
  createdBy: ADA.name,
  createdAt: '2026-11-02T09:00:00.000Z',
}

/** A token as an address ends with it. */
export const EXAMPLE_TOKEN = 'b7Kq2ZtY9mWc4RxV1nLp8sHd5GfJ3uTa6EoXiQwB'

export const exampleFeedWithUrl: CalendarFeedWithUrl = {
  ...exampleFeed,
  url: `https://tarmac.acme.example/calendars/${EXAMPLE_TOKEN}.ics`,
}
