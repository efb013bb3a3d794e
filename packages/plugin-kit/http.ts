/*
 * The HTTP client of a plugin. The host builds the `fetch`; `make_http.ts` builds the rest upon it.
 */

/** Options of the port beyond `RequestInit`; a vendor's own client leaves them out. */
export interface PortInit extends RequestInit {
  /** A repetition has no second effect, so it may be retried. Reads always may. */
  idempotent?: boolean
  /**
   * The request changes nothing despite its method, such as a GraphQL query, so it may be retried.
   */
  isQuery?: boolean
  /** The path that the log shows: `/repos/{owner}/{repo}`. The real path by default. */
  template?: string
  /** Timeout of one attempt in milliseconds; for a download, until its headers have arrived. */
  timeoutMs?: number
  /** Sends no credentials. */
  anonymous?: boolean
  /** The body is a file: it is streamed, without the size limit of other answers. */
  download?: boolean
}

/**
 * A WHATWG `fetch`. It makes safe retries, follows no redirect and returns any status as a
 * `Response`. The body is already read, unless it is a download.
 * @throws ProviderError if there is no usable answer: host not allowed or not reachable, timeout,
 * answer too long, no budget left, or calls paused; the reason of `init.signal` if it aborts the
 * call
 */
export type PortFetch = (input: string | URL | Request, init?: PortInit) => Promise<Response>

const inDoubt = new WeakSet<Response>()

/** Marks a response whose earlier attempt got no answer and may have been applied. */
export function markInDoubt(response: Response): void {
  inDoubt.add(response)
}

export const isInDoubt = (response: Response): boolean => inDoubt.has(response)

/** Statuses whose responses have no body (Fetch, 2.2.3). */
const BODILESS = new Set([204, 205, 304])

export const isBodiless = (status: number): boolean => BODILESS.has(status)

/** Makes a response with a `url`, which vendors' clients read. */
export function makeResponse(
  body: ConstructorParameters<typeof Response>[0],
  { status, headers }: { status: number; headers: Headers },
  url: string
): Response {
  const response = new Response(isBodiless(status) ? null : body, { status, headers })
  Object.defineProperty(response, 'url', { value: url })
  return response
}

type Value = string | number | boolean

export interface HttpRequest {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /**
   * A path on the connection's host (by default the first allowed one), or a whole URL. `{name}` is
   * a placeholder for a parameter.
   */
  path: string
  /** Values for `{name}` in the path; they are encoded, slashes included. */
  params?: Readonly<Record<string, string | number>>
  query?: Readonly<Record<string, Value | readonly string[] | undefined>>
  headers?: Readonly<Record<string, string>>
  json?: unknown
  form?: Readonly<Record<string, string>>
  /** The format of the answer; JSON by default. */
  accept?: 'json' | 'text'
  /** Statuses beside 200 to 299 that are returned instead of thrown. */
  expect?: readonly number[]
  idempotent?: boolean
  timeoutMs?: number
  anonymous?: boolean
}

export interface HttpResponse<Body = unknown> {
  status: number
  headers: Headers
  /** Null if it is empty. */
  body: Body
}

/** The access that a token gives, by the provider's names: `{ issues: 'write' }`. */
export type Permits = Readonly<Record<string, string>>

export interface Http {
  /**
   * @throws ProviderError for any other status, for a body that is not JSON, and as `PortFetch`
   * does
   */
  send<Body = unknown>(request: HttpRequest): Promise<HttpResponse<Body>>
  /**
   * Streams a file. Follows redirects to hosts that the plugin may reach; credentials go to the
   * first origin alone.
   * @throws ProviderError
   */
  download(request: HttpRequest): Promise<ReadableStream<Uint8Array>>
  /**
   * Returns what the token in use permits, as the provider said when it issued it; null if it said
   * nothing. Gets a token if there is none.
   * @throws ProviderError
   */
  permits(): Promise<Permits | null>
  /**
   * A `fetch` for a vendor's own client. It throws for every status but success, redirects
   * included, so that no client mistakes an error for an answer or loses its outcome.
   * `answerOfClient` unwraps the thrown error.
   * @throws ProviderError as `send` does
   */
  client: PortFetch
}
