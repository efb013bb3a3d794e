import { ApiClient, type ApiResponse } from '@japa/api-client'
import { Assert } from '@japa/assert'
import { beLenient, bodyOf, type Leniency } from './api_client.js'

/** An answer as most tests look at it. The body is parsed when it is JSON. */
export interface ApiAnswer<Body = unknown> {
  status: number
  headers: Record<string, string>
  body: Body
  text: string
  /** The same answer with the assertions of Japa: `assertStatus`, `assertBodyContains`, … */
  response: ApiResponse
}

export interface ApiOptions extends Leniency {
  /** A JSON body. */
  json?: unknown
  /** A body of raw bytes; give its type among the headers. */
  raw?: string | Buffer
  headers?: Record<string, string>
}

/** A client of the service under test, or of another one, with a key. */
export class Api {
  readonly #client: ApiClient

  constructor(
    private readonly key: string | null,
    base?: string
  ) {
    this.#client = new ApiClient(base, new Assert())
  }

  get = <Body = any>(path: string, options?: ApiOptions) => this.send<Body>('GET', path, options)
  head = (path: string, options?: ApiOptions) => this.send('HEAD', path, options)
  post = <Body = any>(path: string, json?: unknown, options?: ApiOptions) =>
    this.send<Body>('POST', path, { json, ...options })
  put = <Body = any>(path: string, json?: unknown, options?: ApiOptions) =>
    this.send<Body>('PUT', path, { json, ...options })
  patch = <Body = any>(path: string, json?: unknown, options?: ApiOptions) =>
    this.send<Body>('PATCH', path, { json, ...options })
  delete = <Body = any>(path: string, json?: unknown, options?: ApiOptions) =>
    this.send<Body>('DELETE', path, { json, ...options })

  async send<Body>(
    method: string,
    path: string,
    options: ApiOptions = {}
  ): Promise<ApiAnswer<Body>> {
    const { json, raw, headers } = options
    const request = this.#client.request(path, method).headers({
      ...(this.key ? { 'x-api-key': this.key } : {}),
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...headers,
    })
    const body = raw ?? (json === undefined ? undefined : JSON.stringify(json))
    // As a buffer: Japa's client would add a content type to text.
    if (body !== undefined) request.request.send(Buffer.from(body))
    beLenient(request, options)

    const response = await request
    return {
      status: response.status(),
      headers: Object.fromEntries(
        Object.entries(response.headers()).map(([name, value]) => [name, String(value)])
      ),
      body: bodyOf(response) as Body,
      text: response.text() ?? '',
      response,
    }
  }
}
