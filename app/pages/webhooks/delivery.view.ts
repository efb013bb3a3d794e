import type { WebhookRecoveryEntity } from '#webhooks/entities'
import { SENT_HEADERS } from '#webhooks/vocabulary'
import { addresses, addressOf } from '../addresses.js'
import type { IconName } from '../frame/icon_names.js'
import type { PageCall, PageView, Reader } from '../frame/page.js'
import { counted, countText } from '../words/numbers.js'
import { statusLabel } from '../words/statuses.js'
import { inSentence, relativeText, secondsText, spanText, timeText } from '../words/times.js'
import type { DeliveryAnswers, DeliveryDetail } from './answers.js'
import { attemptTitle, DELIVERY_STATUSES, POLL_SECONDS, outcomeText } from './words.js'

type Call = Pick<PageCall, 'reader' | 'params'>

/** Shown in the place of secret values. */
const HIDDEN = '(not shown)'

/** Returns the view of a delivery: its body, and the result of each attempt. */
export function deliveryView({ delivery, endpoint }: DeliveryAnswers, { reader, params }: Call) {
  const { eventType, status, sequence, payload, attempts, nextAttemptAt } = delivery
  return {
    title: eventType,
    place: 'webhooks',
    pollSeconds: POLL_SECONDS,
    back: { href: addressOf(addresses.webhook, params), name: endpoint.url },
    heading: eventType,
    number: sequence === null ? 'Test message' : `Event no. ${sequence}`,
    status: statusLabel(DELIVERY_STATUSES, status),
    made: `Created ${inSentence(delivery.createdAt, reader)}`,
    next: nextAttemptAt
      ? `It is tried ${relativeText(nextAttemptAt, reader.now) ?? inSentence(nextAttemptAt, reader)}.`
      : null,
    redeliver: addressOf(addresses.redeliver, params),
    body: payload === null ? null : JSON.stringify(payload, null, 2),
    count: counted(attempts.length, 'attempt'),
    attempts: attempts.map((attempt, index) => attemptOf(attempt, index, delivery, reader)),
  } satisfies PageView & Record<string, unknown>
}

function attemptOf(
  attempt: DeliveryDetail['attempts'][number],
  index: number,
  { eventId }: DeliveryDetail,
  reader: Reader
) {
  const { delivered, startedAt, url, headerNames, statusCode, errorClass, errorMessage, timings } =
    attempt
  const seconds = Math.floor(Date.parse(startedAt) / 1000)
  const isToday = relativeText(startedAt, reader.now) !== null
  return {
    title: attemptTitle(attempt),
    isFirst: index === 0,
    status: delivered ? DELIVERY_STATUSES.succeeded : DELIVERY_STATUSES.failed,
    outcome: outcomeText(statusCode, errorClass),
    why: errorMessage,
    at: isToday ? secondsText(startedAt, reader) : timeText(startedAt, reader),
    iso: startedAt,
    took: tookText(timings),
    to: attempt.remoteAddress,
    request: [
      `POST ${url}`,
      ...linesOf({
        ...SENT_HEADERS,
        'webhook-id': eventId,
        'webhook-timestamp': String(seconds),
        'webhook-signature': HIDDEN,
        ...Object.fromEntries(headerNames.map((name) => [name, HIDDEN])),
      }),
    ].join('\n'),
    answer:
      statusCode === null
        ? null
        : [String(statusCode), ...linesOf(attempt.answerHeaders), '', attempt.answerBody]
            .join('\n')
            .trim(),
  }
}

const linesOf = (headers: Readonly<Record<string, string>>): string[] =>
  Object.entries(headers).map(([name, value]) => `${name}: ${value}`)

/** Spans below this are shown in milliseconds. */
const SHORT_MS = 1000

const timeTaken = (milliseconds: number) =>
  milliseconds < SHORT_MS ? `${milliseconds} ms` : spanText(milliseconds)

/** Describes how long an attempt took, and when its phases ended. */
function tookText({
  resolved,
  connected,
  answered,
  total,
}: DeliveryDetail['attempts'][number]['timings']) {
  const parts = [
    ['name', resolved],
    ['connection', connected],
    ['answer', answered],
  ] as const
  const shares = parts.flatMap(([name, at]) =>
    at === undefined ? [] : `${name} after ${timeTaken(at)}`
  )
  return [`${timeTaken(total)} in all`, ...shares].join(', ')
}

const RECOVERY_LOOKS: Readonly<
  Record<WebhookRecoveryEntity['status'], { text: string; tone: string; icon: IconName }>
> = {
  running: { text: 'It continues.', tone: '', icon: 'hourglass' },
  completed: { text: 'Done.', tone: 'good', icon: 'circle-check' },
  canceled: {
    text: 'It ended early: the endpoint was disabled.',
    ...{ tone: 'warn', icon: 'circle-slash' },
  },
}

/** Returns the view of a recovery and its progress. */
export function recoveryView(recovery: WebhookRecoveryEntity, { reader, params }: Call) {
  const { since, status, examined, recovered } = recovery
  return {
    title: 'Recovery',
    place: 'webhooks',
    pollSeconds: status === 'running' ? 2 : null,
    back: addressOf(addresses.webhook, params),
    heading: `Recovery since ${inSentence(since, reader)}`,
    isRunning: status === 'running',
    ...RECOVERY_LOOKS[status],
    detail: `${countText(examined)} events checked, ${countText(recovered)} of them sent again.`,
  } satisfies PageView & Record<string, unknown>
}
