import assert from 'node:assert/strict'
import { type ProviderError, type ProviderErrorCode } from '../provider_error.js'

/** The error that a call ends with. A plugin may bring a copy of the kit, so its shape counts. */
export async function errorOf(call: Promise<unknown>): Promise<ProviderError> {
  const ended = await call.then(
    (value) => ({ value }),
    (error: unknown) => ({ error })
  )
  if ('value' in ended) {
    assert.fail(`It answers ${JSON.stringify(ended.value)} where it has to fail`)
  }
  const { error } = ended
  const isMeant = error instanceof Error && error.name === 'ProviderError'
  assert.ok(isMeant, `It fails with ${String(error)}, which is no ProviderError`)
  return error as ProviderError
}

/** A call that fails with one of some codes. */
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
