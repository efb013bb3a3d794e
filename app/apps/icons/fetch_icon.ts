import { RETRIES } from '#foundation/agenda/retry'
import app from '@adonisjs/core/services/app'
import { onWish, type Outcome } from '#foundation/agenda/handlers'
import { MINUTE } from '#foundation/core/durations'
import { discardFiles } from '#foundation/core/files/stored_files'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAppEvent } from '../record_app_event.js'
import { iconWish } from './icon_wish.js'
import { iconKey, storeIcon } from './store_icon.js'

const MAX_BYTES = 5 * 1024 * 1024

/** Statuses after which the same address may still answer with a picture. */
const PASSING = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Fetches the icon of an app, re-encodes it and keeps the copy. A failure is no error of the
 * request that named the icon: it is told in the app's timeline (`app.iconFailed`) and shown by
 * the app.
 */
export const fetchIcon = onWish(iconWish, {
  actor: 'icon',
  lease: 2 * MINUTE,
  retry: RETRIES.minutes,
  // A picture that was fetched twice is one file more, which is removed again.
  isRepeatable: true,
  call: ({ payload: { url } }, { signal }) => download(url, signal),
  // Locked before it is read: a change under way is waited for, and then seen.
  lock: (scope, { subject }) => scope.lock('apps', subject),
  answer: (scope, { subject, payload: { url } }, name: string) =>
    keepIcon(scope, subject, url, name),
  isKept: (kept) => kept === true,
  discard: (name) => discardFiles([iconKey(name)]),
  afterLast: (scope, { subject, payload: { url } }, reason) => warn(scope, subject, url, reason),
})

/** The app while it still wants the icon: it is there, and none was named or uploaded since. */
const wanting = (scope: Scope, appId: string, url: string) =>
  scope.table('apps').where({ id: appId, icon_url: url }).whereNull('icon_file')

/** @returns whether the app names the file now */
async function keepIcon(scope: Scope, appId: string, url: string, name: string): Promise<boolean> {
  const row = wanting(scope, appId, url)
  if (!(await row.clone().select('id').first())) return false
  await row.update({ icon_file: name, icon_failure: null, updated_at: scope.now })
  recordAppEvent(scope, appId, {
    type: 'app.iconChanged',
    title: 'The icon was fetched',
    data: { url },
  })
  return true
}

/** Stores the picture and answers its name, or in words why there is none. */
async function download(url: string, signal: AbortSignal): Promise<Outcome<string>> {
  const failed = (reason: string, isFinal: boolean): Outcome<string> => ({
    outcome: 'notApplied',
    reason,
    isFinal,
  })
  const outbound = await app.container.make('outbound')
  const answer = await outbound.request({ url, maxBytes: MAX_BYTES, signal })
  if (answer.errorClass !== null) {
    // A refusal by the guard of outgoing requests is final.
    const isFinal = answer.errorClass === 'refused'
    return failed(answer.errorMessage ?? 'The address does not answer', isFinal)
  }
  if (answer.status !== 200) {
    return failed(`The address answers ${answer.status}`, !PASSING.has(answer.status ?? 0))
  }
  if (answer.truncated) return failed('The picture is larger than 5 MiB', true)
  try {
    return { outcome: 'applied', answer: await storeIcon(answer.body) }
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    return failed(error.message, error.code === 'invalid_input')
  }
}

async function warn(scope: Scope, appId: string, url: string, reason: string): Promise<void> {
  const row = wanting(scope, appId, url)
  if (!(await row.clone().select('id').first())) return
  recordAppEvent(scope, appId, {
    type: 'app.iconFailed',
    title: `The icon could not be fetched: ${reason}`,
    data: { url, reason },
  })
  // The app shows it for as long as this is the icon it should have.
  await row.update({
    icon_failure: JSON.stringify({ url, reason, at: scope.now }),
    updated_at: scope.now,
  })
}
