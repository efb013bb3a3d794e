import { created, noContent, ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import type { InputErrors, PartiallyValid } from '#foundation/core/problems/input_errors'
import { CreateCalendarFeed, revokeCalendarFeed } from './create_calendar_feed.js'
import type { CreateCalendarFeedInput } from './feed_input.js'
import { readFeed } from './read_feed.js'
import { calendarFeedEntities, calendarFeedEntity } from './stored_feeds.js'

export class FeedsController {
  async list({ scope }: Call) {
    return ok(await calendarFeedEntities(scope))
  }

  async show({ scope, params }: Call) {
    return ok(await calendarFeedEntity(scope, params.calendarFeedId))
  }

  async create({ scope, params, body, origin }: Call<CreateCalendarFeedInput>) {
    const { id, token } = await new CreateCalendarFeed(scope).handle(body)
    const url = `${origin.baseUrl}/calendars/${token}.ics`
    const location = `/org/${params.orgId}/calendarFeed/${id}`
    return created({ ...(await calendarFeedEntity(scope, id)), url }, location)
  }

  async check({ scope, body }: Call<PartiallyValid<CreateCalendarFeedInput>>, errors: InputErrors) {
    await new CreateCalendarFeed(scope).check(body, errors)
  }

  async revoke({ scope, params: { calendarFeedId } }: Call) {
    await calendarFeedEntity(scope, calendarFeedId)
    await revokeCalendarFeed(scope, calendarFeedId)
    return noContent()
  }

  /** The address is a secret: `no-referrer` keeps it from sites that the calendar links to. */
  async read({ params }: Call) {
    const bytes = await readFeed(params.calendarToken)
    return {
      status: 200,
      raw: { bytes, contentType: 'text/calendar; charset=utf-8' },
      headers: {
        'content-disposition': 'inline; filename="releases.ics"',
        'referrer-policy': 'no-referrer',
        'x-content-type-options': 'nosniff',
        'x-robots-tag': 'noindex',
      },
    }
  }
}
