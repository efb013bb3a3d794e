import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { InboundEvent, InboundRequest, InboundWebhooks } from '@tarmac/plugin-kit'

const SIGNATURE = 'x-hub-signature'

interface Payload {
  webhookEvent?: string
  /** Milliseconds since the epoch. */
  timestamp?: number
  issue?: { id?: string | number; key?: string }
  version?: { id?: string | number; self?: string }
}

interface Hint {
  /** Null if Jira names none. */
  project: string | null
}

const webhooks: InboundWebhooks = {
  /**
   * An administrator creates the webhook in Jira: the API cannot create one for an arbitrary
   * address.
   */
  ensure: async () => null,

  remove: async () => {},

  verify({ headers, rawBody }, secrets) {
    const given = Buffer.from(headers[SIGNATURE] ?? '')
    return secrets.some((secret) => {
      const expected = Buffer.from(
        `sha256=${createHmac('sha256', secret).update(rawBody).digest('hex')}`
      )
      return given.length === expected.length && timingSafeEqual(given, expected)
    })
  },

  parse(request) {
    const event = eventIn(request)
    return event ? [event] : []
  },

  /** A version event lacks the project's key, so it concerns every integration. */
  concerns({ hint }, { data }) {
    const { project } = hint as Hint
    const { projects } = data
    if (project === null) return true
    if (!Array.isArray(projects)) return false
    return projects.some((each) => String(each).toUpperCase() === project.toUpperCase())
  },
}

/**
 * The header with the delivery id is not signed, so the id is derived from the content. Each event
 * contains its time, so contents are unique and a replay is recognized.
 */
function eventIn({ rawBody }: InboundRequest): InboundEvent | null {
  const payload = JSON.parse(Buffer.from(rawBody).toString('utf8')) as Payload
  const { webhookEvent: type = '', timestamp, issue, version } = payload
  const subject = issue?.key ?? version?.id
  if (subject === undefined || typeof timestamp !== 'number') return null
  const key = issue?.key
  return {
    deliveryId: createHash('sha256').update(rawBody).digest('hex'),
    type,
    occurredAt: new Date(timestamp).toISOString(),
    subject: { id: String(subject) },
    hint: { project: key ? key.slice(0, key.lastIndexOf('-')) : null } satisfies Hint,
  }
}

export default webhooks
