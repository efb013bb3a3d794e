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
    description: 'Last segment of the URL of a calendar; `.ics` is optional.',
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
    description: 'Returns the calendars of the organization, oldest first, without their URLs.',
    access: read,
    responses: {
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
      'Creates a URL that calendar apps can subscribe to, for one or all apps and for one pilot or all releases. It is shown once; anyone who has it can read the calendar until it is revoked.',
    access: change,
    body: {
      kind: 'json',
      name: 'CreateCalendarFeedRequestBody',
      description: 'What to show; by default all releases of the organization.',
      like: CalendarFeedEntity,
      validator: createCalendarFeedValidator,
      example: { appId: exampleFeed.appId },
    },
    responses: {
      201: {
        description: 'The calendar with its URL.',
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
    description: 'Returns what the calendar shows. Its URL is only shown on creation.',
    access: read,
    responses: {
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
    description: 'Revokes the calendar. Its URL answers 404 from then on.',
    access: change,
    responses: { 204: { description: 'The calendar is revoked.' } },
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
      'Returns the schedule from three months ago to a year ahead as iCalendar: freezes and target dates, predicted ones as tentative. For calendar apps; needs no key, as the URL cannot be guessed.',
    access: open,
    responses: {
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
