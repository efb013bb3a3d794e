import { test } from '@japa/runner'
import type { ProviderErrorCode } from '@tarmac/plugin-kit'
import { describeError } from '../errors.js'
import { REFUSALS } from '../fake/refusals.js'

/** Google's refusals, each with its error code and the advice to the team. */
const CASES: readonly [keyof typeof REFUSALS, ProviderErrorCode, RegExp][] = [
  ['editDeleted', 'conflict', /retried automatically.*service account of its own/],
  ['editExpired', 'conflict', /tries again/],
  ['draftAppOnly', 'preconditionFailed', /first release by hand/],
  ['firstNotStaged', 'preconditionFailed', /without a staged rollout/],
  ['firstNotHalted', 'preconditionFailed', /releases a fix/],
  ['fullyReleased', 'preconditionFailed', /halts it/],
  ['tooMany', 'preconditionFailed', /looks at the track/],
  ['notSentAutomatically', 'preconditionFailed', /presses Send for review/],
  ['sentAutomatically', 'preconditionFailed', /tries again/],
  ['reviewInProgress', 'conflict', /once that review has ended/],
  ['codeUnknown', 'preconditionFailed', /uploads it/],
  ['codeUsed', 'preconditionFailed', /raises its version code/],
  ['notUpgradable', 'preconditionFailed', /raises its version code/],
  ['declarationMissing', 'preconditionFailed', /App content/],
  ['apiDisabled', 'forbidden', /enables/],
  ['noPermission', 'forbidden', /how-to\/connect\/google-play\.md/],
  ['packageUnknown', 'notFound', /bundleId/],
  ['dailyQuota', 'quotaExhausted', /Nobody has to act/],
  ['minuteQuota', 'rateLimited', /in a moment/],
  ['replyTooLong', 'invalid', /writes less/],
]

async function reportedOf(refusal: { response(): Response }) {
  const response = refusal.response()
  return describeError(response.status, await response.json(), response.headers)
}

test.group('Errors of Google Play', () => {
  for (const [name, code, action] of CASES) {
    test(`${name} says what is wrong and who has to do what`, async ({ assert }) => {
      const refusal = (REFUSALS[name] as (of: never) => { response(): Response })(
        'completed' as never
      )
      const reported = await reportedOf(refusal)
      assert.equal(reported?.code, code)
      assert.match(reported?.action ?? '', action)
      assert.match(`${reported?.reason} ${reported?.action}`, /^[A-Z].*\. [A-Z].*\.$/s)
      assert.isAtMost(reported!.reason.length, 300)
      assert.isAtMost(reported!.action!.length, 300)
    })
  }

  test('a deleted key is unauthorized', ({ assert }) => {
    const body = { error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }
    assert.equal(describeError(400, body, new Headers())?.code, 'unauthorized')
  })

  test('other errors are read by their status, with Google’s own text', async ({ assert }) => {
    assert.isUndefined(await reportedOf(REFUSALS.fractionMissing()))
    assert.isUndefined(describeError(500, null, new Headers()))
    assert.isUndefined(describeError(200, { error: 'invalid_grant' }, new Headers()))
    assert.isUndefined(describeError(429, { error: { message: 'Quota exceeded' } }, new Headers()))
  })
})
