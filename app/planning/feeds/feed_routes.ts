import { Type } from '@sinclair/typebox'
import { actions, open, operation, read } from '#foundation/api/operation/declaration'
import { lazyController } from '#foundation/api/operation/lazy_controller'
import type { ParameterDeclaration } from '#foundation/api/operation/parameters'
import {
  CalendarFeedEntity,
  CalendarFeedWithUrl,
  EXAMPLE_CALENDAR,
  EXAMPLE_TOKEN,
  exampleFeed,
  exampleFeedWithUrl,
} from './feed_entities.js'
import { createCalendarFeedValidator } from './feed_input.js'
import { twoSteps } from '#foundation/api/operation/steps'

const feeds = lazyController(
  async () => new (await import('./feeds_controller.js')).FeedsController()
)
const base = '/org/{orgId}/calendarFeed'
const one = `${base}/{calendarFeedId}`
const shared = { tag: 'Planning', beyond: true } as const
const change = actions('UpdateScheduleCadence', 'UpdateAppSettings')

export const feedParameters: Record<string, ParameterDeclaration> = {
  calendarFeedId: { description: 'Id of the calendar.', example: exampleFeed.id },
  calendarToken: {
    description: 'The end of the address of a calendar; `.ics` may be left out.',
    example: `${EXAMPLE_TOKEN}.ics`,
  },
}

export const feedOperations = [
  operation({
    ...shared,
    id: 'listCalendarFeeds',
    method: 'GET',
    path: base,
    summary: 'List calendars',
    description: 'The calendars of the organization, oldest first; never with their addresses.',
    access: read,
    answers: {
      200: {
        description: 'The calendars.',
        schema: Type.Array(CalendarFeedEntity, { maxItems: 10_000 }),
        example: [exampleFeed],
      },
    },
    handle: (call) => feeds.list(call),
  }),
  operation({
    ...shared,
    id: 'createCalendarFeed',
    steps: twoSteps('lets whoever has the address read'),
    method: 'POST',
    path: base,
    summary: 'Create a calendar',
    description:
      'Makes an address that calendar programs subscribe to: of an app or of every app, of a pilot or of all releases. It is shown once; whoever has it reads the calendar until it is revoked.',
    access: change,
    body: {
      kind: 'json',
      name: 'CreateCalendarFeedRequestBody',
      description: 'What it shows; all of the organization unless something is said.',
      like: CalendarFeedEntity,
      validator: createCalendarFeedValidator,
      example: { appId: exampleFeed.appId },
    },
    answers: {
      201: {
        description: 'The calendar with its address.',
        schema: CalendarFeedWithUrl,
        example: exampleFeedWithUrl,
      },
    },
    creates: 'getCalendarFeed',
    check: (call, errors) => feeds.check(call, errors),
    handle: (call) => feeds.create(call),
  }),
  operation({
    ...shared,
    id: 'getCalendarFeed',
    method: 'GET',
    path: one,
    summary: 'Get a calendar',
    description: 'Whose schedule it shows; its address was shown when it was made.',
    access: read,
    answers: {
      200: { description: 'The calendar.', schema: CalendarFeedEntity, example: exampleFeed },
    },
    handle: (call) => feeds.show(call),
  }),
  operation({
    ...shared,
    id: 'revokeCalendarFeed',
    steps: twoSteps('destroys the address'),
    method: 'DELETE',
    path: one,
    summary: 'Revoke a calendar',
    description: 'Its address answers 404 from then on.',
    access: change,
    answers: { 204: { description: 'It is revoked.' } },
    precondition: { of: 'getCalendarFeed' },
    handle: (call) => feeds.revoke(call),
  }),
  operation({
    ...shared,
    id: 'readCalendar',
    method: 'GET',
    path: '/calendars/{calendarToken}',
    summary: 'Read a calendar',
    description:
      'The schedule of three months back to a year ahead as iCalendar: target dates, predicted ones as tentative, and freezes. For calendar programs; needs no key, the address cannot be guessed.',
    access: open,
    answers: {
      200: {
        description: 'The calendar.',
        contentType: 'text/calendar',
        schema: Type.String({ description: 'An iCalendar document (RFC 5545).' }),
        example: EXAMPLE_CALENDAR,
      },
    },
    handle: (call) => feeds.read(call),
  }),
]
