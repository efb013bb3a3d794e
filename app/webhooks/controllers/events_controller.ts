import { eventCatalog } from '#foundation/core/events/catalog'
import { exampleOfEvent } from '#foundation/api/openapi/example_of'
import { ok } from '#foundation/api/operation/response'
import type { Call } from '#foundation/api/operation/declaration'
import { page } from '#foundation/api/pages'
import { cursors } from '#foundation/api/services'
import { listEvents, payloadsOf } from '#webhooks/queries/list_events'

interface FeedQuery {
  limit?: number
  cursor?: string
  after?: number
  eventType?: string
}

export class EventsController {
  async index({ scope, params, query }: Call<undefined, FeedQuery>) {
    return page({
      cursors,
      path: `/org/${params.orgId}/webhookEvent`,
      query: { ...query },
      fetch: (request) => listEvents(scope, query, request),
      keys: (row) => [row.sequence],
      charactersOf: (row) => row.characters,
      transform: (rows) => payloadsOf(scope, rows),
    })
  }

  async types() {
    return ok(
      eventCatalog.all().map((event) => {
        const { type, summary, description, platforms } = event
        return { type, summary, description, platforms, payload: exampleOfEvent(event) }
      })
    )
  }
}
