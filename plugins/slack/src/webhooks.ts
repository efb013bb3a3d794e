import { createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundRequest, InboundWebhooks } from '@tarmac/plugin-kit'

const SIGNATURE = 'x-slack-signature'
const TIMESTAMP = 'x-slack-request-timestamp'
const VERSION = 'v0'

/** Maximum age of a delivery, as Slack recommends: an older one may be a replay. */
const TOLERANCE_SECONDS = 5 * 60

/** The credential with the app's signing secret, the only secret that Slack signs with. */
const SECRET = 'signingSecret'

/**
 * Deliveries of Slack to the app: presses of buttons, and one challenge. All are answered at once
 * with 200. The app does not subscribe to events.
 */
const webhooks: InboundWebhooks = {
  /** A person enters the address in the settings of the app. */
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

/** Returns the challenge that Slack expects back before it sends to an address. */
function challengeIn({ headers, rawBody }: InboundRequest): string | null {
  if (!headers['content-type']?.includes('json')) return null
  const { type, challenge } = JSON.parse(Buffer.from(rawBody).toString('utf8')) as {
    type?: unknown
    challenge?: unknown
  }
  return type === 'url_verification' && typeof challenge === 'string' ? challenge : null
}

export default webhooks
