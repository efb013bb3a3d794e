import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundRequest, InboundWebhooks } from '@tarmac/plugin-kit'

const SIGNATURE = 'x-slack-signature'
const TIMESTAMP = 'x-slack-request-timestamp'
const VERSION = 'v0'

/** Slack's own advice: what is older was sent before, by somebody who read along. */
const TOLERANCE_SECONDS = 5 * 60

/** Slack signs with the secret of its app; there is no other. */
const SECRET = 'signingSecret'

/**
 * Deliveries of Slack to the app: presses of buttons, and once a challenge. All of them are
 * answered at once with 200; events are not asked for.
 */
const webhooks: InboundWebhooks = {
  /** The address is entered in the settings of the app. */
  ensure: async () => null,

  remove: async () => {},

  verify(request, _secrets, credentials) {
    const secret = credentials[SECRET]
    if (typeof secret !== 'string' || !isSigned(request, secret)) return false
    const challenge = challengeIn(request)
    return { answer: { body: challenge === null ? {} : { challenge } } }
  },

  parse: () => [],
}

function isSigned({ headers, rawBody, receivedAt }: InboundRequest, secret: string): boolean {
  const stamp = headers[TIMESTAMP] ?? ''
  if (!/^\d{1,12}$/.test(stamp)) return false
  if (Math.abs(receivedAt.getTime() / 1000 - Number(stamp)) > TOLERANCE_SECONDS) return false
  const signed = createHmac('sha256', secret).update(`${VERSION}:${stamp}:`).update(rawBody)
  const expected = Buffer.from(`${VERSION}=${signed.digest('hex')}`)
  const given = Buffer.from(headers[SIGNATURE] ?? '')
  return given.length === expected.length && timingSafeEqual(given, expected)
}

/** The value that Slack wants back before it sends anything to an address. */
function challengeIn({ headers, rawBody }: InboundRequest): string | null {
  if (!headers['content-type']?.includes('json')) return null
  const { type, challenge } = JSON.parse(Buffer.from(rawBody).toString('utf8')) as {
    type?: unknown
    challenge?: unknown
  }
  return type === 'url_verification' && typeof challenge === 'string' ? challenge : null
}

export default webhooks
