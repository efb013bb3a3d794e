import { test } from '@japa/runner'
import { errorOfAnswer } from '#plugin-kit/answer_error'
import { describeKnown, type KnownError } from '#plugin-kit/known_errors'
import { wrongClock } from '#plugin-kit/wrong_clock'

const KNOWN: readonly KnownError[] = [
  {
    statuses: [403],
    says: 'Not Allowed',
    code: 'forbidden',
    reason: 'The key lacks {permission}.',
    action: 'Its owner adds {permission}.',
    who: 'Owner',
  },
  {
    statuses: [403],
    code: 'forbidden',
    reason: 'The key lacks a right.',
    action: 'Its owner adds it.',
  },
]

test.group('Known errors', () => {
  test('the first that matches counts, with the words of the vendor', ({ assert }) => {
    const words = { permission: 'Contents: write' }
    assert.deepEqual(describeKnown(KNOWN, { status: 403, said: 'this is not allowed', words }), {
      code: 'forbidden',
      reason: 'The key lacks Contents: write.',
      action: 'Its owner adds Contents: write.',
      who: 'Owner',
    })
  })

  test('a known error whose words are missing is skipped', ({ assert }) => {
    for (const words of [undefined, {}, { permission: undefined }]) {
      const reported = describeKnown(KNOWN, { status: 403, said: 'not allowed', words })
      assert.equal(reported?.reason, 'The key lacks a right.')
    }
  })

  test('another status or text is unknown', ({ assert }) => {
    assert.isUndefined(describeKnown(KNOWN, { status: 404, said: 'not allowed' }))
    assert.isUndefined(describeKnown(KNOWN.slice(0, 1), { status: 403, said: 'no' }))
  })

  test('an error says what is wrong and what to do, and keeps the vendor’s words', ({ assert }) => {
    const described = {
      code: 'forbidden',
      reason: 'It is closed.',
      action: 'Ada opens it.',
      who: 'Owner',
    } as const
    const result = { method: 'PUT', where: 'api.acme.example/x', status: 403, rate: {} }
    const redact = (text: string) => text.replaceAll('hunter2', '…')
    const error = errorOfAnswer({ ...result, body: { message: 'E42 hunter2' }, described }, redact)
    assert.equal(
      error.message,
      'It is closed. Ada opens it. (PUT api.acme.example/x answered 403: E42 …)'
    )
    assert.containsSubset(error.detail, {
      ...{ reason: 'It is closed.', action: 'Ada opens it.', who: 'Owner', raw: 'E42 …' },
      outcome: 'notApplied',
    })
    const plain = errorOfAnswer({ ...result, body: { message: 'E42' } }, redact)
    assert.equal(plain.message, 'PUT api.acme.example/x answered 403: E42')
    assert.notProperty(plain.detail, 'raw')
    assert.notProperty(plain.detail, 'action')
  })

  test('a clock that is minutes off is mentioned', ({ assert }) => {
    const now = Date.parse('2026-11-28T12:00:00Z')
    const at = (date: string) => wrongClock(new Headers({ date }), now)
    assert.include(at('Sat, 28 Nov 2026 11:55:00 GMT')?.reason, '5 minutes ahead of')
    assert.include(at('Sat, 28 Nov 2026 12:05:00 GMT')?.reason, '5 minutes behind')
    assert.isNull(at('Sat, 28 Nov 2026 12:01:00 GMT'))
    assert.isNull(at('nonsense'))
    assert.isNull(wrongClock(new Headers(), now))
  })
})
