import { globalAgent } from 'node:http'
import { apiClient, ApiClient, type ApiRequest, type ApiResponse } from '@japa/api-client'
import { assertDeclared, calledOperations } from './contract.js'
import { requireCheckDeclared } from './hidden_rules.js'
import { requireDeclaredEvents } from './recorded_events.js'

export interface Leniency {
  /** Set by walks over all operations: the request does not count as a test of its operation. */
  uncounted?: boolean
  /** Does not check the answer against the OpenAPI document; for broken HTTP only. */
  unchecked?: boolean
}

const leniencies = new WeakMap<ApiRequest, Leniency>()

/** Exempts one request from some of the checks that apply to every answer. */
export function beLenient(request: ApiRequest, leniency: Leniency): void {
  leniencies.set(request, leniency)
}

/** The plugin `@japa/api-client`, with every answer checked against the OpenAPI document. */
export function checkedApiClient() {
  ApiClient.onRequest(sendAsWritten).teardown(checkAnswer)
  return apiClient()
}

/** Returns the body of an answer: parsed when it is JSON, else its text. */
export function bodyOf(response: ApiResponse): unknown {
  // The package reports the missing body of a HEAD as an empty object.
  return response.request.config.method === 'HEAD' ? '' : response.body()
}

/**
 * Sends the body as it is, takes every status as an answer, and follows no redirects.
 * @throws Error for a path that the package would send as another one.
 */
function sendAsWritten(apiRequest: ApiRequest) {
  const { endpoint } = apiRequest.config
  const { pathname, search } = new URL(`http://localhost${endpoint}`)
  if (pathname + search !== endpoint) {
    throw new Error(`${endpoint} would be sent as ${pathname + search}: see tests/support/raw.ts`)
  }
  apiRequest.request
    .agent(globalAgent)
    .redirects(0)
    .ok(() => true)
    .serialize((body) => body)
    .parse((incoming, done) => {
      const chunks: Buffer[] = []
      incoming.on('data', (chunk: Buffer) => chunks.push(chunk))
      incoming.on('end', () => {
        try {
          incoming.text = Buffer.concat(chunks).toString()
          const isJson = /json/.test(incoming.headers['content-type'] ?? '')
          done(null, isJson && incoming.text !== '' ? JSON.parse(incoming.text) : incoming.text)
        } catch (error) {
          done(error as Error, null)
        }
      })
    })
}

async function checkAnswer(response: ApiResponse) {
  requireDeclaredEvents()
  const { uncounted, unchecked } = leniencies.get(response.request) ?? {}
  if (unchecked) return
  const { method, endpoint } = response.request.config
  const status = response.status()
  const contentType = response.header('content-type') ?? ''
  const answer = { method, path: endpoint, status, contentType, body: bodyOf(response) }
  const operationId = assertDeclared(answer)
  if (operationId) await requireCheckDeclared(operationId, sentBy(response.request), answer)
  if (operationId && status < 400 && !uncounted) calledOperations.add(operationId)
}

/** Returns the body of a request as it was written; undefined without one. */
function sentBy(apiRequest: ApiRequest): Buffer | undefined {
  return (apiRequest.request as unknown as { _data?: Buffer })._data
}
