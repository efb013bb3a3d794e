import type { HttpContext } from '@adonisjs/core/http'
import { inputOf } from '#foundation/api/execution/input_of'
import { problemOf } from '#foundation/api/execution/problem_of'
import { requestId } from '#foundation/api/http/request_id'
import { limitGuesses } from '#foundation/api/limits/limit_guesses'
import { operations } from '#foundation/api/operation/registry'
import { executor, quota } from '#foundation/api/services'
import { clock } from '#foundation/core/services'
import type { SharedReleaseEntity } from '#releases/links/link_entities'
import { renderTemplate } from '../frame/engine.js'
import { localeOf } from '../frame/locale.js'
import { sendHtml } from '../frame/send_html.js'
import { noticeView, sharedView } from './shared.view.js'

/** The URL is a secret, so the page is not cached and sends no referrer. */
const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; style-src 'self'; img-src 'self'; font-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-robots-tag': 'noindex',
} as const

const NOTICES: Partial<Record<number, readonly [title: string, text: string]>> = {
  404: [
    'There is nothing here',
    'The link is wrong or no longer works. Ask the person who gave it to you.',
  ],
  429: ['Too many wrong links', 'Too many links were tried from here. Wait a minute.'],
}

/** Shows a release to anybody who has its link, without a session. */
export async function serveShared(http: HttpContext): Promise<void> {
  const { request, response } = http
  const id = requestId(http)
  for (const [name, value] of Object.entries(HEADERS)) response.header(name, value)
  response.vary(['Accept-Language'])
  const operation = operations.get('getSharedRelease')
  const params = { sharedToken: String(request.param('sharedToken')) }
  try {
    const input = () => inputOf(operation, { params })
    const sharedRequest = { params, input, origin: { baseUrl: '' } }
    const carriedOut = executor.executeOpen(operation, sharedRequest)
    const { body } = await limitGuesses(quota, request.ip(), carriedOut)
    const reader = { zone: 'UTC', locale: localeOf(request), now: clock.now() }
    const view = sharedView(body as SharedReleaseEntity, reader)
    await sendHtml(http, renderTemplate('sharing/page', { view }))
  } catch (error) {
    const { status, extras, headers } = problemOf(error)
    if (extras.cause !== undefined) {
      http.logger.error({ err: extras.cause, requestId: id }, 'the page of a link failed')
    }
    for (const [name, value] of Object.entries(headers)) response.header(name, value)
    const failed = ['Not shown', 'The service failed. Try again in a minute.'] as const
    const view = noticeView(...(NOTICES[status] ?? failed))
    response.status(status)
    await sendHtml(http, renderTemplate('sharing/notice', { view }))
  }
}
