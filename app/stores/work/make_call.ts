import type { Instant } from '#foundation/core/clock'
import { Problem } from '#foundation/core/problems/problem'
import { isProviderError } from '#integrations/ask_provider'
import { feature } from '#plugin-kit/capabilities/map'
import type { AppStore, LocalizedMetadata, NewReviewFile } from '#plugin-kit/capabilities/stores'
import type { ProviderErrorCode } from '#plugin-kit/provider_error'
import { seenVersion } from '../derive/seen.js'
import { versionOfName } from '../derive/version_names.js'
import type { CallAnswer, StoreCall } from '../reconciler/record.js'

/** The texts and files to submit with a version. */
export interface SubmissionTexts {
  texts: readonly LocalizedMetadata[]
  /** Files for the store's reviewers; empty if the store accepts none. */
  files: readonly NewReviewFile[]
}

/** The failure of a call, in the form in which it is stored. */
export interface CallFailure {
  isUnknown: boolean
  code: ProviderErrorCode | 'unusable'
  reason?: string
  message: string
  retryAfterMs?: number
}

export type CallResult = { answer: CallAnswer } | { failure: CallFailure }

/**
 * Makes a call to the store.
 * @throws the plugin's errors
 */
export async function makeCall(
  store: AppStore,
  call: StoreCall,
  {
    idempotencyKey,
    beganAt,
    texts,
  }: {
    idempotencyKey: string
    beganAt: Instant
    texts: SubmissionTexts
  }
): Promise<CallAnswer> {
  const key = (step: string) => ({ idempotencyKey: `${idempotencyKey} ${step}` })
  switch (call.method) {
    case 'prepare': {
      const { version, buildNumber, phased, fraction, release, inAppUpdatePriority } = call
      const input = {
        version: versionOfName(version),
        buildNumber,
        phased,
        release,
        ...(fraction === undefined ? {} : { fraction }),
        ...(inAppUpdatePriority === undefined ? {} : { inAppUpdatePriority }),
      }
      return { after: seenVersion(await store.prepare(input, key('prepare')), beganAt) }
    }
    case 'submit': {
      const { ref, onReviewInProgress, phased, fraction } = call
      await writeTexts(store, ref, texts.texts, key)
      await uploadFiles(store, ref, texts.files, key)
      const options = {
        ...key('submit'),
        onReviewInProgress,
        ...(phased === undefined ? {} : { phased }),
        ...(fraction === undefined ? {} : { fraction }),
      }
      return { after: seenVersion(await store.submit(ref, options), beganAt) }
    }
    case 'cancelReview':
      return { after: seenVersion(await store.cancelReview(call.ref, key('cancel')), beganAt) }
    case 'release':
      return {
        after: seenVersion(await feature(store, 'release')(call.ref, key('release')), beganAt),
      }
    case 'setRollout': {
      const options = { ...key('rollout'), onReviewInProgress: call.onReviewInProgress }
      const { before, after } = await store.setRollout(call.ref, call.to, options)
      return { before: seenVersion(before, beganAt), after: seenVersion(after, beganAt) }
    }
  }
}

type StepKey = (step: string) => { idempotencyKey: string }

/** Writes only the texts that differ from the store's. */
async function writeTexts(
  store: AppStore,
  ref: string,
  texts: readonly LocalizedMetadata[],
  key: StepKey
): Promise<void> {
  if (texts.length === 0) return
  const existing = new Map((await store.getMetadata(ref)).map((each) => [each.locale, each]))
  const isChanged = (text: LocalizedMetadata) =>
    Object.entries(text).some(
      ([name, value]) => existing.get(text.locale)?.[name as keyof LocalizedMetadata] !== value
    )
  const changed = texts.filter(isChanged)
  if (changed.length > 0) await store.setMetadata(ref, changed, key('texts'))
}

/**
 * Uploads the missing files, if the store accepts files. Name and size identify a file.
 */
async function uploadFiles(
  store: AppStore,
  ref: string,
  files: readonly NewReviewFile[],
  key: StepKey
): Promise<void> {
  if (files.length === 0 || !store.listReviewFiles || !store.addReviewFile) return
  const existing = await store.listReviewFiles(ref)
  for (const file of files) {
    const index = existing.findIndex(({ name, size }) => name === file.name && size === file.size)
    if (index >= 0) existing.splice(index, 1)
    else await store.addReviewFile(ref, file, key(`file ${file.sha256} ${file.name}`))
  }
}

/**
 * Converts an error of the provider or of its connection to a failure.
 * @throws all other errors
 */
export function failureOf(error: unknown): CallFailure {
  if (!(error instanceof Problem) && !isProviderError(error)) throw error
  const cause = error instanceof Problem ? error.extras.cause : error
  // The connection or its plugin is unusable, so the store was not called.
  if (!isProviderError(cause)) {
    return { isUnknown: false, code: 'unusable', message: error.message }
  }
  const { outcome, reason, retryAfterMs } = cause.detail
  const isUnknown = outcome !== 'notApplied'
  return { isUnknown, code: cause.code, reason, message: cause.message, retryAfterMs }
}
