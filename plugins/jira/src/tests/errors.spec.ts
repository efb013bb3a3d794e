import { test } from '@japa/runner'
import { describeError } from '../errors.js'

const none = new Headers()
const saying = (...errorMessages: string[]) => ({ errorMessages, errors: {} })
const ofField = (field: string, text: string) => ({ errorMessages: [], errors: { [field]: text } })

/** Jira's refusals: status, body, code of the error, and advice to the team. */
const REFUSALS = [
  [
    401,
    saying('Client must be authenticated to access this resource.'),
    'unauthorized',
    /rotates the connection/,
  ],
  [401, { code: 401, message: 'Unauthorized; scope does not match' }, 'forbidden', /jira\.md/],
  [403, saying('The IP address is not on the allowlist.'), 'forbidden', /address of the service/],
  [
    403,
    saying('You must have global or project administrator rights in order to modify versions.'),
    'forbidden',
    /"Administer Projects"/,
  ],
  [
    403,
    saying('You do not have permission to edit issues in this project.'),
    'forbidden',
    /"Edit Issues"/,
  ],
  [
    400,
    saying("The value 'SHOP' does not exist for the field 'project'."),
    'notFound',
    /current key/,
  ],
  [404, saying("No project could be found with key 'SHOP'."), 'notFound', /"Browse Projects"/],
  [
    404,
    saying('Issue does not exist or you do not have permission to see it.'),
    'notFound',
    /"Browse Projects"/,
  ],
  [400, ofField('fixVersions', "Version '1.2.0' is archived."), 'preconditionFailed', /unarchives/],
  [
    400,
    ofField('fixVersions', "Version name '1.2.0' is not valid"),
    'notFound',
    /Restore its name/,
  ],
  [
    400,
    ofField('labels', "The label 'a b' contains spaces which is invalid."),
    'invalid',
    /featureAffiliations/,
  ],
  [400, ofField('customfield_10042', 'Team is required.'), 'preconditionFailed', /a default/],
  [
    400,
    ofField(
      'fixVersions',
      "Field 'fixVersions' cannot be set. It is not on the appropriate screen"
    ),
    'preconditionFailed',
    /edit screen/,
  ],
  [410, saying('The requested API has been removed.'), 'unsupported', /newer version/],
] as const

test.group('Errors of Jira', () => {
  for (const [status, body, code, action] of REFUSALS) {
    test(`${status} ${JSON.stringify(body).slice(0, 70)}`, ({ assert }) => {
      const reported = describeError(status, body, none)
      assert.equal(reported?.code, code)
      assert.match(reported?.action ?? '', action)
      assert.match(`${reported?.reason} ${reported?.action}`, /^[A-Z].*\. [A-Z].*\.$/)
    })
  }

  test('the refused field is named', ({ assert }) => {
    const reported = describeError(400, ofField('customfield_10042', 'Team is required.'), none)
    assert.include(reported?.reason, 'customfield_10042')
  })

  test('an answer without a login is unauthorized: {reason}')
    .with([
      { reason: 'AUTHENTICATED_FAILED', code: 'unauthorized' },
      { reason: 'AUTHENTICATION_DENIED', code: 'unauthorized' },
      { reason: 'OK', code: undefined },
    ])
    .run(({ assert }, { reason, code }) => {
      const headers = new Headers({ 'x-seraph-loginreason': reason })
      assert.equal(describeError(200, { issues: [] }, headers)?.code, code)
    })

  test('a limit is reported with its reason: {reason}')
    .with([
      { reason: 'jira-quota-global-based', code: 'quotaExhausted' },
      { reason: 'jira-burst-based', code: 'rateLimited' },
      { reason: 'jira-per-issue-on-write', code: 'rateLimited' },
      { reason: 'jira-of-tomorrow', code: undefined },
    ])
    .run(({ assert }, { reason, code }) => {
      const headers = new Headers({ 'ratelimit-reason': reason })
      assert.equal(describeError(429, saying('Rate limit exceeded.'), headers)?.code, code)
    })

  test('other errors are read by their status, with Jira’s own text', ({ assert }) => {
    assert.isUndefined(describeError(500, saying('Internal'), none))
    assert.isUndefined(describeError(400, null, none))
    assert.isUndefined(describeError(200, { issues: [] }, none))
    assert.deepEqual(describeError(400, ofField('name', 'Too long'), none), {
      code: 'invalid',
      reason: 'Too long',
    })
  })
})
