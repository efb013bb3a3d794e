import type { Static } from '@sinclair/typebox'
import { APP } from '#apps/examples'
import { described, entity, id, instant, nonEmpty, nullable, url } from '#foundation/core/schemas'
import { ADA } from '#organizations/examples'
import { Person } from '#organizations/entities'

const members = {
  id: id('Id of the calendar.'),
  appId: nullable(id('Id of the app shown; null for all apps.')),
  pilot: nullable(described('Pilot whose releases are shown; null for all releases.', Person)),
  createdBy: nonEmpty('Display name of the creator.', 320),
  createdAt: instant('When it was created, in UTC.'),
}

export const CalendarFeedEntity = entity(
  'CalendarFeedEntity',
  'A release schedule that calendar apps can subscribe to.',
  members
)
export type CalendarFeedEntity = Static<typeof CalendarFeedEntity>

export const CalendarFeedWithUrl = entity(
  'CalendarFeedWithUrl',
  'A calendar with its URL, which is shown only once.',
  {
    ...members,
    url: url('URL for calendar apps; anyone who has it can read the calendar without a key.'),
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

/** The token at the end of a calendar's address. */
export const EXAMPLE_TOKEN = 'b7Kq2ZtY9mWc4RxV1nLp8sHd5GfJ3uTa6EoXiQwB'

export const exampleFeedWithUrl: CalendarFeedWithUrl = {
  ...exampleFeed,
  url: `https://tarmac.acme.example/calendars/${EXAMPLE_TOKEN}.ics`,
}

export const EXAMPLE_CALENDAR = `${[
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'PRODID:-//Tarmac//Release schedule//EN',
  `NAME:${APP.name} releases`,
  'BEGIN:VEVENT',
  `UID:${APP.id}-2026-11-16-kickoff@tarmac`,
  'DTSTAMP:20261102T090000Z',
  'DTSTART:20261116T090000Z',
  'DTEND:20261116T093000Z',
  `SUMMARY:${APP.name} 4.2.0: kickoff`,
  'STATUS:CONFIRMED',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n')}\r\n`
