import { randomUUID } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineConfig } from '@adonisjs/core/http'
import { refuse, renderProblem } from '#foundation/problems/problem'
import env from '#start/env'

export const appKey = env.get('APP_KEY')

export const http = defineConfig({
  // Request ids are set by the error boundary, which also accepts the client's own.
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  trustProxy: () => env.get('TRUST_PROXY') ?? false,
  // Answers carry entity tags of their own (foundation/http).
  etag: false,
  cookie: {},
  // A path that cannot be decoded never reaches a route.
  onBadUrl(request: IncomingMessage, response: ServerResponse) {
    const id = randomUUID()
    response.writeHead(400, {
      'content-type': 'application/problem+json; charset=utf-8',
      'x-request-id': id,
    })
    const detail = 'The path is not valid percent-encoded UTF-8.'
    const base = env.get('PUBLIC_URL') ?? `http://${request.headers.host ?? ''}`
    response.end(JSON.stringify(renderProblem(refuse('malformed_request', { detail }), id, base)))
  },
})
