import { addresses, addressOf } from '../addresses.js'
import type { PageCall, PageView } from '../frame/page.js'
import { appNames } from '../words/names.js'
import { counted } from '../words/numbers.js'
import { statusLabel } from '../words/statuses.js'
import type { EndpointsAnswers } from './answers.js'
import { POLL_SECONDS, ENDPOINT_STATUSES, eventsText, filterText } from './words.js'

/** Returns the view of all endpoints. */
export function endpointsView(
  { endpoints, apps }: EndpointsAnswers,
  { params }: Pick<PageCall, 'params'>
) {
  const nameOf = appNames(apps)
  const failing = endpoints.filter(({ status }) => status !== 'active').length
  return {
    title: 'Webhooks',
    place: 'webhooks',
    pollSeconds: POLL_SECONDS,
    brief:
      endpoints.length === 0
        ? null
        : `${counted(endpoints.length, 'endpoint')}${failing > 0 ? `, ${failing} of them not working` : ''}`,
    newHref: addressOf(addresses.newWebhook, params),
    rows: endpoints.map((endpoint) => ({
      href: addressOf(addresses.webhook, { ...params, endpointId: endpoint.id }),
      url: endpoint.url,
      description: endpoint.description,
      status: statusLabel(ENDPOINT_STATUSES, endpoint.status),
      events: eventsText(endpoint),
      of: filterText(endpoint, nameOf),
    })),
  } satisfies PageView & Record<string, unknown>
}
