import { WebClient } from '@slack/web-api'
import {
  answerOfClient,
  isProviderError,
  ProviderError,
  type PluginContext,
  type PortFetch,
} from '@tarmac/plugin-kit'
import { BROKEN } from './errors.js'
import { API_HOST } from './manifest.js'

const API = `https://${API_HOST}/api/`

/** Methods that change nothing; Slack's client sends all methods by `POST`. */
const READS = [
  'auth.test',
  'conversations.history',
  'conversations.info',
  'conversations.list',
  'conversations.replies',
  'users.info',
  'users.lookupByEmail',
]
/** Methods whose repetition has no second effect. */
const REPEATABLE = ['chat.update', 'conversations.invite', 'conversations.join']

const silent = () => {}

/** Slack's own client. The port does retries, limits and authentication. */
export class Slack {
  readonly #client: WebClient

  constructor({ http }: PluginContext) {
    this.#client = new WebClient(undefined, {
      slackApiUrl: API,
      fetch: fetchOf(http.client) as typeof fetch,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      logger: {
        ...{ debug: silent, info: silent, warn: silent, error: silent },
        ...{ setLevel: silent, setName: silent, getLevel: () => 'error' as never },
      },
    })
  }

  /**
   * Calls a method of the client.
   * @throws ProviderError
   */
  async call<Answer>(ask: (client: WebClient) => Promise<Answer>): Promise<Answer> {
    return answerOfClient(ask(this.#client).catch(requireWorking))
  }
}

/** @throws ProviderError for a failure that Slack reports, otherwise the original error */
function requireWorking(error: unknown): never {
  const { data } = error as { data?: { error?: unknown } }
  const code = typeof data?.error === 'string' ? data.error : ''
  if (!BROKEN.includes(code)) throw error
  throw new ProviderError('unavailable', `Slack failed: ${code}`, {
    outcome: 'unknown',
    vendorCode: code,
  })
}

const fetchOf =
  (client: PortFetch): PortFetch =>
  (input, { method, headers, body } = {}) => {
    const name = new URL(String(input)).pathname.slice('/api/'.length)
    return client(input, {
      ...{ method, headers, body },
      ...(READS.includes(name) && { isQuery: true }),
      ...(REPEATABLE.includes(name) && { idempotent: true }),
    })
  }

/** Returns whether a failure has one of Slack's own codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): error is ProviderError {
  return isProviderError(error) && codes.includes(error.detail.vendorCode ?? '')
}

/** Returns a member of an answer. @throws ProviderError `protocol` if it is missing */
export function demanded<Value>(value: Value | undefined, what: string): Value {
  if (value !== undefined) return value
  throw new ProviderError('protocol', `Slack answered without ${what}`, { outcome: 'unknown' })
}
