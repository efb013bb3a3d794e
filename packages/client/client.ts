import createClient, { type Client, type Middleware } from 'openapi-fetch'
import type { paths } from './generated/openapi.js'
import { following } from './following.js'
import { retrying, type RetryOptions } from './retrying.js'

/** A client of the Tarmac API: `GET`, `POST`, `PUT`, `PATCH`, `DELETE` with paths of its document. */
export type TarmacClient = Client<paths>

export interface TarmacOptions extends RetryOptions {
  /** Address of the service, such as `https://tarmac.example.com`. */
  baseUrl: string
  /** The API key. Absent for operations that need none. */
  apiKey?: string
  /** Refuses fields that an operation does not know (`Prefer: handling=strict`). Default: true. */
  strict?: boolean
  /** Sends requests in place of the `fetch` of the runtime. */
  fetch?: (request: Request) => Promise<Response>
}

/** Paths of writes that do not know `Idempotency-Key`: those are sent once. */
const WITHOUT_KEY = new RegExp(
  '/mcp$|/callback$|/updateAuth$|/device$|/deviceLogin(/key)?$|/keylessKey$|/featureFlag/{flagId}$' +
    '|/notes/{notesType}/{stepType}$|/uploads(/{uploadId})?$'
)

/** Returns whether a write is repeatable by a key. */
export const takesKey = (method: string, path: string): boolean =>
  !['GET', 'HEAD', 'OPTIONS'].includes(method) && !WITHOUT_KEY.test(path)

/** Creates a client. Every write gets an `Idempotency-Key` of its own unless the caller gives one. */
export function createTarmacClient(options: TarmacOptions): TarmacClient {
  const { baseUrl, apiKey, strict = true, fetch: send = fetch } = options
  const client = createClient<paths>({
    baseUrl,
    // A browser shows no script where a redirect leads.
    redirect: 'document' in globalThis ? 'follow' : 'manual',
    fetch: following(retrying((request) => send(request), options)),
  })
  const headers: Middleware = {
    onRequest({ request, schemaPath }) {
      const set = (name: string, value: string | undefined) => {
        if (value !== undefined && !request.headers.has(name)) request.headers.set(name, value)
      }
      set('X-API-Key', apiKey)
      if (strict && request.method !== 'GET') set('Prefer', 'handling=strict')
      if (takesKey(request.method, schemaPath)) set('Idempotency-Key', crypto.randomUUID())
    },
  }
  client.use(headers)
  return client
}
