import { createHash } from 'node:crypto'
import { androidpublisher_v3 } from '@googleapis/androidpublisher/build/v3.js'
import { answerOfClient, isProviderError, type PluginContext } from '@tarmac/plugin-kit'

export type Publisher = androidpublisher_v3.Androidpublisher

/** Options of one call that the client passes to its `fetch`. */
interface Calling {
  /** A repetition has no second effect, so the port may retry it. */
  idempotent?: boolean
}

/**
 * Google's own client for the package of an integration. The port does retries and authentication.
 */
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
      // Set here, so that the machine's environment cannot change it.
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

/** Returns the e-mail address of the service account; '' if the credential is not a key file. */
export function accountOf(ctx: PluginContext): string {
  try {
    const file = JSON.parse(String(ctx.secret('serviceAccount'))) as { client_email?: unknown }
    return typeof file.client_email === 'string' ? file.client_email : ''
  } catch {
    return ''
  }
}

/** Returns a key of account and app, because Google has one edit for each such pair. */
export function keyOf({ ctx, packageName }: GooglePlay): string {
  const account = createHash('sha256')
    .update(String(ctx.secret('serviceAccount')))
    .digest('hex')
  return JSON.stringify([account, packageName])
}

/** Returns Google's text of an error, with its machine-readable reasons. */
export function wordsOf(error: unknown): string {
  if (!isProviderError(error)) return ''
  const { raw, reason = '', vendorCode = '' } = error.detail
  return `${raw ?? reason}\n${vendorCode}`
}

/** Returns whether Google's text of an error matches. */
export const says = (error: unknown, pattern: RegExp): boolean => pattern.test(wordsOf(error))

/** The beginning of a read, and the maximum age of its content then, in seconds. */
export interface Seen {
  beganAt: string
  lagSeconds: number
}

/** Marks a change or a read by an edit, which show the current state. */
export const present = (ctx: PluginContext): Seen => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: 0,
})

/**
 * Marks a read of a list. Lists of releases lag behind commits, and Google does not document by how
 * much.
 */
const LIST_LAG_SECONDS = 300

export const listed = (ctx: PluginContext): Seen => ({
  beganAt: ctx.now().toISOString(),
  lagSeconds: LIST_LAG_SECONDS,
})
