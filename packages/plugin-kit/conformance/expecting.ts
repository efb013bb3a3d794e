import assert from 'node:assert/strict'
import { type ProviderError, type ProviderErrorCode } from '../provider_error.js'

/**
 * Returns the error that a call fails with. It is recognized by its name, because a plugin may
 * bring its own copy of the kit.
 */
export async function errorOf(call: Promise<unknown>): Promise<ProviderError> {
  const ended = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if ('value' in ended) {
    assert.fail(`It answers ${JSON.stringify(ended.value)} where it has to fail`)
  }
  const { error } = ended
  const isProviderError = error instanceof Error && error.name === 'ProviderError'
  assert.ok(isProviderError, `It fails with ${String(error)}, which is no ProviderError`)
  return error as ProviderError
}

/** Checks that a call fails with one of the codes. */
export async function failsWith(
  call: Promise<unknown>,
  ...codes: readonly ProviderErrorCode[]
): Promise<ProviderError> {
  const error = await errorOf(call)
  assert.ok(
    codes.includes(error.code),
    `It fails with ${error.code} (${error.message}) instead of ${codes.join(' or ')}`
  )
  return error
}
