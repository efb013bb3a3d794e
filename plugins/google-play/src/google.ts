import { createHash } from 'node:crypto'
import { androidpublisher_v3 } from '@googleapis/androidpublisher/build/v3.js'
import { answerOfClient, isProviderError, type PluginContext } from '@tarmac/plugin-kit'

export type Publisher = androidpublisher_v3.Androidpublisher

/** Options of one call that the client hands on to its fetch. */
interface Calling {
  /** A repetition has no second effect, so the port may repeat it. */
  idempotent?: boolean
}

/** Google's own client for the package of an integration; retries and authentication are the port's. */
export class GooglePlay {
  readonly packageName: string
  readonly #publisher: Publisher

  constructor(
    readonly ctx: PluginContext,
    packageName = String(ctx.data.bundleId ?? '')
  ) {
    this.packageName = packageName
    this.#publisher = new androidpublisher_v3.Androidpublisher({
      retry: false,
      // The environment of the machine names no other.
      universeDomain: 'googleapis.com',
    })
  }

  /**
   * Calls an operation of the client.
   * @throws ProviderError
   */
  async call<Answer>(
    operation: (
      publisher: Publisher,
      options: { fetchImplementation: typeof fetch }
    ) => Promise<{ data: Answer }>,
    { idempotent }: Calling = {}
  ): Promise<Answer> {
    const client = this.ctx.http.client
    const fetchImplementation = ((input: string | URL, init: RequestInit) =>
      client(input, {
        ...{ method: init.method, headers: init.headers, body: init.body },
        idempotent,
      })) as typeof fetch
    const { data } = await answerOfClient(operation(this.#publisher, { fetchImplementation }))
    return data
  }
}

/** The e-mail address of the service account; '' of what is no key file. */
export function accountOf(ctx: PluginContext): string {
  try {
    const file = JSON.parse(String(ctx.secret('serviceAccount'))) as { client_email?: unknown }
    return typeof file.client_email === 'string' ? file.client_email : ''
  } catch {
    return ''
  }
}

/** Names the app as one account sees it: Google has one edit for each. */
export function keyOf({ ctx, packageName }: GooglePlay): string {
  const account = createHash('sha256')
    .update(String(ctx.secret('serviceAccount')))
    .digest('hex')
  return JSON.stringify([account, packageName])
}

/** Google's own words of an error, with those for machines. */
export function wordsOf(error: unknown): string {
  if (!isProviderError(error)) return ''
  const { raw, reason = '', vendorCode = '' } = error.detail
  return `${raw ?? reason}\n${vendorCode}`
}

/** Returns whether Google's own words of an error match. */
export const says = (error: unknown, pattern: RegExp): boolean => pattern.test(wordsOf(error))

/** When a read began, and how old what it shows may be then, in seconds. */
export interface Seen {
  beganAt: string
  lagSeconds: number
}

/** The answer to a change, or the content of an edit, is the present state. */
export const present = (ctx: PluginContext): Seen => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: 0,
})

/** Lists of releases lag behind commits; by how much Google does not say. */
const LIST_LAG_SECONDS = 300

export const listed = (ctx: PluginContext): Seen => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: LIST_LAG_SECONDS,
})
