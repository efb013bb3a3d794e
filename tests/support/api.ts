import { request } from 'node:http'
import { assertDeclared, calledOperations } from './contract.js'

/** An answer as the tests look at it. The body is parsed when it is JSON. */
export interface ApiAnswer<Body = unknown> {
  status: number
  headers: Record<string, string>
  body: Body
  text: string
}

export interface ApiRequest {
  /** A JSON body. */
  json?: unknown
  /** A body of raw bytes; give its type among the headers. */
  raw?: string | Buffer
  headers?: Record<string, string>
  /** Does not count as a test of the operation: walks over all operations say so. */
  uncounted?: boolean
  /** Leaves the answer unchecked against the OpenAPI document: for broken HTTP only. */
  unchecked?: boolean
}

/** A client of the service under test that checks every answer against the document. */
export class Api {
  constructor(
    private readonly key: string | null,
    private readonly base = `http://${process.env.HOST}:${process.env.PORT}`
  ) {}

  get = <Body = any>(path: string, options?: ApiRequest) => this.send<Body>('GET', path, options)
  head = (path: string, options?: ApiRequest) => this.send('HEAD', path, options)
  post = <Body = any>(path: string, json?: unknown, options?: ApiRequest) =>
    this.send<Body>('POST', path, { json, ...options })
  put = <Body = any>(path: string, json?: unknown, options?: ApiRequest) =>
    this.send<Body>('PUT', path, { json, ...options })
  patch = <Body = any>(path: string, json?: unknown, options?: ApiRequest) =>
    this.send<Body>('PATCH', path, { json, ...options })
  delete = <Body = any>(path: string, json?: unknown, options?: ApiRequest) =>
    this.send<Body>('DELETE', path, { json, ...options })

  send<Body>(method: string, path: string, options: ApiRequest = {}): Promise<ApiAnswer<Body>> {
    const body = options.raw ?? (options.json === undefined ? null : JSON.stringify(options.json))
    const headers: Record<string, string> = {
      ...(this.key ? { 'x-api-key': this.key } : {}),
      ...(options.json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...options.headers,
    }
    return new Promise((resolve, reject) => {
      const outgoing = request(this.base + path, { method, headers }, (incoming) => {
        const chunks: Buffer[] = []
        incoming.on('data', (chunk) => chunks.push(chunk))
        incoming.on('error', reject)
        incoming.on('end', () => {
          try {
            resolve(this.#read<Body>(method, path, options, incoming, Buffer.concat(chunks)))
          } catch (error) {
            reject(error)
          }
        })
      })
      outgoing.on('error', reject)
      if (body !== null) outgoing.write(body)
      outgoing.end()
    })
  }

  #read<Body>(
    method: string,
    path: string,
    options: ApiRequest,
    incoming: { statusCode?: number; headers: NodeJS.Dict<string | string[]> },
    bytes: Buffer
  ): ApiAnswer<Body> {
    const headers = Object.fromEntries(
      Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
    )
    const text = bytes.toString()
    const contentType = headers['content-type'] ?? ''
    const body = /json/.test(contentType) && text !== '' ? JSON.parse(text) : text
    const status = incoming.statusCode ?? 0
    if (!options.unchecked) {
      const operationId = assertDeclared({ method, path, status, contentType, body })
      if (operationId && status < 400 && !options.uncounted) calledOperations.add(operationId)
    }
    return { status, headers, body: body as Body, text }
  }
}
