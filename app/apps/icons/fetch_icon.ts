import { RETRIES } from '#foundation/jobs/retry'
import app from '@adonisjs/core/services/app'
import { onCommand, type Outcome } from '#foundation/jobs/handlers'
import { MINUTE } from '#foundation/core/durations'
import { discardFiles } from '#foundation/core/files/stored_files'
import { Problem } from '#foundation/core/problems/problem'
import type { Scope } from '#foundation/core/scope'
import { recordAppEvent } from '../record_app_event.js'
import { iconCommand } from './icon_command.js'
import { iconKey, storeIcon } from './store_icon.js'

const MAX_BYTES = 5 * 1024 * 1024

/** HTTP statuses after which the same address may return a picture later. */
const TRANSIENT_STATUSES = new Set([408, 425, 429, 500, 502, 503, 504])

/**
 * Fetches the icon of an app, re-encodes it and stores the copy. A failure does not fail the
 * request that named the icon. It is recorded in the app's timeline (`app.iconFailed`) and shown
 * with the app.
 */
export const fetchIcon = onCommand(iconCommand, {
  actor: 'icon',
  lease: 2 * MINUTE,
  retry: RETRIES.minutes,
  // Fetching a picture twice only leaves an extra file, which is removed again.
  isRepeatable: true,
  call: ({ payload: { url } }, { signal }) => download(url, signal),
  // Locks before reading, so that a concurrent change finishes first and is seen.
  lock: (scope, { subject }) => scope.lock('apps', subject),
  storeResult: (scope, { subject, payload: { url } }, name: string) =>
    keepIcon(scope, subject, url, name),
  isKept: (kept) => kept === true,
  discard: (name) => discardFiles([iconKey(name)]),
  afterLast: (scope, { subject, payload: { url } }, reason) => warn(scope, subject, url, reason),
})

/**
 * Selects the app if it still wants the icon: it exists, and no other icon has been named or
 * uploaded since.
 */
const wanting = (scope: Scope, appId: string, url: string) =>
  scope.table('apps').where({ id: appId, icon_url: url }).whereNull('icon_file')

/** @returns whether the app uses the file now */
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

/** Stores the picture and returns its name, or the reason why there is none. */
async function download(url: string, signal: AbortSignal): Promise<Outcome<string>> {
  const failed = (reason: string, isFinal: boolean): Outcome<string> => ({
    outcome: 'notApplied',
    reason,
    isFinal,
  })
  const outbound = await app.container.make('outbound')
  const response = await outbound.request({ url, maxBytes: MAX_BYTES, signal })
  if (response.errorClass !== null) {
    // A request that the outbound guard refuses will always be refused.
    const isFinal = response.errorClass === 'refused'
    return failed(response.errorMessage ?? 'The address does not respond', isFinal)
  }
  if (response.status !== 200) {
    return failed(
      `The address responded with ${response.status}`,
      !TRANSIENT_STATUSES.has(response.status ?? 0)
    )
  }
  if (response.truncated) return failed('The picture is larger than 5 MiB', true)
  try {
    return { outcome: 'applied', result: await storeIcon(response.body) }
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
  // The app shows the failure for as long as it should have this icon.
  await row.update({
    icon_failure: JSON.stringify({ url, reason, at: scope.now }),
    updated_at: scope.now,
  })
}
