import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineConfig } from '@adonisjs/core/http'
import { answerBadUrl } from '#foundation/api/http/bad_url'
import { listeningUrl } from '#foundation/api/http/listening_url'
import { trustedProxies } from '#config/trusted_proxies'
import env from '#start/env'

export const appKey = env.get('APP_KEY')

/** The public address of the service, without a trailing slash; empty if unknown. */
export const publicUrl = env.get('PUBLIC_URL')?.replace(/\/+$/, '') ?? ''

/**
 * The address of the service in events, which go to others than the requester: `PUBLIC_URL`, or
 * else the address that it listens on. Never the `Host` of a request: receivers send their keys to
 * this address.
 */
export const serviceUrl = publicUrl || listeningUrl(env.get('HOST'), env.get('PORT'))

export const http = defineConfig({
  // Request ids are set by the error boundary, which also accepts the client's own.
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  trustProxy: trustedProxies(env.get('TRUST_PROXY')),
  // Answers carry entity tags of their own (foundation/api/http).
  etag: false,
  onBadUrl: (request: IncomingMessage, response: ServerResponse) =>
    void answerBadUrl(request, response, { publicUrl, pages: ['/dashboard/', '/sign-in/'] }),
  cookie: {},
})
