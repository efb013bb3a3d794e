import { defineConfig } from '@adonisjs/core/http'
import { refuseBadUrl } from '#foundation/api/http/bad_url'
import env from '#start/env'

export const appKey = env.get('APP_KEY')

export const http = defineConfig({
  // Request ids are set by the error boundary, which also accepts the client's own.
  generateRequestId: false,
  allowMethodSpoofing: false,
  useAsyncLocalStorage: false,
  trustProxy: () => env.get('TRUST_PROXY') ?? false,
  // Answers carry entity tags of their own (foundation/api/http).
  etag: false,
  onBadUrl: refuseBadUrl,
  cookie: {},
})
