import type { IncomingMessage, ServerResponse } from 'node:http'
import { defineConfig } from '@adonisjs/core/http'
import { refuseBadUrl } from '#foundation/api/http/bad_url'
import { listeningUrl } from '#foundation/api/http/listening_url'
import { trustedProxies } from '#config/trusted_proxies'
import env from '#start/env'

export const appKey = env.get('APP_KEY')

/** The address people reach the service at, without a slash at its end; empty when unknown. */
export const publicUrl = env.get('PUBLIC_URL')?.replace(/\/+$/, '') ?? ''

/**
 * The address that events name the service by, which others than the one who asked read: where
 * `PUBLIC_URL` does not say it, that at which the service listens. Never what a request claims
 * its host to be: a receiver sends its key there.
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
    refuseBadUrl(request, response, publicUrl),
  cookie: {},
})
