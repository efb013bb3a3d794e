import { attemptsChart } from '../charts/attempts_chart.js'
import { shownChart } from '../charts/chart.js'
import { addresses, addressOf } from '../addresses.js'
import { choicesView, fieldView } from '../components/field.view.js'
import { FormState, typedInstant } from '../frame/fields.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { earlier } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { changedMeanwhile } from '../release/changed.js'
import { appNames } from '../words/names.js'
import { counted, countText } from '../words/numbers.js'
import { statusLabel } from '../words/statuses.js'
import { inSentence, relativeText, timeOf } from '../words/times.js'
import type { Delivery, Endpoint, EndpointAnswers, EventType } from './answers.js'
import {
  DELIVERY_STATUSES,
  DISABLED_REASONS,
  POLL_SECONDS,
  ENDPOINT_STATUSES,
  eventsText,
  filterText,
  outcomeText,
  triedText,
} from './words.js'

type Call = Pick<PageCall, 'reader' | 'refused' | 'params' | 'query'>

/** Filters of the deliveries, as in the query. */
type Filter = Partial<Record<'status' | 'event', string>>

const PING = 'ping'

/** Returns the filter in a query, without unknown values. */
export function filterIn(query: PageCall['query'], types: readonly EventType[]): Filter {
  const { status, event } = query
  const isEvent = event === PING || types.some(({ type }) => type === event)
  return {
    ...(Object.hasOwn(DELIVERY_STATUSES, status ?? '') && { status }),
    ...(isEvent && { event }),
  }
}

/** Returns the view of an endpoint: its health, its deliveries, and what the reader can do. */
export function endpointView(answers: EndpointAnswers, { reader, refused, params, query }: Call) {
  const { endpoint, tag, statistics, deliveries, nextCursor, apps, types } = answers
  const base = addressOf(addresses.webhook, params)
  const filter = filterIn(query, types)
  const [pings, recovers] = [addresses.pingWebhook, addresses.recoverWebhook].map((address) => {
    const action = addressOf(address, params)
    return { action, state: new FormState(refused, action) }
  })
  const chart = attemptsChart(statistics.hours, {
    ...{ id: 'attempts', since: statistics.since, reader },
  })
  const isDisabled = endpoint.status === 'disabled'
  return {
    title: endpoint.url,
    place: 'webhooks',
    pollSeconds: POLL_SECONDS,
    ...changedMeanwhile(refused, reader),
    back: addressOf(addresses.webhooks, params),
    heading: endpoint.url,
    status: statusLabel(ENDPOINT_STATUSES, endpoint.status),
    description: endpoint.description,
    gets: `${eventsText(endpoint)} · ${filterText(endpoint, appNames(apps))}`,
    sentence: sentenceOf(endpoint, statistics, deliveries, reader),
    editHref: addressOf(addresses.editWebhook, params),
    rotateHref: addressOf(addresses.rotateWebhook, params),
    deleteHref: addressOf(addresses.deleteWebhook, params),
    enable: {
      action: addressOf(addresses.enableWebhook, params),
      tag,
      value: String(isDisabled),
      verb: isDisabled ? 'Enable' : 'Disable',
    },
    counts: Object.entries(statistics.deliveries).map(([status, count]) => ({
      ...{ count: countText(count), word: statusLabel(DELIVERY_STATUSES, status).word },
    })),
    chart: shownChart('Attempts', chart),
    ping: {
      action: pings.action,
      eventType: choicesView(pings.state, {
        id: 'eventType',
        label: 'Test message',
        hint: 'Sent once and marked as a test, even to a disabled endpoint.',
        options: [
          { value: '', label: 'A plain ping', isOn: true },
          ...types.map(({ type }) => ({ value: type, label: `Example of ${type}` })),
        ],
      }),
    },
    recover: isDisabled
      ? null
      : {
          action: recovers.action,
          since: fieldView(recovers.state, {
            id: 'since',
            label: 'Send what it missed since',
            hint: 'Sends the events since then that it should have received but did not.',
            stored: typedInstant(statistics.failingSince ?? earlier(reader.now, DAY), reader.zone),
            type: 'datetime-local',
          }),
        },
    filters: [
      filterView('status', 'State', filter, [
        ['', 'Every state'],
        ...Object.entries(DELIVERY_STATUSES).map(([status, { word }]) => [status, word] as const),
      ]),
      filterView('event', 'Event', filter, [
        ['', 'Every event'],
        [PING, 'Pings'],
        ...types.map(({ type }) => [type, type] as const),
      ]),
    ],
    base,
    isFiltered: Object.keys(filter).length > 0,
    rows: deliveries.map((delivery) => ({
      href: addressOf(addresses.delivery, { ...params, deliveryId: delivery.id }),
      event: delivery.eventType,
      number: delivery.sequence === null ? 'Test' : `No. ${delivery.sequence}`,
      status: statusLabel(DELIVERY_STATUSES, delivery.status),
      tried: triedText(delivery),
      made: timeOf(delivery.createdAt, reader),
      next: delivery.nextAttemptAt
        ? `next attempt ${relativeText(delivery.nextAttemptAt, reader.now) ?? inSentence(delivery.nextAttemptAt, reader)}`
        : null,
    })),
    empty:
      Object.keys(filter).length > 0
        ? 'No delivery matches.'
        : 'Nothing has been sent yet. Send a test message to check the connection.',
    more: nextCursor ? `${base}?${new URLSearchParams({ ...filter, cursor: nextCursor })}` : null,
  } satisfies PageView & Record<string, unknown>
}

