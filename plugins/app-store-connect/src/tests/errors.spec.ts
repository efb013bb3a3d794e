import { test } from '@japa/runner'
import { describeError } from '../errors.js'

const none = new Headers()

/** Apple's refusals: status, code, detail, code of the error, and advice to the team. */
const REFUSALS = [
  [401, 'NOT_AUTHORIZED', 'Provide a properly configured bearer token', 'unauthorized', /rotate/],
  [
    403,
    'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED',
    'This request requires an in-effect agreement',
    'forbidden',
    /Account Holder/,
  ],
  [403, 'FORBIDDEN_ERROR', 'The API key in use does not allow this', 'forbidden', /new key/],
  [404, 'NOT_FOUND', "There is no resource of type 'apps' with id '1'", 'notFound', /bundleId/],
  [
    409,
    'ENTITY_ERROR.ATTRIBUTE.INVALID.DUPLICATE',
    'The version number has been previously used.',
    'invalid',
    /higher/,
  ],
  [
    409,
    'ENTITY_ERROR.RELATIONSHIP.INVALID',
    'You cannot create a new version of the App in the current state.',
    'conflict',
    /deletes it/,
  ],
  [422, 'ENTITY_UNPROCESSABLE', 'Another build is in review.', 'conflict', /waits/],
  [
    422,
    'ENTITY_UNPROCESSABLE',
    'The build is not in a valid processing state for this operation.',
    'preconditionFailed',
    /ready/,
  ],
  [
    409,
    'STATE_ERROR',
    'The build is missing export compliance.',
    'preconditionFailed',
    /ITSAppUsesNonExemptEncryption/,
  ],
  [
    409,
    'ENTITY_ERROR.ATTRIBUTE.INVALID.INVALID_STATE',
    "Attribute 'whatsNew' cannot be edited at this time",
    'preconditionFailed',
    /leaves them out/,
  ],
  [
    409,
    'ENTITY_ERROR.ATTRIBUTE.REQUIRED',
    "You must provide a value for the attribute 'whatsNew' with this request",
    'preconditionFailed',
    /every language/,
  ],
  [
    409,
    'ENTITY_ERROR',
    'App screenshot missing (APP_IPHONE_65).',
    'preconditionFailed',
    /store page/,
  ],
  [
    409,
    'ENTITY_ERROR',
    "You must have published answers to your app's data usages.",
    'preconditionFailed',
    /publishes them/,
  ],
  [
    409,
    'ENTITY_ERROR.ATTRIBUTE.INVALID.TOO_LONG',
    'Review Notes cannot be longer than 4000 characters.',
    'invalid',
    /shorter/,
  ],
  [
    409,
    'ENTITY_ERROR',
    'appStoreVersions with id 1 was already added to another reviewSubmission with id 2',
    'conflict',
    /removes it/,
  ],
  [
    409,
    'STATE_ERROR.SOMETHING_NEW',
    'Something new stands against it.',
    'preconditionFailed',
    /looks at the version/,
  ],
  [
    409,
    'STATE_ERROR',
    "reviewSubmissions with id '1' is not in valid state.",
    'preconditionFailed',
    /looks at the submission/,
  ],
  [422, 'ENTITY_ERROR.NEW', 'Something new is wrong.', 'invalid', /corrects it/],
] as const

const entry = (status: number, code: string, detail: string) => ({
  ...{ id: '1', status: String(status), code },
  ...{ title: 'The request cannot be fulfilled', detail },
})

test.group('Errors of App Store Connect', () => {
  for (const [status, code, detail, ours, action] of REFUSALS) {
    test(`${status} ${detail.slice(0, 60)}`, ({ assert }) => {
      const reported = describeError(status, { errors: [entry(status, code, detail)] }, none)
      assert.equal(reported?.code, ours)
      assert.match(reported?.action ?? '', action)
      assert.notEqual(reported?.reason, detail)
      assert.match(reported?.action ?? '', /^[A-Z].*\.$/)
      assert.match(reported?.reason ?? '', /^[A-Z]/)
    })
  }

  test('an agreement that is not signed is the move of the Account Holder', ({ assert }) => {
    const code = 'FORBIDDEN.REQUIRED_AGREEMENTS_MISSING_OR_EXPIRED'
    const errors = [entry(403, code, 'This request requires an in-effect agreement')]
    assert.equal(describeError(403, { errors }, none)?.who, 'Account Holder')
  })

  test('associated errors are read as well', ({ assert }) => {
    const behind = entry(409, 'ENTITY_ERROR', 'App screenshot missing (APP_IPAD_PRO_129).')
    const errors = [
      {
        ...entry(409, 'STATE_ERROR', 'This resource cannot be reviewed.'),
        meta: { associatedErrors: { '/v1/appStoreVersions/1': [behind] } },
      },
    ]
    const reported = describeError(409, { errors }, none)
    assert.equal(
      reported?.reason,
      'The version lacks a screenshot that Apple demands: App screenshot missing (APP_IPAD_PRO_129).'
    )
  })

  test('the second error counts, too', ({ assert }) => {
    const errors = [
      entry(
        409,
        'ENTITY_ERROR',
        'You cannot create a new version of the App in the current state.'
      ),
      entry(409, 'ENTITY_ERROR', 'The version number has been previously used.'),
    ]
    assert.match(describeError(409, { errors }, none)?.reason ?? '', /name is taken/)
  })

  test('other errors are read by their status', ({ assert }) => {
    const error = entry(404, 'NOT_FOUND', "There is no resource of type 'builds' with id '1'")
    assert.isUndefined(describeError(404, { errors: [error] }, none))
    for (const body of [null, {}, { errors: 'x' }, { errors: [null] }, 'text']) {
      assert.isUndefined(describeError(500, body, none))
      assert.isUndefined(describeError(200, body, none))
    }
    assert.isUndefined(describeError(429, { errors: [entry(429, 'RATE_LIMIT', 'x')] }, none))
  })
})