function filterView(
  id: keyof Filter,
  label: string,
  filter: Filter,
  options: readonly (readonly [value: string, label: string])[]
) {
  return choicesView(new FormState(null, ''), {
    ...{ id, label },
    options: options.map(([value, name]) => ({
      ...{ value, label: name, isOn: value === (filter[id] ?? '') },
    })),
  })
}

/** Says that nothing was delivered yet, and whether the newest test message failed. */
function sentenceWithoutDeliveries(deliveries: readonly Delivery[]): Sentence {
  const text = 'Nothing has been delivered yet.'
  const ping = deliveries.find(({ sequence }) => sequence === null)
  if (ping?.status !== 'failed') return { tone: '', icon: 'hourglass', text, detail: null }
  const outcome = outcomeText(ping.lastStatusCode, ping.lastErrorClass)
  const detail = `The last test message failed: ${outcome}.`
  return { tone: 'warn', icon: 'octagon-alert', text, detail }
}

interface Sentence {
  /** The colour; empty for a neutral one. */
  tone: 'good' | 'warn' | 'bad' | ''
  icon: IconName
  text: string
  detail: string | null
}

/** Describes the health of an endpoint in a sentence or two. */
function sentenceOf(
  { status, disabledReason }: Endpoint,
  { failuresInARow, failingSince, lastSuccessAt, disablesAt }: EndpointAnswers['statistics'],
  deliveries: readonly Delivery[],
  reader: Reader
): Sentence {
  const at = (instant: string) => relativeText(instant, reader.now) ?? inSentence(instant, reader)
  const last = lastSuccessAt ? `It last accepted a delivery ${at(lastSuccessAt)}.` : null
  if (status === 'disabled') {
    const text = disabledReason ? DISABLED_REASONS[disabledReason] : 'It is disabled.'
    const detail = 'Nothing is sent to it. Once it is enabled, a recovery sends what it missed.'
    return { tone: 'bad', icon: 'circle-slash', text, detail }
  }
  if (failingSince === null) {
    return last
      ? { tone: 'good', icon: 'circle-check', text: last, detail: null }
      : sentenceWithoutDeliveries(deliveries)
  }
  const failed = `${counted(failuresInARow, 'attempt')} failed in a row, since ${inSentence(failingSince, reader)}.`
  if (status !== 'degraded')
    return { tone: 'warn', icon: 'octagon-alert', text: failed, detail: last }
  const ends = disablesAt
    ? ` Unless one is delivered, it is disabled ${inSentence(disablesAt, reader)}.`
    : ''
  const detail = `One delivery is retried; the others wait for it to succeed.${ends}`
  return { tone: 'bad', icon: 'octagon-alert', text: failed, detail }
}
